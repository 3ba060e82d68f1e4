import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { WriterOptions } from '../src/dialects/dialect.js';
import { OPENAI_CHAT } from '../src/dialects/openai-chat/index.js';
import { itemId, UNKNOWN_PRODUCER } from '../src/turn/index.js';
import type { Item, JsonObject, JsonValue, OpaqueKind, OpaqueState, ReplyEvent, TurnEvent } from '../src/turn/index.js';
import { isRecord } from '../src/wire/index.js';
import { READER } from './chat-wire.js';

const OPTIONS: WriterOptions = {
  replyId: 'chatcmpl-1',
  model: 'main',
  createdAtSeconds: 7,
  framing: 'sse',
  wantsUsage: false,
};

function state(vendor: string, kind: OpaqueKind, value: JsonValue): OpaqueState {
  return { vendor, kind, value };
}

function thought(text: string, ...opaque: readonly OpaqueState[]): Item {
  return { content: { kind: 'reasoning', text }, opaque: opaque.length === 0 ? undefined : opaque };
}

function said(text: string, ...opaque: readonly OpaqueState[]): Item {
  return { content: { kind: 'message', text }, opaque: opaque.length === 0 ? undefined : opaque };
}

function called(callId: string, ...opaque: readonly OpaqueState[]): Item {
  const input = { form: 'json', text: '{"a":1}', value: { a: 1 } } as const;
  const content = { kind: 'tool_call', callId, idFromProvider: true, name: 'f', input } as const;
  return { content, opaque: opaque.length === 0 ? undefined : opaque };
}

/** Every item begins, says all of its text and completes. */
function told(items: readonly Item[]): readonly ReplyEvent[] {
  const events = items.flatMap((result, position): readonly ReplyEvent[] => {
    const item = itemId(READER.attempt, position);
    const { content } = result;
    const call = content.kind === 'tool_call' ? content : undefined;
    const text = content.kind === 'tool_call' ? content.input.text : 'text' in content ? content.text : '';
    return [
      { type: 'item.started', item, kind: content.kind, name: call?.name, callId: call?.callId, inferred: false },
      { type: 'item.delta', item, text },
      { type: 'item.completed', item, result },
    ];
  });
  return [...events, { type: 'reply.finished', reason: 'stop', raw: 'stop', detail: undefined }];
}

/** What a client makes of a stream: texts and lists grow, any other field is kept as it came, calls by their index. */
function gather(stream: string): JsonObject {
  let message: JsonObject = {};
  for (const frame of stream.split('\n\n')) {
    if (frame === '' || frame === 'data: [DONE]') continue;
    const chunk: { readonly choices: readonly { readonly delta: JsonObject }[] } = JSON.parse(frame.slice(6));
    message = grown(message, chunk.choices[0]?.delta ?? {});
  }
  const { tool_calls: calls, ...rest } = message;
  return Array.isArray(calls) ? { ...rest, tool_calls: calls.filter(isRecord).map(withoutIndex) } : rest;
}

function withoutIndex(call: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(call).filter(([name]) => name !== 'index'));
}

function grown(old: JsonObject, delta: JsonObject): JsonObject {
  const fields = Object.entries(delta).map(([name, value]): readonly [string, JsonValue | undefined] => {
    const before = old[name];
    if (name === 'tool_calls' && Array.isArray(value)) return [name, withCalls(before, value)];
    if (Array.isArray(before) && Array.isArray(value)) return [name, [...before, ...value]];
    const isText = typeof before === 'string' && typeof value === 'string' && !NAMES.has(name);
    return [name, isText ? before + value : value];
  });
  return { ...old, ...Object.fromEntries(fields) };
}

const NAMES: ReadonlySet<string> = new Set(['role', 'id', 'type', 'name']);

function withCalls(before: JsonValue | undefined, deltas: readonly JsonValue[]): readonly JsonValue[] {
  const calls: JsonValue[] = Array.isArray(before) ? [...before] : [];
  for (const delta of deltas) {
    if (!isRecord(delta)) continue;
    const at = Number(delta['index']);
    const old = calls[at];
    const last = isRecord(old) ? old : {};
    const tool = isRecord(delta['function'])
      ? grown(isRecord(last['function']) ? last['function'] : {}, delta['function'])
      : undefined;
    calls[at] = { ...grown(last, delta), ...(tool === undefined ? {} : { function: tool }) };
  }
  return calls;
}

/** Our reply, as a client that streams and one that does not send it back. */
function echoes(items: readonly Item[]): readonly JsonObject[] {
  const events = told(items);
  const writer = OPENAI_CHAT.newReplyWriter(OPTIONS);
  const body: JsonObject = OPENAI_CHAT.writeReplyBody(events, OPTIONS);
  const [choice] = Array.isArray(body['choices']) ? body['choices'] : [];
  return [gather(events.map((event) => writer.write(event)).join('')), choice.message];
}

/** What a vendor gets of a history, as bytes. */
function sent(items: readonly Item[], vendor: string): string {
  const target = { vendor, stream: true, quirks: {}, capabilities: UNKNOWN_PRODUCER };
  const { body } = OPENAI_CHAT.writeRequest({ model: 'm', messages: [{ role: 'assistant', items }] }, target);
  return JSON.stringify(body['messages']);
}

function readBack(echo: JsonObject): readonly Item[] {
  const body = JSON.parse(JSON.stringify({ model: 'm', messages: [echo] }));
  const [message] = OPENAI_CHAT.readRequest({ path: '', query: {}, headers: {}, body }).request.messages;
  return message?.role === 'assistant' ? message.items : [];
}

const details = [{ type: 'reasoning.text', text: 'Hm', signature: 's', index: 0 }];
const chunks = [{ type: 'thinking', thinking: [{ type: 'text', text: 'Hm' }] }];
const signed = state('google', 'thought_signature', 'U0lH');

const REPLIES: Readonly<Record<string, readonly [vendor: string, items: readonly Item[]]>> = {
  'thinking in reasoning_content (DeepSeek)': [
    'deepseek',
    [thought('Hm', state('deepseek', 'reasoning_content', 'Hm')), said('Hi'), called('a')],
  ],
  'thinking in reasoning_details alone (OpenRouter)': [
    'openrouter',
    [thought('Hm', state('openrouter', 'reasoning_details', details)), said('Hi'), called('a')],
  ],
  'thinking in both': [
    'openrouter',
    [
      thought('Hm', state('openrouter', 'reasoning_content', 'Hm'), state('openrouter', 'reasoning_details', details)),
      said('Hi'),
    ],
  ],
  'a second thought that nobody wants back': [
    'acme',
    [thought('Hm', state('acme', 'reasoning_content', 'Hm')), said('Hi'), thought('So.')],
  ],
  'state that is more than its text shows': [
    'acme',
    [thought('Hm', state('acme', 'reasoning_content', 'Hmmm')), said('Hi')],
  ],
  'thinking chunks (Mistral)': ['mistral', [thought('Hm', state('mistral', 'content_array', chunks)), said('Hi')]],
  'thinking blocks (LiteLLM)': [
    'litellm',
    [thought('Hm', state('litellm', 'foreign', { thinking_blocks: chunks })), said('Hi')],
  ],
  'thinking beside a signed call (Gemini)': ['google', [thought('Hm'), called('a', signed), called('b')]],
  'thinking beside a signed message': ['google', [thought('Hm'), said('Hi', signed)]],
  'state of a relay beside a signature': [
    'openrouter',
    [
      thought('Hm', state('openrouter', 'reasoning_details', details)),
      said('Hi', state('openrouter', 'foreign', { extra_content: { relay: 1 } })),
      called('a', signed, state('openrouter', 'foreign', { extra_content: { relay: 2 } })),
    ],
  ],
};

describe('our own reply, sent back by its client with all of its fields', () => {
  it.each(Object.entries(REPLIES))('%s is the same for its vendor, and is nobody else’s', (_what, [vendor, items]) => {
    for (const echo of echoes(items)) {
      expect(sent(readBack(echo), vendor)).toBe(sent(items, vendor));
      expect(sent(readBack(echo), 'other')).toBe(sent(items, 'other'));
      expect(sent(items, 'other')).not.toMatch(/reasoning|thinking|extra_content/u);
    }
  });

  it('has nothing of an attempt that thought up to its cap and was given up', () => {
    const wanted = [
      state('acme', 'reasoning_content', 'So.'),
      state('acme', 'reasoning_details', [{ type: 'reasoning.text', text: 'So.' }]),
    ];
    const lost = told([
      thought('Hm', state('acme', 'reasoning_content', 'Hm'), state('acme', 'reasoning_details', details)),
    ]);
    const items = [thought('So.', ...wanted), said('Hi')];
    const writer = OPENAI_CHAT.newReplyWriter(OPTIONS);
    const events = [...lost.slice(0, -1), AGAIN, ...told(items)];
    const echo = gather(events.map((event) => writer.write(event)).join(''));
    expect(echo['reasoning_content']).toBe('HmSo.');
    expect(sent(readBack(echo), 'acme')).toBe(sent(items, 'acme'));
  });

  it('is the same for its vendor, whatever states it carries', () => {
    const words = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 });
    const thinking = fc
      .tuple(words, fc.subarray(['text', 'longer', 'details', 'chunks', 'odd']))
      .map(([text, kinds]) => thought(text, ...kinds.map((kind) => STATES[kind]?.(text) ?? signed)));
    const prose = fc.tuple(words, fc.boolean()).map(([text, isSigned]) => said(text, ...(isSigned ? [signed] : [])));
    const reply = fc.tuple(fc.array(fc.oneof(thinking, prose), { maxLength: 4 }), fc.boolean());
    fc.assert(
      fc.property(reply, fc.constantFrom('acme', 'google', 'other'), ([spoken, isSigned], vendor) => {
        const items = [...spoken, called('a', ...(isSigned ? [signed] : []))];
        for (const echo of echoes(items)) {
          expect(sent(readBack(echo), vendor)).toBe(sent(items, vendor));
        }
      }),
      { numRuns: 300 },
    );
  });
});

const AGAIN: TurnEvent = {
  type: 'attempt.started',
  provider: 'p',
  vendor: 'acme',
  model: 'm',
  maxOutputTokens: undefined,
  capabilities: UNKNOWN_PRODUCER,
  fingerprint: 'f',
  number: 2,
  numberMax: 3,
};

const STATES: Readonly<Record<string, (text: string) => OpaqueState>> = {
  text: (text) => state('acme', 'reasoning_content', text),
  longer: (text) => state('acme', 'reasoning_content', `${text}…`),
  details: (text) => state('acme', 'reasoning_details', [{ type: 'reasoning.text', text }]),
  chunks: (text) => state('acme', 'content_array', [{ type: 'thinking', thinking: text }]),
  odd: (text) => state('other', 'redacted_thinking', text),
};
