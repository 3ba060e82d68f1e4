import { describe, expect, it } from 'vitest';
import { MisuseError } from '../../turn/index.js';
import type { JsonObject, JsonValue, Message } from '../../turn/index.js';
import type { ReadRequest } from '../dialect.js';
import { OPENAI_CHAT } from './index.js';

const USER = { role: 'user', content: 'Hi' };
const ASKED: Message = { role: 'user', parts: [{ type: 'text', text: 'Hi' }] };

function read(fields: JsonObject): ReadRequest {
  return OPENAI_CHAT.readRequest({
    path: '/v1/chat/completions',
    query: {},
    headers: {},
    body: { model: 'm', messages: [USER], ...fields },
  });
}

function messages(...wire: readonly JsonValue[]): readonly Message[] {
  return read({ messages: wire }).request.messages;
}

function call(id: string, args: JsonValue | undefined, more: JsonObject = {}): JsonObject {
  return { id, type: 'function', function: { name: 'f', arguments: args }, ...more };
}

describe('a client’s request', () => {
  it('is read with nothing added', () => {
    expect(read({})).toEqual({
      request: { model: 'm', messages: [ASKED] },
      stream: false,
      framing: 'sse',
      wantsUsage: false,
    });
  });

  it('may ask for a stream and its counts', () => {
    expect(read({ stream: true, stream_options: { include_usage: true } })).toMatchObject({
      stream: true,
      wantsUsage: true,
    });
  });

  it.each<[JsonObject, object]>([
    [{ max_tokens: 5 }, { maxOutputTokens: 5 }],
    [{ max_tokens: 5, max_completion_tokens: 7 }, { maxOutputTokens: 7 }],
    [
      { temperature: 0, top_p: 1, seed: 2, presence_penalty: 0.5, frequency_penalty: -1 },
      { temperature: 0, topP: 1, seed: 2, presencePenalty: 0.5, frequencyPenalty: -1 },
    ],
    [{ stop: 'x' }, { stop: ['x'] }],
    [{ stop: ['x', 'y'] }, { stop: ['x', 'y'] }],
    [{ reasoning_effort: 'minimal' }, { thinking: { level: 'minimal' } }],
    [{ reasoning_effort: 'default' }, { extra: { dialect: 'openai-chat', fields: { reasoning_effort: 'default' } } }],
    [{ parallel_tool_calls: false }, { parallelToolCalls: false }],
    [{ tool_choice: 'none' }, { toolChoice: 'none' }],
    [{ tool_choice: { type: 'function', function: { name: 'f' } } }, { toolChoice: { name: 'f' } }],
    [
      { tool_choice: { type: 'allowed_tools' } },
      { extra: { dialect: 'openai-chat', fields: { tool_choice: { type: 'allowed_tools' } } } },
    ],
    [{ response_format: { type: 'text' } }, {}],
    [{ response_format: { type: 'json_object' } }, { responseFormat: { type: 'json' } }],
    [
      { response_format: { type: 'json_schema', json_schema: { name: 's', schema: {}, strict: true } } },
      { responseFormat: { type: 'json_schema', name: 's', schema: {}, strict: true } },
    ],
    [
      { response_format: { type: 'grammar' } },
      { extra: { dialect: 'openai-chat', fields: { response_format: { type: 'grammar' } } } },
    ],
    [
      {
        n: 1,
        temperature: null,
        stop: null,
        tools: null,
        tool_choice: null,
        response_format: null,
        max_tokens: null,
        stream: null,
        reasoning_effort: null,
      },
      {},
    ],
    [
      { user: 'u', metadata: { a: 1 } },
      { extra: { dialect: 'openai-chat', fields: { user: 'u', metadata: { a: 1 } } } },
    ],
    [
      {
        tools: [
          { type: 'function', function: { name: 'f', description: 'd', parameters: {}, strict: false } },
          { type: 'custom', custom: { name: 'g' } },
        ],
      },
      {
        tools: [{ name: 'f', description: 'd', parameters: {}, strict: false }],
        extra: { dialect: 'openai-chat', fields: { tools: [{ type: 'custom', custom: { name: 'g' } }] } },
      },
    ],
  ])('with %j reads as %j', (fields, expected) => {
    expect(read(fields).request).toEqual({ model: 'm', messages: [ASKED], ...expected });
  });

  it('takes the instructions at its beginning, and leaves later ones where they are', () => {
    const request = read({
      messages: [
        { role: 'system', content: 'A' },
        { role: 'developer', content: [{ type: 'text', text: 'B' }] },
        USER,
        { role: 'system', content: 'C' },
      ],
    }).request;
    expect(request).toEqual({ model: 'm', instructions: 'A\n\nB', messages: [ASKED, { role: 'system', text: 'C' }] });
  });

  it('of instructions alone asks the last of them', () => {
    const request = read({
      messages: [
        { role: 'system', content: 'A' },
        { role: 'system', content: 'B' },
      ],
    }).request;
    expect(request).toEqual({ model: 'm', instructions: 'A', messages: [{ role: 'system', text: 'B' }] });
  });

  it('carries media in our parts', () => {
    const content = [
      { type: 'text', text: 'See' },
      { type: 'image_url', image_url: { url: 'data:image/png;charset=x;base64,iVBO', detail: 'low' } },
      { type: 'image_url', image_url: 'https://x/y.png' },
      { type: 'input_audio', input_audio: { data: 'UklG', format: 'wav' } },
      { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBE' } },
      { type: 'file', file: { file_id: 'f' } },
      { type: 'video_url', video_url: {} },
    ];
    expect(messages({ role: 'user', content })).toEqual([
      {
        role: 'user',
        parts: [
          { type: 'text', text: 'See' },
          { type: 'media', mediaType: 'image/png', data: 'iVBO' },
          { type: 'media_url', mediaType: undefined, url: 'https://x/y.png' },
          { type: 'media', mediaType: 'audio/wav', data: 'UklG' },
          { type: 'media', mediaType: 'application/pdf', data: 'JVBE', name: 'a.pdf' },
          { type: 'foreign', dialect: 'openai-chat', value: { type: 'file', file: { file_id: 'f' } } },
          { type: 'foreign', dialect: 'openai-chat', value: { type: 'video_url', video_url: {} } },
        ],
      },
    ]);
  });
});

describe('an assistant message of a client', () => {
  function items(message: JsonObject): unknown {
    const [first] = messages({ role: 'assistant', ...message });
    return first?.role === 'assistant' ? first.items : undefined;
  }

  it('is its items: thinking, text, refusal, calls', () => {
    expect(
      items({ content: 'Hi', reasoning_content: 'Hm', refusal: 'No', tool_calls: [call('a', '{"x":1}')] }),
    ).toEqual([
      {
        content: { kind: 'reasoning', text: 'Hm' },
        opaque: [{ vendor: 'unknown', kind: 'reasoning_content', value: 'Hm' }],
      },
      { content: { kind: 'message', text: 'Hi' }, opaque: undefined },
      { content: { kind: 'refusal', text: 'No' }, opaque: undefined },
      {
        content: {
          kind: 'tool_call',
          callId: 'a',
          idFromProvider: true,
          name: 'f',
          input: { form: 'json', text: '{"x":1}', value: { x: 1 } },
        },
        opaque: undefined,
      },
    ]);
  });

  it.each<[JsonValue | undefined, object]>([
    ['', { form: 'json', text: '{}', value: {} }],
    [undefined, { form: 'json', text: '{}', value: {} }],
    [{ a: 1 }, { form: 'json', text: '{"a":1}', value: { a: 1 } }],
    ['{"a":', { form: 'invalid', text: '{"a":' }],
    ['[]', { form: 'invalid', text: '[]' }],
    ['{"_invalid_arguments":"{"}', { form: 'invalid', text: '{' }],
  ])('with the arguments %j', (args, input) => {
    expect(items({ content: null, tool_calls: [call('a', args)] })).toMatchObject([{ content: { input } }]);
  });

  it('of a custom tool has free text', () => {
    expect(
      items({ tool_calls: [{ id: 'a', type: 'custom', custom: { name: 'sql', input: 'select' } }] }),
    ).toMatchObject([{ content: { name: 'sql', input: { form: 'text', text: 'select' } } }]);
  });

  it('with Google’s signatures carries them where they were, and its thinking is Google’s', () => {
    const extra = { extra_content: { google: { thought_signature: 'U0lH' } } };
    const signed = { vendor: 'google', kind: 'thought_signature', value: 'U0lH' };
    expect(
      items({
        content: 'Hi',
        reasoning_content: 'Hm',
        ...extra,
        tool_calls: [call('a', '{}', extra), call('b', '{}')],
      }),
    ).toMatchObject([
      { opaque: [{ vendor: 'google', kind: 'reasoning_content' }] },
      { opaque: [signed] },
      { opaque: [signed] },
      { opaque: undefined },
    ]);
  });

  it('with our own mark says whose state it is, and carries what has no field of its own', () => {
    const redacted = { vendor: 'anthropic', kind: 'redacted_thinking', value: 'x' };
    const extra = {
      extra_content: {
        holdfast: {
          vendor: 'anthropic',
          reasoning: [redacted, { kind: 'odd', vendor: 'a', value: 1 }],
          message: [redacted],
        },
      },
    };
    const state = { extra_content: { holdfast: { call: [redacted] } } };
    expect(
      items({ content: 'Hi', reasoning_content: 'Hm', ...extra, tool_calls: [call('a', '{}', state)] }),
    ).toMatchObject([
      { opaque: [{ vendor: 'anthropic', kind: 'reasoning_content', value: 'Hm' }, redacted] },
      { opaque: [redacted] },
      { opaque: [redacted] },
    ]);
  });

  it('with structured thinking keeps it as it came', () => {
    const chunks = [{ type: 'thinking', thinking: [{ type: 'text', text: 'Hm' }] }];
    const details = [{ type: 'reasoning.encrypted', data: 'x' }];
    expect(
      items({
        content: [...chunks, { type: 'text', text: 'Hi' }],
        reasoning_details: details,
        thinking_blocks: [{ a: 1 }],
      }),
    ).toEqual([
      {
        content: { kind: 'reasoning', text: 'Hm' },
        opaque: [
          { vendor: 'unknown', kind: 'reasoning_details', value: details },
          { vendor: 'unknown', kind: 'content_array', value: chunks },
          { vendor: 'unknown', kind: 'foreign', value: { thinking_blocks: [{ a: 1 }] } },
        ],
      },
      { content: { kind: 'message', text: 'Hi' }, opaque: undefined },
    ]);
  });
});

describe('results of calls', () => {
  it('that follow each other are one step, each under the name of its call', () => {
    const step = [
      {
        role: 'assistant',
        content: null,
        tool_calls: [call('a', '{}'), { ...call('b', '{}'), function: { name: 'g', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'a', content: '1' },
      { role: 'tool', tool_call_id: 'b', content: [{ type: 'text', text: '2' }] },
    ];
    expect(messages(...step, USER, { role: 'tool', tool_call_id: 'z', content: '3', name: 'h' })).toMatchObject([
      { role: 'assistant' },
      {
        role: 'tool',
        results: [
          { callId: 'a', name: 'f', parts: [{ type: 'text', text: '1' }], isError: false },
          { callId: 'b', name: 'g', parts: [{ type: 'text', text: '2' }], isError: false },
        ],
      },
      ASKED,
      { role: 'tool', results: [{ callId: 'z', name: 'h' }] },
    ]);
  });
});

describe('a request that cannot be read', () => {
  const bad = (messagesField: JsonValue): JsonObject => ({ messages: messagesField });
  const assistant = (fields: JsonObject): JsonObject => bad([{ role: 'assistant', ...fields }]);

  it.each<[JsonObject, string]>([
    [{ model: '' }, '"model" is missing; name a model.'],
    [bad([]), '"messages" must be a list with at least one message.'],
    [bad('Hi'), '"messages" must be a list with at least one message.'],
    [bad([USER, 'x']), '"messages[1]" must be an object with a "role".'],
    [bad([{ role: 'robot' }]), '"messages[0].role" must be "system", "developer", "user", "assistant" or "tool".'],
    [
      bad([{ role: 'function', name: 'f', content: '' }]),
      '"messages[0]" has the legacy role "function"; send the result with the role "tool".',
    ],
    [bad([USER, { role: 'user', content: 7 }]), '"messages[1].content" must be a string or a list of content parts.'],
    [bad([{ role: 'user', content: ['x'] }]), '"messages[0].content[0]" must be an object with a "type".'],
    [bad([{ role: 'user', content: [{ text: 'x' }] }]), '"messages[0].content[0].type" is missing.'],
    [bad([{ role: 'user', content: [{ type: 'text' }] }]), '"messages[0].content[0].text" must be a string.'],
    [
      bad([{ role: 'user', content: [{ type: 'image_url' }] }]),
      '"messages[0].content[0].image_url.url" is missing; send an address or a data URI.',
    ],
    [
      bad([{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:,x' } }] }]),
      '"messages[0].content[0].image_url.url" must be a data URI such as "data:image/png;base64,…".',
    ],
    [
      bad([{ role: 'user', content: [{ type: 'input_audio' }] }]),
      '"messages[0].content[0].input_audio" must be an object with "data" and "format".',
    ],
    [
      bad([{ role: 'user', content: [{ type: 'file' }] }]),
      '"messages[0].content[0].file" must be an object with "file_data" or "file_id".',
    ],
    [
      bad([{ role: 'system', content: [{ type: 'image_url', image_url: { url: 'https://x' } }] }, USER]),
      '"messages[0].content[0]" must be a text part; a message of this role holds nothing else.',
    ],
    [assistant({ content: 7 }), '"messages[0].content" must be a string, a list of content parts or null.'],
    [assistant({ tool_calls: {} }), '"messages[0].tool_calls" must be a list of tool calls.'],
    [assistant({ tool_calls: [7] }), '"messages[0].tool_calls[0]" must be an object with "id" and "function".'],
    [
      assistant({ tool_calls: [{ function: { name: 'f' } }] }),
      '"messages[0].tool_calls[0].id" is missing; its result names the call by it.',
    ],
    [assistant({ tool_calls: [{ id: 'a' }] }), '"messages[0].tool_calls[0].function.name" is missing.'],
    [
      assistant({ tool_calls: [call('a', 7)] }),
      '"messages[0].tool_calls[0].function.arguments" must be a string of JSON.',
    ],
    [assistant({ function_call: { name: 'f' } }), '"messages[0].function_call" is the legacy form; send "tool_calls".'],
    [bad([{ role: 'tool', content: 'x' }]), '"messages[0].tool_call_id" is missing; name the call that it answers.'],
    [{ tools: {} }, '"tools" must be a list of tools.'],
    [{ tools: [7] }, '"tools[0]" must be an object with "type" and "function".'],
    [{ tools: [{ type: 'function' }] }, '"tools[0].function.name" is missing.'],
    [
      { tools: [{ type: 'function', function: { name: 'f', parameters: 'x' } }] },
      '"tools[0].function.parameters" must be a JSON Schema.',
    ],
    [{ tool_choice: 'maybe' }, '"tool_choice" must be "auto", "none", "required" or an object that names a function.'],
    [{ tool_choice: { type: 'function' } }, '"tool_choice.function.name" is missing.'],
    [{ response_format: 'json' }, '"response_format" must be an object with a "type".'],
    [{ response_format: { type: 'json_schema' } }, '"response_format.json_schema.name" is missing.'],
    [
      { response_format: { type: 'json_schema', json_schema: { name: 's' } } },
      '"response_format.json_schema.schema" must be a JSON Schema.',
    ],
    [{ temperature: '1' }, '"temperature" must be a number.'],
    [{ max_tokens: 0 }, '"max_tokens" must be a whole number of at least 1.'],
    [{ max_completion_tokens: 1.5 }, '"max_completion_tokens" must be a whole number of at least 1.'],
    [{ stream: 'yes' }, '"stream" must be true or false.'],
    [{ stop: [7] }, '"stop" must be a string or a list of strings.'],
    [{ stop: 7 }, '"stop" must be a string or a list of strings.'],
    [{ n: 2 }, '"n" must be 1; ask once for each answer.'],
    [{ functions: [] }, '"functions" and "function_call" are the legacy form; send "tools" and "tool_choice".'],
    [
      { metadata: JSON.parse(`${'['.repeat(70)}${']'.repeat(70)}`) },
      'The body is nested more than 64 levels deep; send a flatter one.',
    ],
  ])('%j is refused by name', (fields, message) => {
    expect(() => read(fields)).toThrow(new MisuseError('request_invalid', message));
  });
});
