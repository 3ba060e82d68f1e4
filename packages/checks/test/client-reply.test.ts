import { describe, expect, it } from 'vitest';
import { readClientReply } from '../src/cases/client-reply.js';
import { bodyDocument, streamDocument } from '../src/cases/wire-document.js';

const stream = (dialect: string, events: readonly unknown[], tail = ''): ReturnType<typeof streamDocument> =>
  streamDocument(dialect, events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('') + tail, 0);

describe('a client of Messages', () => {
  const events = [
    { type: 'message_start', message: { usage: { input_tokens: 9, output_tokens: 1 } } },
    { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'sig' } },
    { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'Hi' } },
    { type: 'content_block_start', index: 2, content_block: { type: 'tool_use', id: 't', name: 'f', input: {} } },
    { type: 'content_block_delta', index: 2, delta: { type: 'input_json_delta', partial_json: '{"a":' } },
    { type: 'content_block_delta', index: 2, delta: { type: 'input_json_delta', partial_json: '1}' } },
    { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 5 } },
    { type: 'message_stop' },
  ];

  it('accumulates blocks and sends them back with their results', () => {
    const reply = readClientReply(stream('anthropic', events));
    expect({ ...reply, echo: reply?.echo(() => 'ok') }).toEqual({
      text: 'Hi',
      calls: [{ id: 't', name: 'f', arguments: { a: 1 } }],
      finish: 'tool_calls',
      usage: { input: 9, output: 5, cached_read: undefined, cache_write: undefined, reasoning: undefined },
      error: undefined,
      isWhole: true,
      echo: [
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: '', signature: 'sig' },
            { type: 'text', text: 'Hi' },
            { type: 'tool_use', id: 't', name: 'f', input: { a: 1 } },
          ],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'ok' }] },
      ],
    });
  });

  it('sees an end without message_stop as no end', () => {
    expect(readClientReply(stream('anthropic', events.slice(0, -1)))?.isWhole).toBe(false);
  });
});

describe('a client of Gemini', () => {
  it('accumulates parts and answers calls in their order', () => {
    const parts = [
      { text: 'Hm', thought: true },
      { text: 'Hi' },
      { functionCall: { name: 'f', args: { a: 1 } }, thoughtSignature: 's' },
    ];
    const chunk = {
      candidates: [{ content: { parts }, finishReason: 'STOP' }],
      usageMetadata: {
        promptTokenCount: 9,
        cachedContentTokenCount: 4,
        candidatesTokenCount: 2,
        thoughtsTokenCount: 3,
      },
    };
    const reply = readClientReply(stream('gemini', [chunk]));
    expect({ ...reply, echo: reply?.echo(() => 'ok') }).toEqual({
      text: 'Hi',
      calls: [{ id: undefined, name: 'f', arguments: { a: 1 } }],
      finish: 'tool_calls',
      usage: { input: 5, cached_read: 4, cache_write: undefined, output: 5, reasoning: 3 },
      error: undefined,
      isWhole: true,
      echo: [
        { role: 'model', parts },
        { role: 'user', parts: [{ functionResponse: { name: 'f', response: { output: 'ok' } } }] },
      ],
    });
  });
});

describe('a client of Chat Completions', () => {
  it('reads a whole body', () => {
    const message = {
      content: 'Hi',
      tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }],
    };
    const reply = readClientReply(
      bodyDocument('openai-chat', JSON.stringify({ choices: [{ message, finish_reason: 'tool_calls' }] })),
    );
    expect([reply?.text, reply?.calls, reply?.finish, reply?.isWhole]).toEqual([
      'Hi',
      [{ id: 'c', name: 'f', arguments: {} }],
      'tool_calls',
      true,
    ]);
  });

  it('sees a stream without [DONE] as no end, and an error in it', () => {
    const reply = readClientReply(
      stream('openai-chat', [{ choices: [{ delta: { content: 'a' } }] }, { error: { message: 'm', code: 'c' } }]),
    );
    expect([reply?.isWhole, reply?.error]).toEqual([false, { code: 'c', message: 'm' }]);
  });
});
