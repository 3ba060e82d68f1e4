import { describe, expect, it } from 'vitest';
import { UNKNOWN_PRODUCER } from '../../turn/index.js';
import type { Item, JsonObject, JsonValue, Message, ModelRequest, OpaqueState } from '../../turn/index.js';
import type { Quirks, Target, WireRequest } from '../dialect.js';
import { OPENAI_CHAT } from './index.js';

const ASK: ModelRequest = { model: 'm', messages: [{ role: 'user', parts: [{ type: 'text', text: 'Hi' }] }] };

function target(vendor = 'acme', quirks: Quirks = {}, stream = false): Target {
  return { vendor, stream, quirks, capabilities: UNKNOWN_PRODUCER };
}

function write(request: Partial<ModelRequest>, to: Target = target()): WireRequest {
  return OPENAI_CHAT.writeRequest({ ...ASK, ...request }, to);
}

function messagesOf(messages: readonly Message[], to?: Target): JsonValue | undefined {
  return write({ messages }, to).body['messages'];
}

function toolCall(callId: string, opaque?: readonly OpaqueState[]): Item {
  const input = { form: 'json', text: '{"a":1}', value: { a: 1 } } as const;
  return { content: { kind: 'tool_call', callId, idFromProvider: true, name: 'f', input }, opaque };
}

function said(text: string, opaque?: readonly OpaqueState[]): Item {
  return { content: { kind: 'message', text }, opaque };
}

const WIRE_CALL = { id: 'a', type: 'function', function: { name: 'f', arguments: '{"a":1}' } };

describe('the knobs of a request', () => {
  it('are absent where nobody asked for them', () => {
    expect(write({})).toEqual({
      method: 'POST',
      path: '/chat/completions',
      headers: {},
      body: { model: 'm', messages: [{ role: 'user', content: 'Hi' }] },
      notices: [],
    });
  });

  it.each<[string, Partial<ModelRequest>, Target, JsonObject]>([
    [
      'a stream asks for its counts',
      {},
      target('a', {}, true),
      { stream: true, stream_options: { include_usage: true } },
    ],
    [
      'a stream of a server that refuses that does not',
      {},
      target('a', { streamUsage: false }, true),
      { stream: true },
    ],
    ['a cap is max_tokens', { maxOutputTokens: 9 }, target(), { max_tokens: 9 }],
    [
      'a cap of OpenAI is max_completion_tokens',
      { maxOutputTokens: 9 },
      target('openai', { capField: 'max_completion_tokens' }),
      { max_completion_tokens: 9 },
    ],
    ['parallel calls are left to the server', { parallelToolCalls: true }, target(), {}],
    ['one call at a time is said', { parallelToolCalls: false }, target(), { parallel_tool_calls: false }],
    [
      'numbers have their names',
      { temperature: 0, topP: 0.5, seed: 7, presencePenalty: 1, frequencyPenalty: -1 },
      target(),
      { temperature: 0, top_p: 0.5, seed: 7, presence_penalty: 1, frequency_penalty: -1 },
    ],
    ['stops are a list', { stop: ['x'] }, target(), { stop: ['x'] }],
    ['a level is the effort', { thinking: { level: 'high' } }, target(), { reasoning_effort: 'high' }],
    ['no thinking is a level, too', { thinking: { level: 'none' } }, target(), { reasoning_effort: 'none' }],
    ['JSON is an object', { responseFormat: { type: 'json' } }, target(), { response_format: { type: 'json_object' } }],
    [
      'a schema is strict where it was asked to be',
      { responseFormat: { type: 'json_schema', name: 's', schema: {}, strict: true } },
      target(),
      { response_format: { type: 'json_schema', json_schema: { name: 's', schema: {}, strict: true } } },
    ],
    ['a choice is a word', { toolChoice: 'required' }, target(), { tool_choice: 'required' }],
    [
      'a chosen tool is named',
      { toolChoice: { name: 'f' } },
      target(),
      { tool_choice: { type: 'function', function: { name: 'f' } } },
    ],
    [
      'tools have no empty fields',
      { tools: [{ name: 'f' }, { name: 'g', description: 'd', parameters: { type: 'object' }, strict: true }] },
      target(),
      {
        tools: [
          { type: 'function', function: { name: 'f' } },
          { type: 'function', function: { name: 'g', description: 'd', parameters: { type: 'object' }, strict: true } },
        ],
      },
    ],
    ['no tools are no field', { tools: [] }, target(), {}],
    [
      'fields of this wire come back, and never over ours',
      { temperature: 1, extra: { dialect: 'openai-chat', fields: { user: 'u', temperature: 2 } } },
      target(),
      { temperature: 1, user: 'u' },
    ],
    [
      'tools of another kind come back after ours',
      { tools: [{ name: 'f' }], extra: { dialect: 'openai-chat', fields: { tools: [{ type: 'custom' }] } } },
      target(),
      { tools: [{ type: 'function', function: { name: 'f' } }, { type: 'custom' }] },
    ],
    ['fields of another wire do not', { extra: { dialect: 'gemini', fields: { safetySettings: [] } } }, target(), {}],
  ])('%s', (_what, request, to, fields) => {
    const { body } = write(request, to);
    expect(body).toEqual({ model: 'm', messages: [{ role: 'user', content: 'Hi' }], ...fields });
  });

  it('that this wire has no word for are left out with a notice', () => {
    expect(write({ topK: 5, thinking: { budgetTokens: 9 } }).notices).toEqual([
      'This wire takes a thinking level and no token budget; the budget was left out.',
      'This wire has no top_k; it was left out.',
    ]);
  });

  it('give equal bytes for equal requests', () => {
    const request = {
      tools: [{ name: 'f' }],
      temperature: 1,
      extra: { dialect: 'openai-chat', fields: { user: 'u' } },
    };
    expect(JSON.stringify(write(request).body)).toBe(JSON.stringify(write({ ...request }).body));
  });
});

describe('the messages of a request', () => {
  it.each<[Quirks, string]>([
    [{}, 'system'],
    [{ instructionsRole: 'developer' }, 'developer'],
  ])('with %j say instructions as %s', (quirks, role) => {
    const messages: readonly Message[] = [...ASK.messages, { role: 'system', text: 'Now.' }];
    expect(write({ instructions: 'Be brief.', messages }, target('a', quirks)).body['messages']).toEqual([
      { role, content: 'Be brief.' },
      { role: 'user', content: 'Hi' },
      { role, content: 'Now.' },
    ]);
  });

  it('carry media in the parts of this wire', () => {
    const parts = [
      { type: 'text', text: 'See' },
      { type: 'media', mediaType: 'image/png', data: 'iVBO' },
      { type: 'media', mediaType: 'audio/wav', data: 'UklG' },
      { type: 'media', mediaType: 'application/pdf', data: 'JVBE', name: 'a.pdf' },
      { type: 'media_url', mediaType: undefined, url: 'https://x/y.png' },
      { type: 'foreign', dialect: 'openai-chat', value: { type: 'file', file: { file_id: 'f' } } },
    ] as const;
    expect(messagesOf([{ role: 'user', parts }])).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'See' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBO' } },
          { type: 'input_audio', input_audio: { data: 'UklG', format: 'wav' } },
          { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBE' } },
          { type: 'image_url', image_url: { url: 'https://x/y.png' } },
          { type: 'file', file: { file_id: 'f' } },
        ],
      },
    ]);
  });

  it.each([
    { type: 'foreign', dialect: 'gemini', value: {} },
    { type: 'media_url', mediaType: 'video/mp4', url: 'https://x/y.mp4' },
  ] as const)('refuse what would be lost: %j', (part) => {
    expect(() => messagesOf([{ role: 'user', parts: [part] }])).toThrow(/^The Chat Completions wire cannot carry/u);
  });

  it('put one reply into one message, null beside calls alone', () => {
    expect(messagesOf([{ role: 'assistant', items: [said('A'), said('B'), toolCall('a')] }])).toEqual([
      { role: 'assistant', content: 'AB', tool_calls: [WIRE_CALL] },
    ]);
    expect(messagesOf([{ role: 'assistant', items: [toolCall('a')] }])).toEqual([
      { role: 'assistant', content: null, tool_calls: [WIRE_CALL] },
    ]);
  });

  it('hold no assistant message with neither text nor calls', () => {
    const thought: Item = { content: { kind: 'reasoning', text: 'Hm' }, opaque: undefined };
    expect(messagesOf([{ role: 'assistant', items: [thought] }, ...ASK.messages])).toEqual([
      { role: 'user', content: 'Hi' },
    ]);
  });

  it('say a refusal in its own field at OpenAI and as text elsewhere', () => {
    const items: readonly Item[] = [{ content: { kind: 'refusal', text: 'No.' }, opaque: undefined }];
    expect(messagesOf([{ role: 'assistant', items }], target('openai'))).toEqual([
      { role: 'assistant', content: null, refusal: 'No.' },
    ]);
    expect(messagesOf([{ role: 'assistant', items }])).toEqual([{ role: 'assistant', content: 'No.' }]);
  });

  it('say calls in the form that they had', () => {
    const call = (input: Extract<Item['content'], { kind: 'tool_call' }>['input']): Item => ({
      content: { kind: 'tool_call', callId: 'a', idFromProvider: true, name: 'f', input },
      opaque: undefined,
    });
    const items = [call({ form: 'text', text: 'select 1' }), call({ form: 'invalid', text: '{"a":' })];
    expect(messagesOf([{ role: 'assistant', items }])).toEqual([
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: 'a', type: 'custom', custom: { name: 'f', input: 'select 1' } },
          { id: 'a', type: 'function', function: { name: 'f', arguments: '{"_invalid_arguments":"{\\"a\\":"}' } },
        ],
      },
    ]);
  });

  it('answer each call in a message of its own, media after them', () => {
    const results = [
      {
        callId: 'a',
        name: 'f',
        parts: [
          { type: 'text', text: '1' },
          { type: 'text', text: '2' },
        ],
        isError: true,
      },
      { callId: 'b', name: 'g', parts: [{ type: 'media', mediaType: 'image/png', data: 'iVBO' }], isError: false },
    ] as const;
    const { body, notices } = write({ messages: [{ role: 'tool', results }] });
    expect({ messages: body['messages'], notices }).toEqual({
      messages: [
        { role: 'tool', tool_call_id: 'a', content: '1\n2' },
        { role: 'tool', tool_call_id: 'b', content: 'The media of this result is in the next message.' },
        { role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,iVBO' } }] },
      ],
      notices: ['Tool results hold text alone on this wire; their media was sent in a user message after them.'],
    });
  });

  it('give Mistral nine letters or digits as the id of a call and of its result, and nobody else', () => {
    const messages: readonly Message[] = [
      { role: 'assistant', items: [toolCall('call_00_abcdef'), toolCall('gSIMJiOkT')] },
      {
        role: 'tool',
        results: [{ callId: 'call_00_abcdef', name: 'f', parts: [{ type: 'text', text: '' }], isError: false }],
      },
    ];
    const text = JSON.stringify(messagesOf(messages, target('mistral')));
    const ids = [...text.matchAll(/"(?:id|tool_call_id)":"([^"]*)"/gu)].map(([, id]) => id);
    expect(ids).toEqual([expect.stringMatching(/^[a-z0-9]{9}$/u), 'gSIMJiOkT', ids[0]]);
    expect(JSON.stringify(messagesOf(messages))).toContain('call_00_abcdef');
  });
});

describe('opaque state (I6)', () => {
  const reasoning: Item = {
    content: { kind: 'reasoning', text: 'Hm' },
    opaque: [
      { vendor: 'acme', kind: 'reasoning_content', value: 'Hm' },
      { vendor: 'acme', kind: 'reasoning_details', value: [{ type: 'reasoning.text', text: 'Hm' }] },
      { vendor: 'acme', kind: 'foreign', value: { thinking_blocks: [{ type: 'thinking', thinking: 'Hm' }] } },
    ],
  };
  const google: OpaqueState = { vendor: 'google', kind: 'thought_signature', value: 'U0lH' };
  const foreign: OpaqueState = {
    vendor: 'google',
    kind: 'foreign',
    value: { extra_content: { google: { seen: true }, other: 1 } },
  };

  it('goes back to the vendor that made it, in its own fields', () => {
    expect(messagesOf([{ role: 'assistant', items: [reasoning, said('Hi')] }])).toEqual([
      {
        thinking_blocks: [{ type: 'thinking', thinking: 'Hm' }],
        role: 'assistant',
        content: 'Hi',
        reasoning_content: 'Hm',
        reasoning_details: [{ type: 'reasoning.text', text: 'Hm' }],
      },
    ]);
  });

  it('goes to nobody else, and the trace says so', () => {
    const { body, notices } = write(
      { messages: [{ role: 'assistant', items: [reasoning, said('Hi')] }] },
      target('other'),
    );
    expect({ messages: body['messages'], notices }).toEqual({
      messages: [{ role: 'assistant', content: 'Hi' }],
      notices: ['State that acme made for itself was not sent to other.'],
    });
  });

  it('of a vendor that nobody named goes to nobody, and the trace says so', () => {
    const opaque = [{ vendor: 'unknown', kind: 'reasoning_content', value: 'Hm' }] as const;
    const thought: Item = { content: { kind: 'reasoning', text: 'Hm' }, opaque };
    const { body, notices } = write({ messages: [{ role: 'assistant', items: [thought, said('Hi')] }] });
    expect({ messages: body['messages'], notices }).toEqual({
      messages: [{ role: 'assistant', content: 'Hi' }],
      notices: ['State that nobody named as its own was not sent to acme.'],
    });
  });

  it('of Google stands on its own call and its own message', () => {
    const items = [said('Hi', [google]), toolCall('a', [google, foreign]), toolCall('b')];
    expect(messagesOf([{ role: 'assistant', items }], target('google'))).toEqual([
      {
        extra_content: { google: { thought_signature: 'U0lH' } },
        role: 'assistant',
        content: 'Hi',
        tool_calls: [
          { extra_content: { google: { thought_signature: 'U0lH', seen: true }, other: 1 }, ...WIRE_CALL },
          { ...WIRE_CALL, id: 'b' },
        ],
      },
    ]);
    expect(JSON.stringify(messagesOf([{ role: 'assistant', items }]))).not.toContain('extra_content');
  });

  it('of Mistral stands inside the content, before the text', () => {
    const chunks = [{ type: 'thinking', thinking: [{ type: 'text', text: 'Hm' }] }];
    const item: Item = {
      content: { kind: 'reasoning', text: 'Hm' },
      opaque: [{ vendor: 'mistral', kind: 'content_array', value: chunks }],
    };
    expect(messagesOf([{ role: 'assistant', items: [item, said('Hi')] }], target('mistral'))).toEqual([
      { role: 'assistant', content: [...chunks, { type: 'text', text: 'Hi' }] },
    ]);
  });
});

describe('a client’s own body', () => {
  const client = (body: JsonObject): Parameters<typeof OPENAI_CHAT.amendRequest>[0] => ({
    path: '',
    query: {},
    headers: {},
    body,
  });
  const messages = [{ role: 'user', content: 'Hi', name: 'x' }];

  it('keeps its order and its unknown fields, with another model', () => {
    const body = { user: 'u', model: 'main', messages, stream: true, odd: { a: [1] } };
    const wire = OPENAI_CHAT.amendRequest(
      client(body),
      { model: 'm', maxOutputTokens: undefined, notes: [] },
      target('a', {}, true),
    );
    expect(JSON.stringify(wire.body)).toBe(JSON.stringify({ ...body, model: 'm' }));
  });

  it.each<[JsonObject, Quirks, JsonObject]>([
    [{ max_tokens: 1 }, {}, { max_tokens: 9 }],
    [{ max_completion_tokens: 1 }, {}, { max_completion_tokens: 9 }],
    [{}, {}, { max_tokens: 9 }],
    [{ max_tokens: null }, { capField: 'max_completion_tokens' }, { max_tokens: null, max_completion_tokens: 9 }],
  ])('%j with %j gets the cap as %j', (own, quirks, expected) => {
    const wire = OPENAI_CHAT.amendRequest(
      client({ model: 'x', messages, ...own }),
      { model: 'm', maxOutputTokens: 9, notes: [] },
      target('a', quirks),
    );
    expect(wire.body).toEqual({ model: 'm', messages, ...expected });
  });

  it('gets notes at the end of its messages', () => {
    const wire = OPENAI_CHAT.amendRequest(
      client({ model: 'x', messages }),
      { model: 'm', maxOutputTokens: undefined, notes: ['A', 'B'] },
      target(),
    );
    expect(wire.body['messages']).toEqual([
      ...messages,
      { role: 'system', content: 'A' },
      { role: 'system', content: 'B' },
    ]);
  });

  it('streams as the target does, and asks for the counts of a stream that its client did not ask for', () => {
    const amend = (own: JsonObject, wanted: boolean, quirks: Quirks = {}): unknown => {
      const amendment = { model: 'm', maxOutputTokens: undefined, notes: [] };
      return OPENAI_CHAT.amendRequest(client({ model: 'x', ...own }), amendment, target('a', quirks, wanted)).body;
    };
    const counted = { stream: true, stream_options: { include_usage: true } };
    expect(amend({}, false)).toEqual({ model: 'm' });
    expect(amend({ stream: false }, false)).toEqual({ model: 'm', stream: false });
    expect(amend({ stream: true }, true)).toEqual({ model: 'm', stream: true });
    expect(amend(counted, false)).toEqual({ model: 'm', stream: false });
    expect(amend({ stream: false }, true)).toEqual({ model: 'm', ...counted });
    expect(amend({}, true, { streamUsage: false })).toEqual({ model: 'm', stream: true });
  });
});
