import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { brokenPromises, itemsOf, outcome, play, playPieces, READER } from '../../../test/chat-wire.js';
import type { Item, ReplyEvent } from '../../turn/index.js';
import { isRecord, parseJson } from '../../wire/index.js';
import type { Quirks } from '../dialect.js';
import { OPENAI_CHAT } from './index.js';
import { isList } from './wire.js';

const FIXTURES = new URL('../../../../../../shared/fixtures/', import.meta.url);
const hasFixtures = existsSync(new URL('MANIFEST.json', FIXTURES));

interface Expected {
  readonly text_chars?: number;
  readonly reasoning?: boolean;
  readonly reasoning_chars?: number;
  readonly refusal_chars?: number;
  readonly tool_calls?: readonly ExpectedCall[];
  readonly finish?: string | null;
  readonly usage?: Readonly<Record<string, unknown>> | null;
  readonly error?: { readonly code?: string | number; readonly message: string };
}

interface ExpectedCall {
  readonly name: string;
  readonly id: string;
  readonly args?: unknown;
  readonly args_valid?: boolean;
  readonly signed?: boolean;
}

interface Entry {
  readonly file: string;
  readonly dialect: string;
  readonly bytes: number;
  readonly provider: string;
  readonly expect: Expected;
  readonly group?: string;
  readonly turn?: number;
  readonly request_for?: string;
  readonly http?: { readonly status: number; readonly headers?: Record<string, string> };
}

const manifest: readonly Entry[] = hasFixtures
  ? JSON.parse(readFileSync(new URL('MANIFEST.json', FIXTURES), 'utf8'))
  : [];
const entries = manifest.filter((entry) => entry.dialect === 'openai-chat');
const replies = entries.filter((entry) => entry.request_for === undefined && (entry.http?.status ?? 200) === 200);
const streams = replies.filter((entry) => entry.file.endsWith('.sse'));
const bodies = replies.filter((entry) => entry.file.endsWith('.json'));
const errors = entries.filter((entry) => (entry.http?.status ?? 200) !== 200);

function read(file: string): Buffer {
  return readFileSync(new URL(file, FIXTURES));
}

function decode(entry: Entry, options = {}): readonly ReplyEvent[] {
  const bytes = read(entry.file);
  if (entry.file.endsWith('.sse')) return play(bytes, options);
  return OPENAI_CHAT.readReplyBody(bytes.toString('utf8'), { ...READER, ...options });
}

/** The manifest's reading of the wire, as far as it can be told from events. */
function reading(events: readonly ReplyEvent[]): object {
  const chars = (kind: Item['content']['kind']): number => {
    const ids = new Set(
      events.flatMap((event) => (event.type === 'item.started' && event.kind === kind ? event.item : [])),
    );
    return events.reduce(
      (sum, event) => sum + (event.type === 'item.delta' && ids.has(event.item) ? event.text.length : 0),
      0,
    );
  };
  const usage = events.findLast((event) => event.type === 'usage.reported')?.usage;
  const prompt = [usage?.inputTokens, usage?.cacheReadTokens, usage?.cacheWriteTokens];
  return {
    text_chars: chars('message'),
    reasoning_chars: chars('reasoning'),
    refusal_chars: chars('refusal'),
    started: events.flatMap((event) => (event.type === 'item.started' && event.kind === 'tool_call' ? event.name : [])),
    prompt_tokens: usage?.inputTokens === undefined ? undefined : prompt.reduce((sum: number, n) => sum + (n ?? 0), 0),
    completion_tokens: usage?.outputTokens,
  };
}

function expected({ text_chars, reasoning_chars, refusal_chars, tool_calls: calls, usage }: Expected): object {
  return {
    text_chars: text_chars ?? 0,
    reasoning_chars: reasoning_chars ?? 0,
    refusal_chars: refusal_chars ?? 0,
    started: (calls ?? []).map(({ name }) => name),
    prompt_tokens: usage?.['prompt_tokens'],
    completion_tokens: usage === null || usage === undefined ? undefined : produced(usage),
  };
}

/** xAI's total shows that it counts thinking beside the completion. */
function produced(usage: Readonly<Record<string, unknown>>): unknown {
  const {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: total,
    completion_tokens_details: details,
  } = usage;
  const thought = isRecord(details) ? Number(details['reasoning_tokens']) : 0;
  return total === Number(prompt) + Number(completion) + thought ? Number(completion) + thought : completion;
}

describe.skipIf(!hasFixtures)('recorded replies', () => {
  it('are there', () => {
    expect({ streams: streams.length > 30, bodies: bodies.length > 8, errors: errors.length > 15 }).toEqual({
      streams: true,
      bodies: true,
      errors: true,
    });
  });

  it.each(replies.filter(({ expect: { text_chars } }) => text_chars !== undefined))(
    '$file reads as the manifest says',
    (entry) => {
      const events = decode(entry);
      expect(reading(events)).toEqual(expected(entry.expect));
      expect(brokenPromises(events)).toEqual([]);
    },
  );

  it.each(replies.filter(({ expect: { error } }) => error !== undefined))('$file is an error inside a 200', (entry) => {
    const last = decode(entry).at(-1);
    const message = last?.type === 'reply.failed' ? last.failure.upstream?.message : undefined;
    expect(message?.slice(0, 200)).toBe(entry.expect.error?.message.slice(0, 200));
  });

  it.each(replies.filter(({ expect: { error } }) => error === undefined))('$file ends as it should', (entry) => {
    const { tool_calls: calls = [], finish } = entry.expect;
    const isCut = finish === 'length' || calls.some(({ args_valid: valid }) => valid === false);
    const isBroken = entry.file.includes('eof-in-tool-call');
    const { failure, calls: completed, finish: reason } = outcome(decode(entry));
    expect({
      failure,
      isEnded: reason !== undefined,
      isCut: reason === 'length',
      calls: completed.map(({ name, args }) => ({ name, args: JSON.parse(args) })),
      ids: completed.map(({ id }) => id),
    }).toEqual({
      failure: undefined,
      isEnded: !isBroken,
      isCut: isCut && !isBroken,
      calls: isCut ? [] : calls.map(({ name, args }) => ({ name, args: args ?? {} })),
      ids: isCut ? [] : calls.map(({ id }) => (id === '' ? expect.stringMatching(/^call_c_1_\d+$/u) : id)),
    });
  });

  it.each(streams.filter(({ bytes }) => bytes < 100_000))('$file reads the same byte by byte', (entry) => {
    const bytes = read(entry.file);
    const single = Array.from(bytes, (byte) => Uint8Array.of(byte));
    expect(playPieces(single)).toEqual(play(bytes));
  });

  it.each(streams)('$file never looks like success where it is cut', (entry) => {
    const bytes = read(entry.file);
    const whole = outcome(play(bytes)).calls.map((call) => JSON.stringify(call));
    const step = Math.max(1, Math.floor(bytes.length / 200));
    for (let at = 0; at < bytes.length; at += step) {
      const { calls } = outcome(play(bytes.subarray(0, at)));
      for (const call of calls) expect(whole).toContain(JSON.stringify(call));
    }
  });

  it.each(errors)('$file is a failure in the provider’s words', (entry) => {
    const failure = OPENAI_CHAT.readFailure({
      provider: 'p',
      model: 'm',
      status: entry.http?.status ?? 0,
      headers: entry.http?.headers ?? {},
      body: read(entry.file).toString('utf8'),
      at: 0,
    });
    expect({ status: failure.upstream?.status, said: failure.upstream?.message?.slice(0, 40) }).toEqual({
      status: entry.http?.status,
      said: entry.expect.error?.message.slice(0, 40),
    });
  });
});

describe.skipIf(!hasFixtures)('the next turn of a recorded conversation', () => {
  const cases = [
    { t1: 'openrouter-signed.t1.sse', t2: 'openrouter-signed.t2.request.json', field: 'reasoning_details' },
    { t1: 'openrouter-encrypted.t1.sse', t2: 'openrouter-encrypted.t2.request.json', field: 'reasoning_details' },
    { t1: 'deepseek-reasoning-tool.t1.sse', t2: 'deepseek-reasoning-tool.t2.request.json', field: 'reasoning_content' },
    { t1: 'glm-preserved.t1.json', t2: 'glm-preserved.t2.request.json', field: 'reasoning_content' },
    { t1: 'mistral-thinking-json.t1.json', t2: 'mistral-thinking-json.t2.request.json', field: 'content' },
  ];

  it.each(cases)('sends back what $t1 brought, as $t2 did', ({ t1, t2, field }) => {
    const entry = replies.find(({ file }) => file.endsWith(t1));
    if (entry === undefined) throw new Error(`${t1} is missing`);
    const items = itemsOf(decode(entry));
    const quirks: Quirks = {};
    const { body } = OPENAI_CHAT.writeRequest(
      { model: 'm', messages: [{ role: 'assistant', items }] },
      { vendor: 'acme', stream: true, quirks, capabilities: CAPABILITIES },
    );
    const ours = assistantOf(body['messages']);
    const recorded = parseJson(read(`openai-chat/${t2}`).toString('utf8'));
    const theirs = assistantOf(recorded.ok && isRecord(recorded.value) ? recorded.value['messages'] : undefined);
    expect(withoutHabits(ours[field])).toEqual(withoutHabits(theirs[field]));
  });

  it('keeps the signature of gemini-compat-no-id on the message, under an id that was made', () => {
    const entry = replies.find(({ file }) => file.endsWith('gemini-compat-no-id.t1.json'));
    if (entry === undefined) throw new Error('the fixture is missing');
    const items = itemsOf(decode(entry, { vendor: 'google' }));
    const { body } = OPENAI_CHAT.writeRequest(
      { model: 'm', messages: [{ role: 'assistant', items }] },
      { vendor: 'google', stream: false, quirks: {}, capabilities: CAPABILITIES },
    );
    const parsed = parseJson(read(entry.file).toString('utf8'));
    const recorded = JSON.stringify(parsed.ok ? parsed.value : '').match(/"thought_signature":"([^"]+)"/u)?.[1];
    expect(assistantOf(body['messages'])).toEqual({
      extra_content: { google: { thought_signature: recorded } },
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'call_c_1_1', type: 'function', function: { name: 'get_current_time', arguments: '{}' } }],
    });
  });
});

const CAPABILITIES = {
  itemStart: 'before_arguments',
  argumentDeltas: true,
  reasoningDeltas: true,
  pings: false,
  resume: false,
  usageMidstream: false,
} as const;

/** The recorded clients left out Mistral's "closed" and emptied a "format", both of which the provider had sent. */
function withoutHabits(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, held: unknown) => (key === 'closed' || key === 'format' ? undefined : held)),
  );
}

function assistantOf(messages: unknown): Readonly<Record<string, unknown>> {
  const found = isList(messages)
    ? messages.find((message) => isRecord(message) && message['role'] === 'assistant')
    : undefined;
  if (!isRecord(found)) throw new Error('No assistant message.');
  return found;
}
