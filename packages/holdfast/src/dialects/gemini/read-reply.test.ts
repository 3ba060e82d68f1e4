import { describe, expect, it } from 'vitest';
import { attemptId, callId } from '../../turn/index.js';
import type { Item, JsonObject, OpaqueState, ReplyEvent } from '../../turn/index.js';
import { SseReader, WIRE_LIMITS } from '../../wire/index.js';
import type { Quirks, ReaderOptions } from '../dialect.js';
import { GEMINI } from './index.js';

const SIGNED: readonly OpaqueState[] = [{ vendor: 'google', kind: 'thought_signature', value: 'AbCd==' }];

function options(quirks: Quirks = {}): ReaderOptions {
  return {
    attempt: attemptId(callId('c'), 1),
    vendor: 'google',
    provider: 'aistudio',
    maxOutputTokens: undefined,
    quirks,
  };
}

/** A body as the provider sends it, read to its end. */
function play(body: string, quirks?: Quirks): readonly ReplyEvent[] {
  const frames = new SseReader();
  const reader = GEMINI.newReplyReader(options(quirks));
  const events: ReplyEvent[] = [];
  for (const frame of frames.push(new TextEncoder().encode(body))) events.push(...reader.push(frame));
  for (const frame of frames.end()) events.push(...reader.push(frame));
  return [...events, ...reader.end()];
}

function data(value: unknown): string {
  return `data: ${JSON.stringify(value)}\r\n\r\n`;
}

/** A chunk with these parts, and more of its candidate where given. */
function chunk(parts: readonly unknown[], candidate: JsonObject = {}): string {
  return data({ candidates: [{ content: { role: 'model', parts }, index: 0, ...candidate }], modelVersion: 'm' });
}

const STOP = chunk([{ text: '' }], { finishReason: 'STOP' });

function completed(events: readonly ReplyEvent[]): readonly Item[] {
  return events.flatMap((event) => (event.type === 'item.completed' ? [event.result] : []));
}

function text(value: string, opaque?: readonly OpaqueState[]): Item {
  return { content: { kind: 'message', text: value }, opaque };
}

function thought(value: string): Item {
  return { content: { kind: 'reasoning', text: value }, opaque: undefined };
}

function call(name: string, args: JsonObject, more: { callId?: string; opaque?: readonly OpaqueState[] } = {}): Item {
  const input = { form: 'json' as const, text: JSON.stringify(args), value: args };
  const id = more.callId ?? 'call_c_1_0';
  return {
    content: { kind: 'tool_call', callId: id, idFromProvider: !id.startsWith('call_c_'), name, input },
    opaque: more.opaque,
  };
}

function last(events: readonly ReplyEvent[]): ReplyEvent | undefined {
  return events.at(-1);
}

function finished(reason: string, raw: string | undefined, detail?: string): unknown {
  return { type: 'reply.finished', reason, raw, detail };
}

describe('a short answer in three chunks', () => {
  it('is one item whose deltas stream, a usage and an end', () => {
    const body =
      chunk([{ text: 'Hel' }]) +
      chunk([{ text: 'lo' }]) +
      data({
        candidates: [{ content: { parts: [{ text: '!' }] }, finishReason: 'STOP' }],
        usageMetadata: { promptTokenCount: 7, candidatesTokenCount: 3, totalTokenCount: 10 },
      });
    expect(play(body)).toEqual([
      { type: 'item.started', item: 'c.1.0', kind: 'message', name: undefined, callId: undefined, inferred: false },
      { type: 'item.delta', item: 'c.1.0', text: 'Hel' },
      { type: 'item.delta', item: 'c.1.0', text: 'lo' },
      { type: 'item.delta', item: 'c.1.0', text: '!' },
      {
        type: 'usage.reported',
        usage: {
          inputTokens: 7,
          cacheReadTokens: undefined,
          cacheWriteTokens: undefined,
          outputTokens: 3,
          reasoningTokens: undefined,
        },
      },
      { type: 'reply.ending', raw: 'STOP' },
      { type: 'item.completed', item: 'c.1.0', result: text('Hello!') },
      finished('stop', 'STOP'),
    ]);
  });
});

describe('thoughts, then silence, then a whole call', () => {
  const body =
    chunk([{ text: 'Plan.', thought: true }]) +
    chunk([{ functionCall: { name: 'write_file', args: { path: 'a.txt' } }, thoughtSignature: 'AbCd==' }]) +
    STOP;

  it('announces the call with its name at once, and completes it when the reply ends', () => {
    expect(play(body)).toEqual([
      { type: 'item.started', item: 'c.1.0', kind: 'reasoning', name: undefined, callId: undefined, inferred: false },
      { type: 'item.delta', item: 'c.1.0', text: 'Plan.' },
      { type: 'item.completed', item: 'c.1.0', result: thought('Plan.') },
      {
        type: 'item.started',
        item: 'c.1.1',
        kind: 'tool_call',
        name: 'write_file',
        callId: 'call_c_1_1',
        inferred: false,
      },
      { type: 'item.delta', item: 'c.1.1', text: '{"path":"a.txt"}' },
      { type: 'reply.ending', raw: 'STOP' },
      {
        type: 'item.completed',
        item: 'c.1.1',
        result: call('write_file', { path: 'a.txt' }, { callId: 'call_c_1_1', opaque: SIGNED }),
      },
      finished('tool_calls', 'STOP'),
    ]);
  });

  it('says nothing of an end when the connection closes after the thoughts', () => {
    const events = play(chunk([{ text: 'Plan.', thought: true }]));
    expect(events.map((event) => event.type)).toEqual(['item.started', 'item.delta']);
  });
});

describe('a text stream without any finish reason', () => {
  it('has no end, and its item stays open', () => {
    expect(play(chunk([{ text: 'Half' }])).map((event) => event.type)).toEqual(['item.started', 'item.delta']);
  });

  it('ends where the server is known to name none', () => {
    const events = play(chunk([{ text: 'Half' }]), { noFinishReason: true });
    expect(events.slice(-2)).toEqual([
      { type: 'item.completed', item: 'c.1.0', result: text('Half') },
      finished('stop', undefined),
    ]);
  });

  it('does not end even there when nothing came at all', () => {
    expect(play('', { noFinishReason: true })).toEqual([]);
  });
});

describe('a last chunk whose content has no parts', () => {
  it('gives its finish and its counts, and no item', () => {
    const end = data({
      candidates: [{ content: { role: 'model' }, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 5, thoughtsTokenCount: 9 },
    });
    const events = play(chunk([{ text: 'Done' }]) + end);
    expect(completed(events)).toEqual([text('Done')]);
    expect(events.filter((event) => event.type === 'usage.reported').map(({ usage }) => usage.outputTokens)).toEqual([
      9,
    ]);
    expect(last(events)).toEqual(finished('stop', 'STOP'));
  });
});

describe('a thought signature', () => {
  it('on a last part with empty text is an item of its own that shows nothing', () => {
    const events = play(
      chunk([{ text: 'Yes' }]) + chunk([{ text: '', thoughtSignature: 'AbCd==' }], { finishReason: 'STOP' }),
    );
    expect(completed(events)).toEqual([text('Yes'), text('', SIGNED)]);
  });

  it('on visible text stays with that text, makes no thought of it and merges with nothing', () => {
    const parts = [{ text: 'one ' }, { text: 'two ', thoughtSignature: 'AbCd==' }, { text: 'three' }];
    const events = play(parts.map((part) => chunk([part])).join('') + STOP);
    expect(completed(events)).toEqual([text('one '), text('two ', SIGNED), text('three')]);
  });

  it('on the first of two calls stays the only one', () => {
    const parts = [
      { functionCall: { name: 'weather', args: { city: 'Oslo' } }, thoughtSignature: 'AbCd==' },
      { functionCall: { name: 'weather', args: { city: 'Rome' } } },
    ];
    const wanted = [
      call('weather', { city: 'Oslo' }, { opaque: SIGNED }),
      call('weather', { city: 'Rome' }, { callId: 'call_c_1_1' }),
    ];
    expect(completed(play(chunk(parts) + STOP))).toEqual(wanted);
    expect(completed(play(parts.map((part) => chunk([part])).join('') + STOP))).toEqual(wanted);
  });

  it('that is absent or empty is not there', () => {
    expect(completed(play(chunk([{ text: 'a', thoughtSignature: '' }, { text: '' }]) + STOP))).toEqual([text('a')]);
  });

  it('alone on a part is kept', () => {
    expect(completed(play(chunk([{ thoughtSignature: 'AbCd==' }]) + STOP))).toEqual([text('', SIGNED)]);
  });
});

describe('tool calls', () => {
  it('keep the id of the provider, and a repeated one is theirs once', () => {
    const parts = ['Oslo', 'Rome'].map((city) => ({ functionCall: { id: 'fc-1', name: 'weather', args: { city } } }));
    expect(completed(play(chunk(parts) + STOP))).toEqual([
      call('weather', { city: 'Oslo' }, { callId: 'fc-1' }),
      call('weather', { city: 'Rome' }, { callId: 'call_c_1_1' }),
    ]);
  });

  it.each([{ name: 'now' }, { name: 'now', args: null }, { name: 'now', args: {} }])(
    '%o has empty arguments',
    (functionCall) => {
      expect(completed(play(chunk([{ functionCall }]) + STOP))).toEqual([call('now', {})]);
    },
  );

  it('whose arguments are no object are never dispatched', () => {
    const events = play(chunk([{ functionCall: { name: 'now', args: 'UTC' } }]) + STOP);
    expect(completed(events)).toEqual([
      {
        content: {
          kind: 'tool_call',
          callId: 'call_c_1_0',
          idFromProvider: false,
          name: 'now',
          input: { form: 'invalid', text: '"UTC"' },
        },
        opaque: undefined,
      },
    ]);
  });

  it('complete in their place before text that follows them', () => {
    const events = play(chunk([{ functionCall: { name: 'now' } }, { text: 'Wait.' }]) + STOP);
    expect(completed(events)).toEqual([call('now', {}), text('Wait.')]);
  });

  it('that arrived whole are complete though the cap ended the reply', () => {
    const events = play(chunk([{ functionCall: { name: 'now' } }], { finishReason: 'MAX_TOKENS' }));
    expect(completed(events)).toEqual([call('now', {})]);
    expect(last(events)).toEqual(finished('length', 'MAX_TOKENS'));
  });

  it('without a name fail the reply', () => {
    const events = play(chunk([{ functionCall: { args: { a: 1 } } }]) + STOP);
    expect(events).toMatchObject([
      { type: 'reply.failed', failure: { kind: 'protocol', code: 'tool_call_malformed' } },
    ]);
  });

  it('with a name like __proto__ in their arguments harm nobody', () => {
    const body = `data: {"candidates":[{"content":{"parts":[{"functionCall":{"name":"f","args":{"__proto__":{"bad":1}}}}]},"finishReason":"STOP"}]}\r\n\r\n`;
    const [item] = completed(play(body));
    expect(item?.content).toMatchObject({ input: { text: '{"__proto__":{"bad":1}}' } });
    expect(Object.hasOwn(Object.prototype, 'bad')).toBe(false);
  });

  it('larger than the limit fail the reply, and deeper ones too', () => {
    const large = { functionCall: { name: 'f', args: { text: 'x'.repeat(WIRE_LIMITS.argumentCharsMax) } } };
    let args: JsonObject = {};
    for (let depth = 0; depth < WIRE_LIMITS.jsonDepthMax; depth += 1) args = { args };
    for (const part of [large, { functionCall: { name: 'f', args } }]) {
      const events = GEMINI.readReplyBody(
        JSON.stringify({ candidates: [{ content: { parts: [part] }, finishReason: 'STOP' }] }),
        options(),
      );
      expect(last(events)).toMatchObject({
        type: 'reply.failed',
        failure: { kind: 'protocol', code: 'arguments_too_large' },
      });
      expect(completed(events)).toEqual([]);
    }
  });
});

describe('arguments that stream as path updates', () => {
  const START = chunk([{ functionCall: { name: 'write', willContinue: true }, thoughtSignature: 'AbCd==' }]);
  const update = (partialArgs: readonly JsonObject[], willContinue = true): string =>
    chunk([{ functionCall: { partialArgs, ...(willContinue ? { willContinue } : {}) } }]);
  const UPDATES =
    update([{ jsonPath: '$.items[0].title', stringValue: 'Red ', willContinue: true }]) +
    update([{ jsonPath: '$.items[0].title', stringValue: 'apple', willContinue: true }]) +
    update([{ jsonPath: '$.items[0].title', stringValue: '' }]) +
    update([{ jsonPath: '$.items[0].price', numberValue: 0.5 }]);
  const ARGS = { items: [{ title: 'Red apple', price: 0.5 }] };

  it('start with their name, progress with each update, and are whole at the end', () => {
    expect(play(START + UPDATES + chunk([{ functionCall: {} }]) + STOP)).toEqual([
      { type: 'item.started', item: 'c.1.0', kind: 'tool_call', name: 'write', callId: 'call_c_1_0', inferred: false },
      ...Array.from({ length: 4 }, () => ({ type: 'item.delta', item: 'c.1.0', text: '' })),
      { type: 'item.delta', item: 'c.1.0', text: JSON.stringify(ARGS) },
      { type: 'reply.ending', raw: 'STOP' },
      { type: 'item.completed', item: 'c.1.0', result: call('write', ARGS, { opaque: SIGNED }) },
      finished('tool_calls', 'STOP'),
    ]);
  });

  it.each([
    ['by an empty call beside the finish', chunk([{ functionCall: {} }], { finishReason: 'STOP' })],
    ['by the finish alone', STOP],
    ['by their last update', update([{ jsonPath: '$.items[0].price', numberValue: 0.5 }], false) + STOP],
  ])('are closed %s', (_how, end) => {
    expect(completed(play(START + UPDATES + end))).toEqual([call('write', ARGS, { opaque: SIGNED })]);
  });

  it('are closed by the next named call, also by one without arguments', () => {
    const next =
      chunk([{ functionCall: { name: 'now' } }]) + chunk([{ functionCall: { name: 'write', willContinue: true } }]);
    expect(completed(play(START + UPDATES + next + UPDATES + STOP))).toEqual([
      call('write', ARGS, { opaque: SIGNED }),
      call('now', {}, { callId: 'call_c_1_1' }),
      call('write', ARGS, { callId: 'call_c_1_2' }),
    ]);
  });

  it('that the cap cut stay open', () => {
    const events = play(START + UPDATES + chunk([{ text: '' }], { finishReason: 'MAX_TOKENS' }));
    expect(completed(events)).toEqual([]);
    expect(last(events)).toEqual(finished('length', 'MAX_TOKENS'));
  });

  it('that make no sense complete as invalid', () => {
    const events = play(START + update([{ jsonPath: 'no path', stringValue: 'x' }], false) + STOP);
    expect(completed(events)).toMatchObject([{ content: { input: { form: 'invalid', text: '{}' } } }]);
  });
});

describe('finish reasons', () => {
  const CALL = { functionCall: { name: 'run', args: {} } };

  it('may come twice: the reply goes on after the first, and the last one counts', () => {
    const events = play(
      chunk([{ text: 'a' }], { finishReason: 'STOP' }) + chunk([{ text: 'b' }], { finishReason: 'MAX_TOKENS' }),
    );
    expect(events.filter((event) => event.type === 'reply.ending')).toEqual([
      { type: 'reply.ending', raw: 'STOP' },
      { type: 'reply.ending', raw: 'MAX_TOKENS' },
    ]);
    expect(completed(events)).toEqual([text('ab')]);
    expect(last(events)).toEqual(finished('length', 'MAX_TOKENS'));
  });

  it('on an empty first chunk do not end the reply', () => {
    expect(completed(play(chunk([], { finishReason: 'STOP' }) + chunk([{ text: 'late' }]) + STOP))).toEqual([
      text('late'),
    ]);
  });

  it.each(['UNEXPECTED_TOOL_CALL', 'MALFORMED_FUNCTION_CALL'])(
    '%s takes back a call that came with it',
    (finishReason) => {
      const events = play(chunk([CALL]) + data({ candidates: [{ finishReason, finishMessage: 'it did not parse' }] }));
      expect(completed(events)).toEqual([]);
      expect(last(events)).toMatchObject({
        type: 'reply.failed',
        failure: {
          kind: 'protocol',
          code: 'tool_call_malformed',
          atFault: 'model',
          message: `aistudio ended the reply with ${finishReason}: it did not parse.`,
          upstream: { code: finishReason, message: 'it did not parse' },
        },
      });
    },
  );

  it.each([
    ['MALFORMED_FUNCTION_CALL', 'failure'],
    ['SAFETY', 'detail'],
  ])('%s quotes no key and no more than 2 KB', (finishReason, holder) => {
    const finishMessage = `call(\n"AIzaSyA1234567890abcdefghijklmnopqrstu")${'x'.repeat(9_000)}`;
    const event: Partial<Record<string, unknown>> = {
      ...last(play(data({ candidates: [{ finishReason, finishMessage }] }))),
    };
    const said = JSON.stringify(event[holder]);
    expect(said).toContain('[redacted]');
    expect(said).not.toContain('AIza');
    expect(said.length).toBeLessThan(5_000);
  });

  it('a failed generation is told in one line', () => {
    const event = last(play(data({ candidates: [{ finishReason: 'OTHER', finishMessage: 'a\nb' }] })));
    expect(event?.type === 'reply.failed' ? event.failure.message : undefined).toBe(
      'aistudio ended the reply with OTHER: a b.',
    );
  });

  it.each(['OTHER', 'NO_IMAGE', 'TOO_MANY_TOOL_CALLS', 'MISSING_THOUGHT_SIGNATURE', 'MALFORMED_RESPONSE'])(
    '%s is a failed generation',
    (finishReason) => {
      expect(last(play(chunk([CALL], { finishReason })))).toMatchObject({
        type: 'reply.failed',
        failure: { kind: 'protocol', code: 'generation_failed' },
      });
    },
  );

  it.each([
    'SAFETY',
    'RECITATION',
    'LANGUAGE',
    'BLOCKLIST',
    'PROHIBITED_CONTENT',
    'SPII',
    'IMAGE_SAFETY',
    'MODEL_ARMOR',
  ])('%s keeps the partial text, gives no call away and is a refusal', (finishReason) => {
    const events = play(
      chunk([{ text: 'Once' }, CALL]) + data({ candidates: [{ finishReason, finishMessage: 'why' }] }),
    );
    expect(completed(events)).toEqual([text('Once')]);
    expect(last(events)).toEqual(finished('content_filter', finishReason, 'why'));
  });

  it('SAFETY without a message names the categories that blocked', () => {
    const safetyRatings = [
      { category: 'HARM_CATEGORY_HATE_SPEECH', blocked: true },
      { category: 'HARM_CATEGORY_HARASSMENT', probability: 'NEGLIGIBLE' },
    ];
    expect(last(play(chunk([], { finishReason: 'SAFETY', safetyRatings })))).toEqual(
      finished('content_filter', 'SAFETY', 'HARM_CATEGORY_HATE_SPEECH'),
    );
  });

  it('MAX_TOKENS without parts leaves no item, and with text the text', () => {
    const empty = play(
      data({
        candidates: [{ content: {}, finishReason: 'MAX_TOKENS' }],
        usageMetadata: { promptTokenCount: 1, thoughtsTokenCount: 2 },
      }),
    );
    expect(completed(empty)).toEqual([]);
    expect(last(empty)).toEqual(finished('length', 'MAX_TOKENS'));
    expect(completed(play(chunk([{ text: 'cut' }], { finishReason: 'MAX_TOKENS' })))).toEqual([text('cut')]);
  });

  it('that nobody knows stay as they came', () => {
    const events = play(chunk([{ text: 'a' }], { finishReason: 'FAKE_ENUM' }));
    expect(completed(events)).toEqual([text('a')]);
    expect(last(events)).toEqual(finished('unknown', 'FAKE_ENUM'));
  });
});

describe('a blocked prompt', () => {
  it('is a refusal with its reason, also when its event lacks the blank line', () => {
    const blocked = { promptFeedback: { blockReason: 'SAFETY', blockReasonMessage: 'no' } };
    expect(play(`data: ${JSON.stringify(blocked)}`)).toEqual([
      { type: 'reply.ending', raw: 'SAFETY' },
      finished('content_filter', 'SAFETY', 'no'),
    ]);
  });

  it('is one for reasons that are no finish reasons', () => {
    expect(last(play(data({ promptFeedback: { blockReason: 'JAILBREAK' } })))).toEqual(
      finished('content_filter', 'JAILBREAK'),
    );
  });
});

describe('counts (I7)', () => {
  it('are the last of each field, thoughts added to what was produced, the cache taken out of the prompt', () => {
    const usage = (usageMetadata: JsonObject): string => data({ usageMetadata });
    const events = play(
      usage({ promptTokenCount: 100, cachedContentTokenCount: 40 }) +
        usage({ trafficType: 'ON_DEMAND' }) +
        usage({ promptTokenCount: 100, candidatesTokenCount: 10, thoughtsTokenCount: 30, toolUsePromptTokenCount: 5 }),
    );
    const base = { cacheReadTokens: 40, cacheWriteTokens: undefined };
    expect(events).toEqual([
      {
        type: 'usage.reported',
        usage: { ...base, inputTokens: 60, outputTokens: undefined, reasoningTokens: undefined },
      },
      { type: 'wire.kept_alive' },
      { type: 'usage.reported', usage: { ...base, inputTokens: 65, outputTokens: 40, reasoningTokens: 30 } },
    ]);
  });

  it('are absent where the provider gave none', () => {
    expect(play(data({ usageMetadata: { promptTokenCount: 'many' } }))).toEqual([{ type: 'wire.kept_alive' }]);
  });
});

describe('parts that this house does not know', () => {
  const CODE = { executableCode: { code: 'print(1)', language: 'PYTHON' } };
  const NEWER = { hologram: { depth: 3 }, thought: true };

  it('are kept whole in their place, with their signature apart', () => {
    const events = play(
      chunk([
        { ...CODE, thoughtSignature: 'AbCd==' },
        { codeExecutionResult: { output: '1' } },
        { text: 'One' },
        NEWER,
      ]) + STOP,
    );
    expect(completed(events)).toEqual([
      { content: { kind: 'foreign', wireKind: 'executableCode', value: CODE }, opaque: SIGNED },
      {
        content: { kind: 'foreign', wireKind: 'codeExecutionResult', value: { codeExecutionResult: { output: '1' } } },
        opaque: undefined,
      },
      text('One'),
      { content: { kind: 'foreign', wireKind: 'hologram', value: NEWER }, opaque: undefined },
    ]);
  });
});

describe('errors inside a stream', () => {
  const ERROR = { error: { code: 503, message: 'no capacity just now', status: 'UNAVAILABLE' } };
  const FAILED = {
    type: 'reply.failed',
    failure: {
      kind: 'transient',
      upstream: { provider: 'aistudio', status: 503, code: 'UNAVAILABLE', message: 'no capacity just now' },
    },
  };

  it.each([
    ['bare after the last event', `${JSON.stringify(ERROR, undefined, 2)}\n`],
    ['as an event', data(ERROR)],
    ['in an array', data([ERROR])],
    ['in a bare array', `${JSON.stringify([ERROR])}\n`],
  ])('%s are read with their own status, and nothing follows', (_where, error) => {
    const events = play(chunk([{ text: 'Once upon a ' }], { finishReason: 'STOP' }) + error + STOP);
    expect(events.map((event) => event.type)).toEqual(['item.started', 'item.delta', 'reply.ending', 'reply.failed']);
    expect(last(events)).toMatchObject(FAILED);
  });

  it.each([
    [{ model: 'gemini-9' }, 'the model "gemini-9" inside'],
    [{}, 'the model inside'],
  ])('name the model that was asked, and none that nobody named (%j)', (asked, words) => {
    const lost = { error: { code: 404, message: 'models/x is not found', status: 'NOT_FOUND' } };
    const reader = GEMINI.newReplyReader({ ...options(), ...asked });
    const [event] = reader.push({ type: 'event', data: JSON.stringify(lost), name: undefined });
    expect(event?.type === 'reply.failed' ? event.failure.message : undefined).toContain(words);
  });

  it('that are no JSON are a broken stream', () => {
    expect(last(play(chunk([{ text: 'a' }]) + 'data: {"candidates":[\r\n\r\n'))).toMatchObject({
      type: 'reply.failed',
      failure: { kind: 'protocol', code: 'stream_corrupt' },
    });
  });

  it('that pass the limit of an event are named', () => {
    const reader = GEMINI.newReplyReader(options());
    expect(reader.push({ type: 'oversize', chars: 9_000_000 })).toMatchObject([
      { type: 'reply.failed', failure: { kind: 'protocol', code: 'event_too_large' } },
    ]);
    expect(reader.end()).toEqual([]);
  });
});

describe('frames that say nothing', () => {
  it.each([
    ['a comment', ': hi\n\n'],
    ['JSON of another shape', data({ this: [{ is: 'not' }] })],
    ['a scalar', data(7)],
    ['an empty candidate', data({ candidates: [{ content: {} }] })],
    ['content that is no object', data({ candidates: [{ content: 'x', index: 0 }, null] })],
    ['parts that are none', chunk([null, 7, 'x', {}, { thought: true }])],
    ['the keep-alive of our own writer', chunk([{ thought: true, text: '' }])],
    ['another candidate than the first', data({ candidates: [{ index: 1, content: { parts: [{ text: 'b' }] } }] })],
    ['the sentinel of another wire', 'data: [DONE]\n\n'],
  ])('%s only keeps the wire alive', (_what, body) => {
    expect(play(body)).toEqual([{ type: 'wire.kept_alive' }]);
  });
});

describe('a server that ignores alt=sse', () => {
  const CHUNKS = [
    { candidates: [{ content: { parts: [{ text: 'He' }] } }] },
    { candidates: [{ content: { parts: [{ text: 'y' }] }, finishReason: 'STOP' }] },
  ];

  it.each([
    ['an array that grows', JSON.stringify(CHUNKS, undefined, 1)],
    ['one object', JSON.stringify({ candidates: [{ content: { parts: [{ text: 'Hey' }] }, finishReason: 'STOP' }] })],
  ])('and sends %s is understood', (_what, body) => {
    const events = play(body);
    expect(completed(events)).toEqual([text('Hey')]);
    expect(GEMINI.readReplyBody(body, options())).toEqual(events);
  });
});

describe('a whole body', () => {
  it('that is an error in an array fails with it', () => {
    const body = JSON.stringify([{ error: { code: 400, message: 'bad', status: 'INVALID_ARGUMENT' } }]);
    expect(GEMINI.readReplyBody(body, options())).toMatchObject([
      { type: 'reply.failed', failure: { kind: 'request' } },
    ]);
  });

  it('that is no JSON is corrupt', () => {
    expect(GEMINI.readReplyBody('<html>', options())).toMatchObject([
      { type: 'reply.failed', failure: { code: 'stream_corrupt' } },
    ]);
  });
});

describe('thinking beyond the limit', () => {
  it('goes on as progress and is not kept', () => {
    const half = 'x'.repeat(WIRE_LIMITS.reasoningCharsMax / 2 + 1);
    const events = play(
      chunk([{ text: half, thought: true }]) +
        chunk([{ text: half, thought: true }]) +
        chunk([{ text: 'y', thought: true }]) +
        STOP,
    );
    const deltas = events.flatMap((event) => (event.type === 'item.delta' ? [event.text.length] : []));
    expect(deltas).toEqual([half.length, half.length - 2, 0]);
    expect(completed(events)).toEqual([thought('x'.repeat(WIRE_LIMITS.reasoningCharsMax))]);
  });
});
