import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import OpenAI from 'openai';
import { afterEach, describe, expect, it } from 'vitest';
import { READER } from '../../../test/chat-wire.js';
import { itemId } from '../../turn/index.js';
import type { Item, OpaqueState, ReplyEvent } from '../../turn/index.js';
import type { WriterOptions } from '../dialect.js';
import { OPENAI_CHAT } from './index.js';

const OPTIONS: WriterOptions = {
  replyId: 'chatcmpl-1',
  model: 'main',
  createdAtSeconds: 7,
  framing: 'sse',
  wantsUsage: true,
};
const SIGNED: readonly OpaqueState[] = [{ vendor: 'google', kind: 'thought_signature', value: 'U0lH' }];
const USAGE = { inputTokens: 5, cacheReadTokens: 2, cacheWriteTokens: undefined, outputTokens: 4, reasoningTokens: 1 };

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** The real client library before a server that answers with these words. */
async function clientOf(answer: {
  readonly status?: number;
  readonly type: string;
  readonly body: string;
}): Promise<OpenAI> {
  server = createServer((request, response) => {
    request.resume();
    response.writeHead(answer.status ?? 200, { 'content-type': answer.type });
    response.end(answer.body);
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return new OpenAI({ apiKey: 'k', baseURL: `http://127.0.0.1:${port}/v1`, maxRetries: 0 });
}

function events(): readonly ReplyEvent[] {
  const id = (position: number): ReturnType<typeof itemId> => itemId(READER.attempt, position);
  const call = (position: number, callId: string, opaque?: readonly OpaqueState[]): Item => ({
    content: {
      kind: 'tool_call',
      callId,
      idFromProvider: true,
      name: 'add',
      input: { form: 'json', text: `{"n": ${position}}`, value: { n: position } },
    },
    opaque,
  });
  const begun = (position: number, callId: string): ReplyEvent => ({
    type: 'item.started',
    item: id(position),
    kind: 'tool_call',
    name: 'add',
    callId,
    inferred: false,
  });
  const more = (position: number, text: string): ReplyEvent => ({ type: 'item.delta', item: id(position), text });
  return [
    { type: 'item.started', item: id(0), kind: 'message', name: undefined, callId: undefined, inferred: false },
    more(0, 'Let me '),
    more(0, 'add.'),
    begun(1, 'a'),
    more(1, '{"n": '),
    begun(2, 'b'),
    more(2, '{"n": '),
    more(1, '1}'),
    more(2, '2}'),
    { type: 'usage.reported', usage: USAGE },
    {
      type: 'item.completed',
      item: id(0),
      result: { content: { kind: 'message', text: 'Let me add.' }, opaque: SIGNED },
    },
    { type: 'item.completed', item: id(1), result: call(1, 'a', SIGNED) },
    { type: 'item.completed', item: id(2), result: call(2, 'b') },
    { type: 'reply.finished', reason: 'tool_calls', raw: 'tool_calls', detail: undefined },
  ];
}

const ASK = { model: 'main', messages: [{ role: 'user' as const, content: 'Hi' }] };
const EXPECTED = {
  role: 'assistant',
  content: 'Let me add.',
  extra_content: { google: { thought_signature: 'U0lH' } },
  tool_calls: [
    {
      id: 'a',
      type: 'function',
      function: { name: 'add', arguments: '{"n": 1}' },
      extra_content: { google: { thought_signature: 'U0lH' } },
    },
    { id: 'b', type: 'function', function: { name: 'add', arguments: '{"n": 2}' } },
  ],
};
const COUNTS = {
  prompt_tokens: 7,
  completion_tokens: 4,
  total_tokens: 11,
  prompt_tokens_details: { cached_tokens: 2 },
  completion_tokens_details: { reasoning_tokens: 1 },
};

describe('the openai library', () => {
  it('puts a streamed reply together, signatures that come late included', async () => {
    const writer = OPENAI_CHAT.newReplyWriter(OPTIONS);
    const client = await clientOf({
      type: 'text/event-stream',
      body: events()
        .map((event) => writer.write(event))
        .join(''),
    });
    const stream = client.chat.completions.stream({ ...ASK, stream_options: { include_usage: true } });
    const { choices, usage } = await stream.finalChatCompletion();
    expect({ message: choices[0]?.message, finish: choices[0]?.finish_reason, usage }).toMatchObject({
      message: EXPECTED,
      finish: 'tool_calls',
      usage: COUNTS,
    });
  });

  it('sends that message back so that nothing of it is lost', async () => {
    const writer = OPENAI_CHAT.newReplyWriter(OPTIONS);
    const client = await clientOf({
      type: 'text/event-stream',
      body: events()
        .map((event) => writer.write(event))
        .join(''),
    });
    const { choices } = await client.chat.completions.stream(ASK).finalChatCompletion();
    const message = JSON.parse(JSON.stringify(choices[0]?.message));
    const { request } = OPENAI_CHAT.readRequest({
      path: '',
      query: {},
      headers: {},
      body: { model: 'm', messages: [message] },
    });
    const [first] = request.messages;
    expect(first?.role === 'assistant' ? first.items : []).toEqual([
      { content: { kind: 'message', text: 'Let me add.' }, opaque: SIGNED },
      ...events().flatMap((event) => {
        const isCall = event.type === 'item.completed' && event.result.content.kind === 'tool_call';
        return isCall ? event.result : [];
      }),
    ]);
  });

  it('reads a whole body', async () => {
    const body = JSON.stringify(OPENAI_CHAT.writeReplyBody(events(), OPTIONS));
    const client = await clientOf({ type: 'application/json', body });
    const { choices, usage } = await client.chat.completions.create(ASK);
    expect({ message: choices[0]?.message, usage }).toMatchObject({ message: EXPECTED, usage: COUNTS });
  });

  const FAILURE = {
    code: 'upstream_unavailable',
    kind: 'transient',
    retryable: true,
    atFault: 'provider',
    message: 'Down.',
  } as const;

  it('raises a failure inside a stream', async () => {
    const writer = OPENAI_CHAT.newReplyWriter(OPTIONS);
    const begun = events()
      .slice(0, 3)
      .map((event) => writer.write(event))
      .join('');
    const client = await clientOf({ type: 'text/event-stream', body: begun + writer.fail(FAILURE) });
    await expect(client.chat.completions.stream(ASK).finalChatCompletion()).rejects.toThrow('Down.');
  });

  it('raises a failure before the first byte with its code', async () => {
    const { status, body } = OPENAI_CHAT.writeFailure(FAILURE);
    const client = await clientOf({ status, type: 'application/json', body: JSON.stringify(body) });
    await expect(client.chat.completions.create(ASK)).rejects.toMatchObject({
      status: 503,
      code: 'upstream_unavailable',
    });
  });
});
