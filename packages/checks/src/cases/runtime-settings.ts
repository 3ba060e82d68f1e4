import { DIALECTS } from 'holdfast/dialects';
import type { DialectName, Quirks } from 'holdfast/dialects';
import type { RetryLimits } from 'holdfast/policy';
import type { Hop } from 'holdfast/run';
import type { Capabilities, JsonObject } from 'holdfast/turn';
import { UNKNOWN_PRODUCER } from 'holdfast/turn';
import type { Deadlines } from 'holdfast/watch';
import { DEADLINES } from 'holdfast/watch';
import type { Case, RuntimeKeys } from './case-file.js';

/** The neutral keys of a case as our own settings. */
export interface RuntimeSettings {
  readonly chain: readonly [Hop, ...Hop[]];
  readonly deadlines: Partial<Deadlines>;
  readonly limits: Partial<RetryLimits>;
}

export function runtimeSettings(played: Case, urlOf: (party: string) => string): RuntimeSettings {
  const { runtime } = played;
  const first = hopOf({ provider: 'a', vendor: 'vendor-a', dialect: played.dialect }, runtime, urlOf('a'));
  const rest = runtime.fallback.map((hop) => hopOf(hop, runtime, urlOf(hop.provider)));
  return { chain: [first, ...rest], deadlines: deadlinesOf(runtime), limits: limitsOf(runtime) };
}

/** Keys of the case that have no counterpart in the product: a person should know that they were not set. */
export function unsetKeys(runtime: RuntimeKeys): readonly string[] {
  const habits = Object.keys(runtime.compat).filter((key) => !Object.hasOwn(HABITS, key));
  return [...runtime.unknown, ...habits.map((key) => `compat.${key}`)];
}

export function dialectNamed(name: string): DialectName | undefined {
  return Object.values(DIALECTS).find((dialect) => dialect.name === name)?.name;
}

interface HopParts {
  readonly provider: string;
  readonly vendor: string;
  readonly dialect: string;
}

function hopOf(hop: HopParts, runtime: RuntimeKeys, baseUrl: string): Hop {
  const dialect = dialectNamed(hop.dialect);
  if (dialect === undefined) throw new Error(`The dialect ${hop.dialect} does not exist.`);
  return {
    provider: {
      name: hop.provider,
      vendor: hop.vendor,
      dialect,
      baseUrl,
      auth: undefined,
      quirks: quirksOf(runtime.compat),
    },
    model: MODELS.get(hop.dialect) ?? 'example-1',
    capabilities: CAPABILITIES.get(hop.dialect) ?? UNKNOWN_PRODUCER,
    maxOutputTokens: runtime.maxOutputTokens,
    outputLimit: undefined,
    contextWindow: runtime.contextWindow,
    configEntry: runtime.configEntry,
  };
}

/** The names that the scripts of the cases use. */
const MODELS: ReadonlyMap<string, string> = new Map([
  ['gemini', 'gemini-example-3'],
  ['openai-chat', 'chat-example-1'],
  ['anthropic', 'claude-example-1'],
  ['openai-responses', 'responses-example-1'],
]);

const STREAMING: Capabilities = {
  ...UNKNOWN_PRODUCER,
  itemStart: 'before_arguments',
  argumentDeltas: true,
  reasoningDeltas: true,
};

/** What the scripts show: calls are announced and stream, except on Gemini's wire. */
const CAPABILITIES: ReadonlyMap<string, Capabilities> = new Map([
  ['gemini', { ...UNKNOWN_PRODUCER, reasoningDeltas: true }],
  ['openai-chat', STREAMING],
  ['anthropic', STREAMING],
  ['openai-responses', STREAMING],
]);

const HABITS: Readonly<Record<string, Quirks>> = {
  // Needs no setting: a vendor always gets its own reasoning back.
  echo_reasoning_content: {},
};

function quirksOf(compat: JsonObject): Quirks {
  const set = Object.keys(compat).filter((key) => compat[key] !== false && Object.hasOwn(HABITS, key));
  return Object.assign({}, ...set.map((key) => HABITS[key])) as Quirks;
}

function deadlinesOf(runtime: RuntimeKeys): Partial<Deadlines> {
  const { prefillMs, stallMs, openItemMs, terminalMs, bytesIdleMs } = runtime;
  const longest = Math.max(...[prefillMs, stallMs, openItemMs, terminalMs, bytesIdleMs].map((ms) => ms ?? 0));
  return {
    ...(prefillMs === undefined ? {} : { prefillMs }),
    prefillPer4kTokensMs: 0,
    ...(stallMs === undefined ? {} : { silenceMs: stallMs }),
    ...(openItemMs === undefined ? {} : { openItemMs }),
    ...(terminalMs === undefined ? terminalOf(stallMs) : { terminalMs }),
    ...(bytesIdleMs === undefined ? {} : { transportMs: bytesIdleMs }),
    // The given budgets are the point of a case: nothing else may clip them.
    silenceMaxMs: longest === 0 ? DEADLINES.silenceMaxMs : longest,
    attemptMs: Math.max(DEADLINES.attemptMs, longest),
    turnMs: Math.max(DEADLINES.turnMs, longest),
  };
}

/** A case that names one silence budget means it for every silence. */
function terminalOf(stallMs: number | undefined): Partial<Deadlines> {
  return stallMs === undefined ? {} : { terminalMs: stallMs };
}

/** One number is the limit of every counter; 0 switches all of them off. Some of ours never count beyond one. */
function limitsOf(runtime: RuntimeKeys): Partial<RetryLimits> {
  const most = runtime.maxRetries ?? 0;
  const once = Math.min(1, most);
  return {
    transientMax: most,
    deadlineMax: most,
    capMax: once,
    emptyMax: once,
    protocolMax: once,
    ...(runtime.retryBackoffMs === undefined ? {} : { backoffBaseMs: runtime.retryBackoffMs }),
    ...(runtime.maxInlineWaitMs === undefined ? {} : { waitMaxMs: runtime.maxInlineWaitMs }),
  };
}
