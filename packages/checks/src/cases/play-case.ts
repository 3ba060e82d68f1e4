import { setTimeout as sleep } from 'node:timers/promises';
import { textAt } from '../data/json.js';
import type { Case } from './case-file.js';
import { CaseCues } from './case-cues.js';
import { FakeProvider } from './fake-provider.js';
import type { Finding } from './finding.js';
import { differs } from './finding.js';
import { judgeCase } from './judge-case.js';
import type { Outcome } from './outcome.js';
import { dialectNamed, unsetKeys } from './runtime-settings.js';
import { scaleCase } from './scale-case.js';
import type { Stage, Surface } from './surface.js';
import { SURFACES } from './surfaces.js';

/** A case that has not ended by then hangs. */
const FAST_CASE_MS = 30_000;
const SLOW_CASE_MS = 900_000;
/** How long a provider may wait to see its connection closed after the turn is over. */
const SETTLE_MS = 1_000;

export type CaseResult =
  | { readonly type: 'passed'; readonly beside: readonly string[] }
  | { readonly type: 'failed'; readonly differences: readonly string[]; readonly beside: readonly string[] }
  | { readonly type: 'not_yet'; readonly because: string }
  | { readonly type: 'slow' };

export interface PlayOptions {
  readonly slow: boolean;
  /** Multiplies every delay and budget of the case. */
  readonly scale: number;
}

/** One case on its own surface. What the product lacks so far is "not yet". */
export async function playCase(written: Case, options: PlayOptions): Promise<CaseResult> {
  const surface = SURFACES.find((candidate) => candidate.name === written.surface);
  if (surface === undefined) return { type: 'not_yet', because: `surface ${written.surface}` };
  const lack = lackingDialect(written) ?? surface.lacks(written);
  if (lack !== undefined) return { type: 'not_yet', because: lack };
  if (written.slow && !options.slow) return { type: 'slow' };
  const played = scaleCase(written, options.scale);
  const findings: Finding[] = [];
  for (const variant of variantsOf(played)) findings.push(...(await findingsOf(surface, variant, options.scale)));
  return resultOf(played, findings);
}

/** Some notes ask for a second run with an upstream that answers and then says nothing. */
function variantsOf(played: Case): readonly Case[] {
  if (!/an upstream that sends headers and nothing else/.test(notesOf(played))) return [played];
  const requests = played.requests.map((request) => ({ ...request, respond: { ...request.respond, flushes: [] } }));
  return [played, { ...played, requests }];
}

function lackingDialect({ dialect, requests, runtime }: Case): string | undefined {
  const names = [
    dialect,
    ...requests.map((request) => request.dialect ?? dialect),
    ...runtime.fallback.map((hop) => hop.dialect),
  ];
  const missing = names.find((name) => dialectNamed(name) === undefined);
  return missing === undefined ? undefined : `dialect ${missing}`;
}

async function findingsOf(surface: Surface, played: Case, scale: number): Promise<readonly Finding[]> {
  const cues = new CaseCues(played.actions);
  const provider = await FakeProvider.start({
    script: played.requests,
    dialect: played.dialect,
    answered: (number) => cues.heard(`after_request:${number}`),
  });
  try {
    const outcome = await inTime(surface, played, { provider, cues, scale });
    if (outcome === undefined) return [differs('it hangs: the turn did not end')];
    await provider.settled(SETTLE_MS);
    await sleep(waitMoreMs(played) * scale);
    return judgeCase({ played, outcome, requests: provider.requests, scale });
  } catch (error) {
    return [differs(`thrown: ${error instanceof Error ? error.message : String(error)}`)];
  } finally {
    cues.end();
    await provider.close();
  }
}

async function inTime(surface: Surface, played: Case, stage: Stage): Promise<Outcome | undefined> {
  const limit = new AbortController();
  const most = (played.slow ? SLOW_CASE_MS : FAST_CASE_MS) * stage.scale;
  const late = sleep(most, undefined, { signal: limit.signal }).catch(() => undefined);
  try {
    return await Promise.race([surface.play(played, stage), late]);
  } finally {
    limit.abort();
  }
}

/** Some notes say how much longer to look for something that must not come. */
function waitMoreMs(played: Case): number {
  return Number(/\bWait (\d+) ms more\b/.exec(notesOf(played))?.[1] ?? 0);
}

function notesOf({ expect }: Case): string {
  return textAt(expect, 'notes') ?? '';
}

function resultOf(played: Case, findings: readonly Finding[]): CaseResult {
  const differences = findings.filter((finding) => finding.type === 'differs').map((finding) => finding.text);
  const open = findings
    .filter((finding) => finding.type !== 'differs')
    .map((finding) => `${finding.type}: ${finding.text}`);
  const beside = [...open, ...unsetKeys(played.runtime).map((key) => `unset: runtime.${key}`)];
  return differences.length === 0 ? { type: 'passed', beside } : { type: 'failed', differences, beside };
}
