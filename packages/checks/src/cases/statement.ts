import type { Scene } from './scene.js';
import { TIME_SLACK } from './scene.js';
import type { WireDocument } from './wire-document.js';

/** A sentence of the cases as an assertion. The pattern fits the whole normalised sentence; its groups are the words. */
export interface Statement<Subject> {
  readonly name: string;
  readonly pattern: RegExp;
  /** What was seen instead, in words; `undefined` where the statement holds. */
  readonly check: (subject: Subject, words: Words) => string | undefined;
}

export type SceneStatement = Statement<Scene>;
export type RequestStatement = Statement<WireDocument>;

/** What a sentence says at its variable places. */
export class Words {
  readonly #groups: readonly (string | undefined)[];

  constructor(groups: readonly (string | undefined)[]) {
    this.#groups = groups;
  }

  at(place: number): string {
    return this.#groups[place] ?? '';
  }

  /** A lower bound of time, never widened. */
  atLeastMs(place: number, scene: Scene): number {
    return Number(this.at(place)) * scene.scale;
  }

  /** An upper bound of time, widened for machines that are not idle. */
  atMostMs(place: number, scene: Scene): number {
    return Number(this.at(place)) * scene.scale * TIME_SLACK;
  }
}

/** Spaces and a last full stop do not make another sentence. */
function normalised(statement: string): string {
  return statement.trim().replace(/\s+/g, ' ').replace(/\.$/, '');
}

export function find<Subject>(table: readonly Statement<Subject>[], statement: string): Found<Subject> | undefined {
  const text = normalised(statement);
  for (const entry of table) {
    const match = entry.pattern.exec(text);
    if (match !== null) return { entry, words: new Words(match) };
  }
  return undefined;
}

export interface Found<Subject> {
  readonly entry: Statement<Subject>;
  readonly words: Words;
}

export function holds(isSo: boolean, otherwise: string): string | undefined {
  return isSo ? undefined : otherwise;
}
