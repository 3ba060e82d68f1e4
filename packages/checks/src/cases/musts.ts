import type { Finding } from './finding.js';
import { differs, unasserted } from './finding.js';
import { MUST_FACTS, MUST_NOT_FACTS } from './must-facts.js';
import { REQUEST_MUSTS } from './must-requests.js';
import { MUST_TIMES } from './must-times.js';
import { MUST_NOT_WORDS, MUST_WORDS } from './must-words.js';
import type { Scene } from './scene.js';
import type { RequestStatement, SceneStatement } from './statement.js';
import { find } from './statement.js';
import type { WireDocument } from './wire-document.js';

/** Every sentence of the cases that has an assertion. A new one is one entry in the file of its kind. */
export const MUSTS: readonly SceneStatement[] = [...MUST_TIMES, ...MUST_WORDS, ...MUST_FACTS];
/** An entry here holds where the thing does not happen. The order matters: the general patterns come last. */
export const MUST_NOTS: readonly SceneStatement[] = [...MUST_NOT_FACTS, ...MUST_NOT_WORDS];
export const MUSTS_OF_REQUESTS: readonly RequestStatement[] = REQUEST_MUSTS;

export function judgeMust(statement: string, scene: Scene): readonly Finding[] {
  const numbered = /^request (\d+) tells the model /.exec(statement);
  if (numbered !== null) return judgeRequestMust(statement, scene.requests[Number(numbered[1]) - 1]?.body);
  return judge('must', { statement, table: MUSTS, subject: scene });
}

export function judgeMustNot(statement: string, scene: Scene): readonly Finding[] {
  return judge('must not', { statement, table: MUST_NOTS, subject: scene });
}

export function judgeRequestMust(statement: string, document: WireDocument | undefined): readonly Finding[] {
  if (document === undefined) return [differs(`must: ${statement}: there is no such request`)];
  return judge('must', { statement, table: MUSTS_OF_REQUESTS, subject: document });
}

interface Judged<Subject> {
  readonly statement: string;
  readonly table: Parameters<typeof find<Subject>>[0];
  readonly subject: Subject;
}

function judge<Subject>(verb: string, { statement, table, subject }: Judged<Subject>): readonly Finding[] {
  const found = find(table, statement);
  if (found === undefined) return [unasserted(`${verb}: ${statement}`)];
  const broken = found.entry.check(subject, found.words);
  return broken === undefined ? [] : [differs(`${verb}: ${statement}: ${broken}`)];
}
