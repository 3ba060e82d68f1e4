import type { JsonObject } from 'holdfast/turn';
import type { Field } from './field.js';
import { ERROR_NAMES, SCENARIO_LIMITS } from './scenario.js';
import type { Call, CutStep, ErrorSpec, SayStep, Signature, Step, ThinkStep, UsageCounts } from './scenario.js';

/** Each kind of step by the key that names it. */
const READERS: Readonly<Record<string, (field: Field) => Step>> = {
  think: readThink,
  say: readSay,
  refuse: (field) => ({ refuse: readText(field.object(['refuse']).get('refuse')) }),
  call: (field) => ({ call: readCall(field.object(['call']).get('call')) }),
  wait: (field) => ({ wait: readWait(field.object(['wait']).get('wait')) }),
  ping: (field) => ({ ping: field.object(['ping']).get('ping').integer(1, 10_000) }),
  usage: (field) => ({ usage: readUsage(field.object(['usage']).get('usage')) }),
  finish: (field) => ({
    finish: field
      .object(['finish'])
      .get('finish')
      .oneOf(['stop', 'tool_calls', 'length', 'content_filter'] as const),
  }),
  error: (field) => ({ error: readErrorSpec(field.object(['error']).get('error')) }),
  raw: (field) => ({ raw: readRaw(field.object(['raw']).get('raw')) }),
  cut: readCut,
};

export function readStep(field: Field): Step {
  const keys = [...field.map().keys()];
  const kinds = Object.keys(READERS).filter((kind) => keys.includes(kind));
  const read = READERS[kinds[0] ?? ''];
  if (kinds.length !== 1 || read === undefined) {
    return field.refuse(`must have exactly one of: ${Object.keys(READERS).join(', ')}.`);
  }
  return read(field);
}

export function readErrorSpec(field: Field): ErrorSpec {
  if (field.is('string')) return field.oneOf(ERROR_NAMES);
  const spec = field.object(['status', 'code', 'message']);
  return {
    status: spec.get('status').integer(200, 599),
    code: spec.get('code').words(200),
    message: spec.get('message').text(100_000),
  };
}

function readThink(field: Field): ThinkStep {
  const step = field.object(['think', 'chunks', 'tokens']);
  return {
    think: readText(step.get('think')),
    ...step.optional('chunks', readPieces),
    ...step.optional('tokens', readTokens),
  };
}

function readSay(field: Field): SayStep {
  const step = field.object(['say', 'chunks', 'tokens', 'signature']);
  return {
    say: readText(step.get('say')),
    ...step.optional('chunks', readPieces),
    ...step.optional('tokens', readTokens),
    ...step.optional('signature', readSignature),
  };
}

function readCall(field: Field): Call {
  const call = field.object(['tool', 'arguments', 'text', 'chars', 'id', 'silent', 'deltas', 'until', 'signature']);
  const ways = ['arguments', 'text'].filter((key) => call.has(key));
  if (ways.length > 1) field.refuse('must have one of "arguments" and "text", not both.');
  return {
    ...call.optional('tool', (inner) => inner.words(200)),
    ...call.optional('arguments', readObject),
    ...call.optional('text', readText),
    ...call.optional('chars', (inner) => inner.integer(0, SCENARIO_LIMITS.textChars)),
    ...call.optional('id', (inner) => (inner.is('null') ? null : inner.text(10_000))),
    ...call.optional('silent', readWait),
    ...call.optional('deltas', readPieces),
    ...call.optional('until', (inner) => inner.oneOf(['start', 'half'] as const)),
    ...call.optional('signature', readSignature),
  };
}

function readObject(field: Field): JsonObject {
  field.map();
  return field.json() as JsonObject;
}

function readSignature(field: Field): Signature {
  return field.is('number') ? field.integer(1, 1_000_000) : field.flag();
}

function readUsage(field: Field): UsageCounts {
  const usage = field.object(['inputTokens', 'cacheReadTokens', 'outputTokens', 'reasoningTokens']);
  return {
    ...usage.optional('inputTokens', readTokens),
    ...usage.optional('cacheReadTokens', readTokens),
    ...usage.optional('outputTokens', readTokens),
    ...usage.optional('reasoningTokens', readTokens),
  };
}

function readRaw(field: Field): Extract<Step, { raw: unknown }>['raw'] {
  if (field.is('string')) return readText(field);
  const raw = field.object(['gemini', 'anthropic', 'openai-chat', 'openai-responses']);
  return {
    ...raw.optional('gemini', readText),
    ...raw.optional('anthropic', readText),
    ...raw.optional('openai-chat', readText),
    ...raw.optional('openai-responses', readText),
  };
}

function readCut(field: Field): CutStep {
  const step = field.object(['cut', 'midEvent']);
  return {
    cut: step.get('cut').oneOf(['close', 'reset', 'hang'] as const),
    ...step.optional('midEvent', (inner) => inner.flag()),
  };
}

const readText = (field: Field): string => field.text(SCENARIO_LIMITS.textChars);
const readPieces = (field: Field): number => field.integer(1, SCENARIO_LIMITS.pieces);
const readTokens = (field: Field): number => field.integer(0, 100_000_000);
const readWait = (field: Field): number => field.number(0, SCENARIO_LIMITS.waitMs);
