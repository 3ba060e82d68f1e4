import { describe, expect, it } from 'vitest';
import { attemptId, callId, itemId } from '../../turn/index.js';
import type { Failure, Item, JsonObject, OpaqueState, ReplyEvent, TurnEvent } from '../../turn/index.js';
import type { ReplyWriter, WriterOptions } from '../dialect.js';
import { GEMINI } from './index.js';

const OPTIONS: WriterOptions = { replyId: 'r1', model: 'main', createdAtSeconds: 1, framing: 'sse', wantsUsage: true };
const SIGNED: readonly OpaqueState[] = [{ vendor: 'google', kind: 'thought_signature', value: 'AbCd==' }];

const FAILURE: Failure = {
  code: 'deadline_silence',
  kind: 'deadline',
  retryable: true,
  atFault: 'provider',
  message: 'Nothing came for 180 s.',
};

function id(position: number): ReturnType<typeof itemId> {
  return itemId(attemptId(callId('c'), 1), position);
}

function item(position: number, result: Item, ...deltas: readonly string[]): readonly ReplyEvent[] {
  const { content } = result;
  const call = content.kind === 'tool_call' ? content : undefined;
  return [
    {
      type: 'item.started',
      item: id(position),
      kind: content.kind,
      name: call?.name,
      callId: call?.callId,
      inferred: false,
    },
    ...deltas.map((text) => ({ type: 'item.delta' as const, item: id(position), text })),
    { type: 'item.completed', item: id(position), result },
  ];
}

function said(kind: 'message' | 'reasoning' | 'refusal', text: string, opaque?: readonly OpaqueState[]): Item {
  return { content: { kind, text }, opaque };
}

function call(name: string, opaque?: readonly OpaqueState[]): Item {
  const input = { form: 'json' as const, text: '{"a":1}', value: { a: 1 } };
  return { content: { kind: 'tool_call', callId: 'id-1', idFromProvider: false, name, input }, opaque };
}

function finish(
  reason: 'stop' | 'tool_calls' | 'length' | 'content_filter' | 'unknown',
  raw?: string,
  detail?: string,
): ReplyEvent {
  return { type: 'reply.finished', reason, raw, detail };
}

/** The chunks of a stream without their envelope. */
function candidates(events: readonly TurnEvent[]): readonly unknown[] {
  const writer = GEMINI.newReplyWriter(OPTIONS);
  const stream = events.map((event) => writer.write(event)).join('');
  return parse(stream).map((chunk) => chunk['candidates']);
}

function parse(stream: string): readonly JsonObject[] {
  const frames = stream.split('\r\n\r\n');
  expect(frames.pop()).toBe('');
  return frames.map((frame) => {
    expect(frame.startsWith('data: ')).toBe(true);
    const chunk: JsonObject = JSON.parse(frame.slice('data: '.length));
    return chunk;
  });
}

function part(...parts: readonly unknown[]): unknown {
  return [{ content: { role: 'model', parts }, index: 0 }];
}

function end(finishReason: string, more: JsonObject = {}): unknown {
  return [{ content: { role: 'model', parts: [{ text: '' }] }, finishReason, ...more, index: 0 }];
}

describe('a streamed reply', () => {
  it('shows prose as it comes, a call when it is complete, and its counts at the end', () => {
    const writer = GEMINI.newReplyWriter(OPTIONS);
    const usage = {
      inputTokens: 60,
      cacheReadTokens: 40,
      cacheWriteTokens: undefined,
      outputTokens: 30,
      reasoningTokens: 10,
    };
    const events: readonly TurnEvent[] = [
      ...item(0, said('reasoning', 'hm.'), 'hm', '.'),
      ...item(1, said('message', 'Hi'), 'Hi'),
      ...item(2, call('now', SIGNED), '{"a":1}'),
      { type: 'usage.reported', usage },
      finish('tool_calls', 'tool_calls'),
    ];
    expect(parse(events.map((event) => writer.write(event)).join(''))).toEqual(
      [
        { candidates: part({ text: 'hm', thought: true }) },
        { candidates: part({ text: '.', thought: true }) },
        { candidates: part({ text: 'Hi' }) },
        { candidates: part({ functionCall: { id: 'id-1', name: 'now', args: { a: 1 } }, thoughtSignature: 'AbCd==' }) },
        {
          candidates: end('STOP'),
          usageMetadata: {
            promptTokenCount: 100,
            cachedContentTokenCount: 40,
            candidatesTokenCount: 20,
            thoughtsTokenCount: 10,
            totalTokenCount: 130,
          },
        },
      ].map((chunk) => ({ ...chunk, modelVersion: 'main', responseId: 'r1' })),
    );
    expect([writer.write(finish('stop')), writer.keepAlive(), writer.fail(FAILURE)]).toEqual(['', '', '']);
  });

  it('sends a signature after the text that it belongs to, or alone', () => {
    expect(
      candidates([...item(0, said('message', 'Hi', SIGNED), 'Hi'), ...item(1, said('message', '', SIGNED))]),
    ).toEqual([
      part({ text: 'Hi' }),
      part({ text: '', thoughtSignature: 'AbCd==' }),
      part({ text: '', thoughtSignature: 'AbCd==' }),
    ]);
  });

  it('sends with the completion what no delta had shown', () => {
    expect(
      candidates([...item(0, said('message', 'Hi', SIGNED)), ...item(1, said('refusal', 'No way'), 'No')]),
    ).toEqual([part({ text: 'Hi', thoughtSignature: 'AbCd==' }), part({ text: 'No' }), part({ text: ' way' })]);
  });

  it('sends no state of another vendor and no part of another wire', () => {
    const opaque = [{ vendor: 'anthropic', kind: 'signature' as const, value: 'zzz' }];
    const events = [
      ...item(0, call('now', opaque)),
      ...item(1, {
        content: { kind: 'foreign', wireKind: 'web_search_call', value: { type: 'web_search_call' } },
        opaque: undefined,
      }),
      ...item(2, { content: { kind: 'foreign', wireKind: 'toolCall', value: { toolCall: {} } }, opaque: SIGNED }),
    ];
    expect(candidates(events)).toEqual([
      part({ functionCall: { id: 'id-1', name: 'now', args: { a: 1 } } }),
      part({ toolCall: {}, thoughtSignature: 'AbCd==' }),
    ]);
  });

  it('ends with the reason of this wire for a call that is no JSON, and does not show it', () => {
    const input = { form: 'invalid' as const, text: '{"a":' };
    const broken: Item = {
      content: { kind: 'tool_call', callId: 'x', idFromProvider: true, name: 'now', input },
      opaque: undefined,
    };
    expect(candidates([...item(0, broken, '{"a":'), finish('tool_calls', 'tool_calls')])).toEqual([
      end('MALFORMED_FUNCTION_CALL', { finishMessage: 'The arguments of the call "now" are not a JSON object.' }),
    ]);
  });

  it.each([
    ['stop', 'stop', 'STOP'],
    ['length', 'CONTINUATION', 'CONTINUATION'],
    ['length', 'max_tokens', 'MAX_TOKENS'],
    ['content_filter', 'RECITATION', 'RECITATION'],
    ['content_filter', 'JAILBREAK', 'SAFETY'],
    ['unknown', 'FAKE_ENUM', 'FAKE_ENUM'],
    ['unknown', 'odd', 'FINISH_REASON_UNSPECIFIED'],
    ['length', 'STOP', 'MAX_TOKENS'],
  ] as const)('that finished as %s (%s) says %s', (reason, raw, wanted) => {
    expect(candidates([finish(reason, raw, 'why')])).toEqual([end(wanted, { finishMessage: 'why' })]);
  });

  it('says nothing for what the runtime says of itself', () => {
    const events: readonly TurnEvent[] = [
      { type: 'attempt.sent' },
      {
        type: 'attempt.failed',
        failure: FAILURE,
        usage: {
          inputTokens: 1,
          cacheReadTokens: undefined,
          cacheWriteTokens: undefined,
          outputTokens: 1,
          reasoningTokens: undefined,
        },
      },
      { type: 'attempt.retracted', reason: 'x' },
      { type: 'reply.ending', raw: 'STOP' },
      { type: 'reply.failed', failure: FAILURE },
      { type: 'wire.kept_alive' },
    ];
    expect(candidates(events)).toEqual([]);
  });

  it('is kept alive by a thought without text', () => {
    expect(parse(GEMINI.newReplyWriter(OPTIONS).keepAlive())).toEqual([
      { candidates: part({ thought: true, text: '' }), modelVersion: 'main', responseId: 'r1' },
    ]);
  });

  it('that fails ends with the error object and with no finish', () => {
    const writer = GEMINI.newReplyWriter(OPTIONS);
    expect(parse(writer.fail(FAILURE))).toMatchObject([
      { error: { code: 504, status: 'DEADLINE_EXCEEDED', message: 'Nothing came for 180 s.' } },
    ]);
    expect(writer.write(finish('stop'))).toBe('');
  });
});

describe('a client that did not ask for events', () => {
  const options: WriterOptions = { ...OPTIONS, framing: 'json_array' };
  const play = (use: (writer: ReplyWriter) => string): unknown => JSON.parse(use(GEMINI.newReplyWriter(options)));

  it('gets one array that grows', () => {
    const events = [...item(0, said('message', 'Hi'), 'H', 'i'), finish('stop')];
    expect(play((writer) => events.map((event) => writer.write(event)).join(''))).toMatchObject([
      { candidates: part({ text: 'H' }) },
      { candidates: part({ text: 'i' }) },
      { candidates: end('STOP') },
    ]);
  });

  it('gets an error as an element, alone or after others, and the array closed', () => {
    expect(play((writer) => writer.fail(FAILURE))).toMatchObject([{ error: { code: 504 } }]);
    expect(play((writer) => writer.keepAlive() + writer.fail(FAILURE))).toMatchObject([{}, { error: { code: 504 } }]);
  });
});

describe('a whole body', () => {
  it('holds each item as a part with its signature, and nothing that was withdrawn', () => {
    const events: readonly TurnEvent[] = [
      ...item(0, said('message', 'old'), 'old'),
      { type: 'attempt.retracted', reason: 'x' },
      ...item(0, said('reasoning', 'hm'), 'hm'),
      ...item(1, said('message', 'Hi', SIGNED), 'Hi'),
      ...item(2, call('now')),
      finish('tool_calls', 'STOP'),
    ];
    expect(GEMINI.writeReplyBody(events, OPTIONS)).toEqual({
      candidates: [
        {
          content: {
            role: 'model',
            parts: [
              { text: 'hm', thought: true },
              { text: 'Hi', thoughtSignature: 'AbCd==' },
              { functionCall: { id: 'id-1', name: 'now', args: { a: 1 } } },
            ],
          },
          finishReason: 'STOP',
          index: 0,
        },
      ],
      modelVersion: 'main',
      responseId: 'r1',
    });
  });

  it('of nothing still has a part', () => {
    expect(GEMINI.writeReplyBody([finish('length')], OPTIONS)).toMatchObject({ candidates: end('MAX_TOKENS') });
  });
});
