import { describe, expect, it } from 'vitest';
import { itemId } from '../../turn/index.js';
import type { FinishReason, Item, ItemKind, JsonObject, OpaqueState, ReplyEvent, ToolInput } from '../../turn/index.js';
import { READER } from '../../../test/chat-wire.js';
import type { ReplyWriter, WriterOptions } from '../dialect.js';
import { OPENAI_CHAT } from './index.js';

const OPTIONS: WriterOptions = {
  replyId: 'chatcmpl-1',
  model: 'main',
  createdAtSeconds: 7,
  framing: 'sse',
  wantsUsage: false,
};
const ROLE = { role: 'assistant', content: '' };
const SIGNED: OpaqueState = { vendor: 'google', kind: 'thought_signature', value: 'U0lH' };

function id(position: number): ReturnType<typeof itemId> {
  return itemId(READER.attempt, position);
}

function start(
  position: number,
  kind: ItemKind,
  call?: { readonly name?: string; readonly callId?: string },
): ReplyEvent {
  return { type: 'item.started', item: id(position), kind, name: call?.name, callId: call?.callId, inferred: false };
}

function more(position: number, text: string): ReplyEvent {
  return { type: 'item.delta', item: id(position), text };
}

function done(position: number, result: Item): ReplyEvent {
  return { type: 'item.completed', item: id(position), result };
}

function said(kind: 'message' | 'reasoning' | 'refusal', text: string, opaque?: readonly OpaqueState[]): Item {
  return { content: { kind, text }, opaque };
}

function called(callId: string, text: string, opaque?: readonly OpaqueState[]): Item {
  return calledWith(callId, { form: 'json', text, value: JSON.parse(text) }, opaque);
}

function calledWith(callId: string, input: ToolInput, opaque?: readonly OpaqueState[]): Item {
  return { content: { kind: 'tool_call', callId, idFromProvider: true, name: 'f', input }, opaque };
}

function finished(reason: FinishReason, detail?: string): ReplyEvent {
  return { type: 'reply.finished', reason, raw: undefined, detail };
}

const COUNTS = { inputTokens: 3, cacheReadTokens: 6, cacheWriteTokens: 1, outputTokens: 4, reasoningTokens: 2 };
const WIRE_COUNTS = {
  prompt_tokens: 10,
  completion_tokens: 4,
  total_tokens: 14,
  prompt_tokens_details: { cached_tokens: 6, cache_write_tokens: 1 },
  completion_tokens_details: { reasoning_tokens: 2 },
};

/** What a client reads: deltas, a finish reason as a bare string, and everything else as it stands. */
function read(text: string): readonly unknown[] {
  return text.split('\n\n').flatMap((frame): unknown => {
    if (frame === '') return [];
    const body = frame.slice('data: '.length);
    if (body === '[DONE]') return [body];
    const chunk = JSON.parse(body);
    const [choice] = chunk.choices ?? [];
    if (choice === undefined) return [chunk];
    return choice.finish_reason === null ? [choice.delta] : [choice.finish_reason];
  });
}

function write(events: readonly ReplyEvent[], options: Partial<WriterOptions> = {}): readonly unknown[] {
  const writer = OPENAI_CHAT.newReplyWriter({ ...OPTIONS, ...options });
  return read(events.map((event) => writer.write(event)).join(''));
}

function args(index: number, text: string): object {
  return { tool_calls: [{ index, function: { arguments: text } }] };
}

function opening(index: number, callId: string, text: string, state: object = {}): object {
  return { tool_calls: [{ index, id: callId, type: 'function', function: { name: 'f', arguments: text }, ...state }] };
}

describe('a reply to a client', () => {
  it('is chunks with one id, a role first and [DONE] last', () => {
    const writer = OPENAI_CHAT.newReplyWriter(OPTIONS);
    const text = [start(0, 'message'), more(0, 'Hi'), finished('stop')].map((event) => writer.write(event)).join('');
    const chunk = (delta: JsonObject, finish: string | null): string => {
      const choices = [{ index: 0, delta, finish_reason: finish }];
      return `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 7, model: 'main', choices })}\n\n`;
    };
    expect(text).toBe(chunk(ROLE, null) + chunk({ content: 'Hi' }, null) + chunk({}, 'stop') + 'data: [DONE]\n\n');
  });

  it('says thinking, prose and refusals in their fields', () => {
    const events = [
      start(0, 'reasoning'),
      more(0, 'Hm'),
      done(0, said('reasoning', 'Hm')),
      start(1, 'message'),
      more(1, 'Hi'),
      done(1, said('message', 'Hi')),
      start(2, 'refusal'),
      more(2, 'No'),
      done(2, said('refusal', 'No')),
      finished('stop'),
    ];
    expect(write(events)).toEqual([
      ROLE,
      { reasoning_content: 'Hm' },
      { content: 'Hi' },
      { refusal: 'No' },
      'stop',
      '[DONE]',
    ]);
  });

  it('says whatever the deltas did not', () => {
    const events = [
      start(0, 'message'),
      more(0, 'H'),
      done(0, said('message', 'Hi')),
      done(1, said('reasoning', 'Hm')),
    ];
    expect(write(events)).toEqual([ROLE, { content: 'H' }, { content: 'i' }, { reasoning_content: 'Hm' }]);
  });

  it.each<[FinishReason, string | undefined, string]>([
    ['stop', undefined, 'stop'],
    ['tool_calls', undefined, 'tool_calls'],
    ['length', undefined, 'length'],
    ['content_filter', undefined, 'content_filter'],
    ['content_filter', 'refusal', 'stop'],
    ['unknown', undefined, 'stop'],
  ])('that ended as %s (%s) ends with %s, once', (reason, detail, word) => {
    expect(write([finished(reason, detail), finished('stop'), more(0, 'x')])).toEqual([ROLE, word, '[DONE]']);
  });

  it('with calls that nobody explained the end of ends with tool_calls', () => {
    expect(write([done(0, called('a', '{}')), finished('unknown')]).at(-2)).toBe('tool_calls');
  });

  it('counts in a last chunk, where the client asked for it and something was counted', () => {
    const counted: ReplyEvent = { type: 'usage.reported', usage: COUNTS };
    const last = {
      id: 'chatcmpl-1',
      object: 'chat.completion.chunk',
      created: 7,
      model: 'main',
      choices: [],
      usage: WIRE_COUNTS,
    };
    expect(write([counted, finished('stop')], { wantsUsage: true })).toEqual([ROLE, 'stop', last, '[DONE]']);
    expect(write([counted, finished('stop')])).toEqual([ROLE, 'stop', '[DONE]']);
    expect(write([finished('stop')], { wantsUsage: true })).toEqual([ROLE, 'stop', '[DONE]']);
  });

  it('says nothing of what has no form here', () => {
    const foreign: Item = { content: { kind: 'foreign', wireKind: 'x', value: {} }, opaque: undefined };
    const events: readonly ReplyEvent[] = [
      { type: 'wire.kept_alive' },
      { type: 'reply.ending', raw: 'stop' },
      start(0, 'foreign'),
      more(0, 'x'),
      done(0, foreign),
    ];
    expect(write(events)).toEqual([]);
  });
});

describe('a keep-alive', () => {
  it('is an empty delta', () => {
    const writer = OPENAI_CHAT.newReplyWriter(OPTIONS);
    expect(read(writer.keepAlive() + writer.keepAlive())).toEqual([ROLE, {}, {}]);
  });

  it('is nothing after the end', () => {
    const writer = OPENAI_CHAT.newReplyWriter(OPTIONS);
    writer.write(finished('stop'));
    expect(writer.keepAlive()).toBe('');
  });
});

describe('a failure inside a reply', () => {
  it('is an error and [DONE], never a finish reason (gateway-06)', () => {
    const writer = OPENAI_CHAT.newReplyWriter(OPTIONS);
    const text = [start(0, 'message'), more(0, 'Hel')].map((event) => writer.write(event)).join('');
    const failed = writer.fail({
      code: 'upstream_overloaded',
      kind: 'transient',
      retryable: true,
      atFault: 'provider',
      message: 'Busy.',
    });
    expect(read(text)).toEqual([ROLE, { content: 'Hel' }]);
    expect(failed).toBe(
      'data: {"error":{"message":"Busy.","type":"api_error","param":null,"code":"upstream_overloaded"}}\n\ndata: [DONE]\n\n',
    );
    expect(writer.write(finished('stop')) + writer.keepAlive()).toBe('');
  });
});

describe('a call on its way to a client', () => {
  const CALL = { name: 'f', callId: 'a' };

  it('shows its start with the first piece of its arguments', () => {
    const events = [
      start(0, 'tool_call', CALL),
      more(0, '{"a":'),
      more(0, '1}'),
      done(0, called('a', '{"a":1}')),
      finished('tool_calls'),
    ];
    expect(write(events)).toEqual([ROLE, opening(0, 'a', '{"a":'), args(0, '1}'), 'tool_calls', '[DONE]']);
  });

  const other: readonly (readonly [string, (writer: ReplyWriter) => string])[] = [
    ['the end of its arrival', (writer) => writer.flush?.() ?? ''],
    ['a keep-alive', (writer) => writer.keepAlive()],
    ['another item', (writer) => writer.write(start(1, 'message'))],
    ['a ping of its provider', (writer) => writer.write({ type: 'wire.kept_alive' })],
    ['a delta that says nothing', (writer) => writer.write(more(0, ''))],
    ['the end of the reply', (writer) => writer.write(finished('length'))],
  ];

  it.each(other)('shows its start alone before %s', (_what, next) => {
    const writer = OPENAI_CHAT.newReplyWriter(OPTIONS);
    expect(read(writer.write(start(0, 'tool_call', CALL)) + next(writer)).slice(0, 2)).toEqual([
      ROLE,
      opening(0, 'a', ''),
    ]);
  });

  it('that was shown at the end of its arrival goes on from there, and has its state in a last delta', () => {
    const writer = OPENAI_CHAT.newReplyWriter(OPTIONS);
    const shown = writer.write(start(0, 'tool_call', CALL)) + (writer.flush?.() ?? '');
    expect(read(shown)).toEqual([ROLE, opening(0, 'a', '')]);
    const rest = writer.write(done(0, called('a', '{"a":1}', [SIGNED]))) + (writer.flush?.() ?? '');
    const state = { tool_calls: [{ index: 0, extra_content: { google: { thought_signature: 'U0lH' } } }] };
    expect(read(rest)).toEqual([args(0, '{"a":1}'), state]);
  });

  it('that is whole waits for its state beyond the end of its arrival', () => {
    const writer = OPENAI_CHAT.newReplyWriter(OPTIONS);
    writer.write(start(0, 'tool_call', CALL));
    expect(writer.write(more(0, '{"a":1}')) + (writer.flush?.() ?? '')).toBe('');
    const state = { extra_content: { google: { thought_signature: 'U0lH' } } };
    expect(read(writer.write(done(0, called('a', '{"a":1}', [SIGNED]))))).toEqual([
      ROLE,
      opening(0, 'a', '{"a":1}', state),
    ]);
  });

  it('is not shown after the end of its reply', () => {
    const writer = OPENAI_CHAT.newReplyWriter(OPTIONS);
    writer.write(start(0, 'tool_call', CALL));
    writer.fail({ code: 'x', kind: 'transient', retryable: true, atFault: 'provider', message: 'Busy.' });
    expect(writer.flush?.()).toBe('');
  });

  it('that arrives whole is one delta with its state, as its provider writes it', () => {
    const events = [
      start(0, 'tool_call', CALL),
      more(0, '{"a":1}'),
      start(1, 'tool_call', { name: 'f', callId: 'b' }),
      more(1, '{}'),
      done(0, called('a', '{"a":1}', [SIGNED])),
      done(1, called('b', '{}')),
      finished('tool_calls'),
    ];
    const state = { extra_content: { google: { thought_signature: 'U0lH' } } };
    expect(write(events)).toEqual([
      ROLE,
      opening(0, 'a', '{"a":1}', state),
      opening(1, 'b', '{}'),
      'tool_calls',
      '[DONE]',
    ]);
  });

  it('whose state comes at the end gets it in a delta of its own', () => {
    const events = [
      start(0, 'tool_call', CALL),
      more(0, '{"a"'),
      more(0, ':1}'),
      done(0, called('a', '{"a":1}', [SIGNED])),
    ];
    expect(write(events).at(-1)).toEqual({
      tool_calls: [{ index: 0, extra_content: { google: { thought_signature: 'U0lH' } } }],
    });
  });

  it('without deltas is cut into pieces', () => {
    const text = JSON.stringify({ text: 'x'.repeat(9_000) });
    const deltas = write([done(0, called('a', text))]).slice(1);
    expect(deltas).toEqual([
      opening(0, 'a', text.slice(0, 4_096)),
      args(0, text.slice(4_096, 8_192)),
      args(0, text.slice(8_192)),
    ]);
  });

  it.each([
    ['a function', called('a', '{}'), opening(0, 'a', '{}')],
    [
      'a custom tool',
      calledWith('a', { form: 'text', text: 'x' }),
      { tool_calls: [{ index: 0, id: 'a', type: 'custom', custom: { name: 'f', input: 'x' } }] },
    ],
  ])('of %s whose completion follows its start is told once', (_what, result, delta) => {
    const writer = OPENAI_CHAT.newReplyWriter(OPTIONS);
    const text = writer.write(start(0, 'tool_call', CALL)) + writer.write(done(0, result));
    expect(read(text + writer.write({ type: 'wire.kept_alive' }) + (writer.flush?.() ?? ''))).toEqual([ROLE, delta]);
  });

  it('waits for its name', () => {
    const events = [
      start(0, 'tool_call', { callId: 'a' }),
      more(0, '{"a"'),
      more(0, ':1}'),
      done(0, called('a', '{"a":1}')),
    ];
    expect(write(events)).toEqual([ROLE, opening(0, 'a', '{"a":1}')]);
  });

  it('without an id gets one that is made from its item', () => {
    expect(write([start(0, 'tool_call', { name: 'f' }), more(0, '{"a"')])).toEqual([
      ROLE,
      opening(0, 'call_c_1_0', '{"a"'),
    ]);
  });

  it('of a custom tool is free text', () => {
    expect(write([done(0, calledWith('a', { form: 'text', text: 'select' }))])).toEqual([
      ROLE,
      { tool_calls: [{ index: 0, id: 'a', type: 'custom', custom: { name: 'f', input: 'select' } }] },
    ]);
  });

  it('that is cut stays as it is, and one that is whole but cut off is never shown', () => {
    const events = [
      start(0, 'tool_call', CALL),
      more(0, '{"a"'),
      start(1, 'tool_call', CALL),
      more(1, '{}'),
      finished('length'),
    ];
    expect(write(events)).toEqual([ROLE, opening(0, 'a', '{"a"'), 'length', '[DONE]']);
  });

  it('of an attempt that was given up does not come back', () => {
    const writer = OPENAI_CHAT.newReplyWriter(OPTIONS);
    const begun: Parameters<ReplyWriter['write']>[0] = {
      type: 'attempt.started',
      provider: 'p',
      vendor: 'v',
      model: 'm',
      maxOutputTokens: undefined,
      capabilities: {
        itemStart: 'before_arguments',
        argumentDeltas: true,
        reasoningDeltas: true,
        pings: false,
        resume: false,
        usageMidstream: false,
      },
      fingerprint: 'f',
      number: 2,
      numberMax: 3,
    };
    writer.write(start(0, 'tool_call', { callId: 'a' }));
    writer.write(more(0, '{"a"'));
    expect(
      read([begun, done(0, called('b', '{}')), finished('tool_calls')].map((event) => writer.write(event)).join('')),
    ).toEqual([ROLE, opening(0, 'b', '{}'), 'tool_calls', '[DONE]']);
  });
});

describe('opaque state on its way to a client', () => {
  const details = [{ type: 'reasoning.text', text: 'Hm', signature: 's' }];
  const thought = said('reasoning', 'Hm', [
    { vendor: 'acme', kind: 'reasoning_content', value: 'Hm' },
    { vendor: 'acme', kind: 'reasoning_details', value: details },
    { vendor: 'acme', kind: 'redacted_thinking', value: 'x' },
  ]);
  const message = said('message', 'Hi', [SIGNED, { vendor: 'acme', kind: 'item_id', value: 'i' }]);
  const extra = {
    google: { thought_signature: 'U0lH' },
    holdfast: {
      vendor: 'acme',
      reasoning: [{ vendor: 'acme', kind: 'redacted_thinking', value: 'x' }],
      message: [{ vendor: 'acme', kind: 'item_id', value: 'i' }],
    },
  };
  const call = called('a', '{}', [{ vendor: 'acme', kind: 'item_id', value: 'i' }]);
  const state = { extra_content: { holdfast: { call: [{ vendor: 'acme', kind: 'item_id', value: 'i' }] } } };
  const events = [done(0, thought), done(1, message), done(2, call), finished('tool_calls')];

  it('goes out once, in the fields that the ecosystem knows and in ours', () => {
    expect(write(events)).toEqual([
      ROLE,
      { reasoning_content: 'Hm' },
      { content: 'Hi' },
      opening(0, 'a', '{}', state),
      { reasoning_details: details, extra_content: extra },
      'tool_calls',
      '[DONE]',
    ]);
  });

  it('that is nothing but its text says whose it is', () => {
    const plain = said('reasoning', 'Hm', [{ vendor: 'acme', kind: 'reasoning_content', value: 'Hm' }]);
    expect(write([done(0, plain), finished('stop')])).toEqual([
      ROLE,
      { reasoning_content: 'Hm' },
      { extra_content: { holdfast: { vendor: 'acme' } } },
      'stop',
      '[DONE]',
    ]);
  });

  it('stands in a whole body as well', () => {
    expect(OPENAI_CHAT.writeReplyBody(events, OPTIONS)).toEqual({
      id: 'chatcmpl-1',
      object: 'chat.completion',
      created: 7,
      model: 'main',
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            content: 'Hi',
            refusal: null,
            reasoning_content: 'Hm',
            reasoning_details: details,
            tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{}' }, ...state }],
            extra_content: extra,
          },
          logprobs: null,
          finish_reason: 'tool_calls',
        },
      ],
    });
  });
});

describe('a whole body for a client', () => {
  function message(events: readonly ReplyEvent[]): unknown {
    return OPENAI_CHAT.writeReplyBody(events, OPTIONS);
  }

  it('has null for what was not said, and its counts', () => {
    const counted: ReplyEvent = { type: 'usage.reported', usage: COUNTS };
    expect(
      message([done(0, calledWith('a', { form: 'text', text: 'x' })), counted, finished('unknown')]),
    ).toMatchObject({
      choices: [
        {
          message: {
            content: null,
            refusal: null,
            tool_calls: [{ id: 'a', type: 'custom', custom: { name: 'f', input: 'x' } }],
          },
          finish_reason: 'tool_calls',
        },
      ],
      usage: WIRE_COUNTS,
    });
  });

  it('has nothing of what was withdrawn or cut', () => {
    const withdrawn = { type: 'attempt.retracted', reason: 'r' } as const;
    const events = [
      done(0, said('message', 'No')),
      withdrawn,
      start(0, 'tool_call'),
      done(1, said('message', 'Yes')),
      finished('length'),
    ] as const;
    expect(OPENAI_CHAT.writeReplyBody(events, OPTIONS)).toMatchObject({
      choices: [{ message: { role: 'assistant', content: 'Yes', refusal: null }, finish_reason: 'length' }],
    });
  });
});
