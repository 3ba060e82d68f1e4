import { describe, expect, it } from 'vitest';
import { UNKNOWN_PRODUCER } from '../../turn/index.js';
import type { Item, Message, ModelRequest, OpaqueState } from '../../turn/index.js';
import type { Quirks, Target } from '../dialect.js';
import { GEMINI } from './index.js';

function target(more: { stream?: boolean; quirks?: Quirks; vendor?: string } = {}): Target {
  return { vendor: 'google', stream: true, quirks: {}, capabilities: UNKNOWN_PRODUCER, ...more };
}

const USER: Message = { role: 'user', parts: [{ type: 'text', text: 'go' }] };
const GOOGLE: readonly OpaqueState[] = [{ vendor: 'google', kind: 'thought_signature', value: 'AbCd==' }];
const OTHER: readonly OpaqueState[] = [{ vendor: 'anthropic', kind: 'signature', value: 'zzz' }];

function call(name: string, opaque?: readonly OpaqueState[], id?: string): Item {
  const input = { form: 'json' as const, text: '{}', value: {} };
  return {
    content: { kind: 'tool_call', callId: id ?? `call_${name}`, idFromProvider: id !== undefined, name, input },
    opaque,
  };
}

function say(kind: 'message' | 'reasoning', text: string, opaque?: readonly OpaqueState[]): Item {
  return { content: { kind, text }, opaque };
}

function results(...callIds: readonly string[]): Message {
  return {
    role: 'tool',
    results: callIds.map((callId) => ({
      callId,
      name: undefined,
      parts: [{ type: 'text', text: callId }],
      isError: false,
    })),
  };
}

function contents(...messages: readonly Message[]): {
  readonly contents: unknown;
  readonly notices: readonly string[];
} {
  const { body, notices } = GEMINI.writeRequest({ model: 'm', messages }, target());
  return { contents: body['contents'], notices };
}

const GO = { role: 'user', parts: [{ text: 'go' }] };

describe('a request with everything that Gemini has a word for', () => {
  const request: ModelRequest = {
    model: 'gemini-3-pro',
    instructions: 'Be brief.',
    messages: [USER],
    tools: [{ name: 'now', description: 'The time', parameters: { type: 'object' } }, { name: 'bare' }],
    toolChoice: { name: 'now' },
    maxOutputTokens: 100,
    temperature: 0,
    topP: 0.5,
    topK: 40,
    seed: 7,
    presencePenalty: 0.1,
    frequencyPenalty: 0.2,
    stop: ['END'],
    thinking: { level: 'low', show: true },
    responseFormat: { type: 'json_schema', name: 'answer', schema: { type: 'object' } },
  };

  it('is written in the order of the wire, with the same bytes each time', () => {
    const wire = GEMINI.writeRequest(request, target());
    expect(wire).toEqual({
      method: 'POST',
      path: '/models/gemini-3-pro:streamGenerateContent?alt=sse',
      headers: {},
      notices: [],
      body: {
        contents: [GO],
        systemInstruction: { parts: [{ text: 'Be brief.' }] },
        tools: [
          {
            functionDeclarations: [
              { name: 'now', description: 'The time', parametersJsonSchema: { type: 'object' } },
              { name: 'bare' },
            ],
          },
        ],
        toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['now'] } },
        generationConfig: {
          temperature: 0,
          topP: 0.5,
          topK: 40,
          maxOutputTokens: 100,
          seed: 7,
          presencePenalty: 0.1,
          frequencyPenalty: 0.2,
          stopSequences: ['END'],
          responseMimeType: 'application/json',
          responseJsonSchema: { type: 'object' },
          thinkingConfig: { includeThoughts: true, thinkingLevel: 'LOW' },
        },
      },
    });
    expect(JSON.stringify(GEMINI.writeRequest(request, target()))).toBe(JSON.stringify(wire));
  });

  it('goes to generateContent where no stream is asked for', () => {
    expect(GEMINI.writeRequest(request, target({ stream: false })).path).toBe('/models/gemini-3-pro:generateContent');
  });
});

describe('a request with nothing but its messages', () => {
  it('has no empty field', () => {
    expect(GEMINI.writeRequest({ model: 'a b/c:d', messages: [USER], tools: [] }, target())).toEqual({
      method: 'POST',
      path: '/models/a%20b/c%3Ad:streamGenerateContent?alt=sse',
      headers: {},
      body: { contents: [GO] },
      notices: [],
    });
  });
});

describe('what Gemini has no word for', () => {
  const base: ModelRequest = { model: 'm', messages: [USER] };

  it.each<[string, Partial<ModelRequest>]>([
    ['parallel_tool_calls', { parallelToolCalls: false }],
    ['strict', { tools: [{ name: 'f', strict: true }] }],
    ['"none"', { thinking: { level: 'none' } }],
    ['"xhigh"', { thinking: { level: 'xhigh' } }],
    ['"max"', { thinking: { level: 'max' } }],
    ['budget', { thinking: { level: 'low', budgetTokens: 5 } }],
    ['openai-chat', { messages: [{ role: 'user', parts: [{ type: 'foreign', dialect: 'openai-chat', value: {} }] }] }],
  ])('is left out with a notice that names it: %s', (word, more) => {
    const { notices } = GEMINI.writeRequest({ ...base, ...more }, target());
    expect(notices).toHaveLength(1);
    expect(notices[0]).toContain(word);
  });

  it('maps thinking onto the four levels, or onto a budget, never both', () => {
    const config = (thinking: NonNullable<ModelRequest['thinking']>): unknown =>
      GEMINI.writeRequest({ ...base, thinking }, target()).body['generationConfig'];
    expect([
      config({ level: 'none' }),
      config({ level: 'max', budgetTokens: 5 }),
      config({ budgetTokens: -1 }),
      config({ show: false }),
      config({}),
    ]).toEqual([
      { thinkingConfig: { thinkingLevel: 'MINIMAL' } },
      { thinkingConfig: { thinkingLevel: 'HIGH' } },
      { thinkingConfig: { thinkingBudget: -1 } },
      { thinkingConfig: { includeThoughts: false } },
      undefined,
    ]);
  });

  it('goes out as the client wrote it where the client speaks this wire, and not otherwise', () => {
    const fields = {
      safetySettings: [{ category: 'X' }],
      tools: [{ googleSearch: {} }],
      generationConfig: { candidateCount: 1, temperature: 0.9 },
    };
    const request: ModelRequest = { ...base, tools: [{ name: 'f' }], temperature: 0.1, topP: 0.5 };
    const written = (dialect: string): unknown =>
      GEMINI.writeRequest({ ...request, extra: { dialect, fields } }, target()).body;
    const tools = [{ functionDeclarations: [{ name: 'f' }] }];
    expect(written('gemini')).toEqual({
      contents: [GO],
      tools: [...tools, { googleSearch: {} }],
      generationConfig: { temperature: 0.9, topP: 0.5, candidateCount: 1 },
      safetySettings: [{ category: 'X' }],
    });
    expect(written('openai-chat')).toEqual({
      contents: [GO],
      tools,
      generationConfig: { temperature: 0.1, topP: 0.5 },
    });
  });
});

describe('a host that can stream arguments', () => {
  const quirks: Quirks = { streamFunctionCallArguments: true };
  const request: ModelRequest = { model: 'm', messages: [USER], tools: [{ name: 'f' }], toolChoice: 'auto' };

  it('is asked to, in a stream with tools alone', () => {
    const asked = (more: Partial<ModelRequest>, stream: boolean): unknown =>
      GEMINI.writeRequest({ ...request, ...more }, target({ quirks, stream })).body['toolConfig'];
    expect([asked({}, true), asked({}, false), asked({ tools: [] }, true)]).toEqual([
      { functionCallingConfig: { mode: 'AUTO', streamFunctionCallArguments: true } },
      { functionCallingConfig: { mode: 'AUTO' } },
      { functionCallingConfig: { mode: 'AUTO' } },
    ]);
  });
});

describe('the replay of a step (I6)', () => {
  it('sends each item as one part, in place, with its own signature and no other', () => {
    const items = [
      say('reasoning', 'hm'),
      say('message', 'I look. '),
      say('message', '', GOOGLE),
      call('weather', GOOGLE, 'fc-1'),
      call('time'),
    ];
    const { notices, contents: written } = contents(USER, { role: 'assistant', items }, results('fc-1', 'call_time'));
    expect(written).toEqual([
      GO,
      {
        role: 'model',
        parts: [
          { text: 'hm', thought: true },
          { text: 'I look. ' },
          { text: '', thoughtSignature: 'AbCd==' },
          { functionCall: { id: 'fc-1', name: 'weather', args: {} }, thoughtSignature: 'AbCd==' },
          { functionCall: { name: 'time', args: {} } },
        ],
      },
      {
        role: 'user',
        parts: [
          { functionResponse: { id: 'fc-1', name: 'weather', response: { output: 'fc-1' } } },
          { functionResponse: { name: 'time', response: { output: 'call_time' } } },
        ],
      },
    ]);
    expect(notices).toEqual([]);
  });

  it('that came without a signature sends none', () => {
    const { notices, contents: written } = contents(
      USER,
      { role: 'assistant', items: [call('now')] },
      results('call_now'),
    );
    expect(JSON.stringify(written)).not.toContain('thoughtSignature');
    expect(notices).toEqual([]);
  });

  it('that another vendor made leaves its state out, and signs the first call of this turn with the placeholder', () => {
    const foreign: Message = { role: 'assistant', items: [say('reasoning', 'mine', OTHER), call('a'), call('b')] };
    const { notices, contents: written } = contents(USER, foreign, results('call_a', 'call_b'), USER, foreign);
    const parts = [{ functionCall: { name: 'a', args: {} } }, { functionCall: { name: 'b', args: {} } }];
    expect(written).toMatchObject([
      GO,
      { role: 'model', parts },
      { role: 'user' },
      GO,
      { role: 'model', parts: [{ ...parts[0], thoughtSignature: 'skip_thought_signature_validator' }, parts[1]] },
    ]);
    expect(JSON.stringify(written).match(/skip_thought/gu)).toHaveLength(1);
    expect(JSON.stringify(written)).not.toMatch(/zzz|mine/u);
    expect(notices).toHaveLength(1);
    expect(notices[0]).toContain('"a"');
  });

  it('whose client did not say whose state it carries gets no placeholder, and no word of its thinking', () => {
    const unknown: readonly OpaqueState[] = [{ vendor: 'unknown', kind: 'reasoning_content', value: 'mine' }];
    const { notices, contents: written } = contents(
      USER,
      { role: 'assistant', items: [say('reasoning', 'mine', unknown), call('a')] },
      results('call_a'),
    );
    expect(written).toMatchObject([GO, { role: 'model', parts: [{ functionCall: { name: 'a' } }] }, { role: 'user' }]);
    expect(JSON.stringify(written)).not.toMatch(/thoughtSignature|mine/u);
    expect(notices).toEqual([]);
  });

  it('never signs over a true signature', () => {
    const { notices, contents: written } = contents(USER, {
      role: 'assistant',
      items: [say('reasoning', 'x', OTHER), call('a', GOOGLE)],
    });
    expect(written).toMatchObject([GO, { parts: [{ text: 'x' }, { thoughtSignature: 'AbCd==' }] }]);
    expect(notices).toEqual([]);
  });

  it('sends no signature of Google to another vendor of this wire', () => {
    const messages: Message[] = [USER, { role: 'assistant', items: [call('a', GOOGLE)] }];
    const { body } = GEMINI.writeRequest({ model: 'm', messages }, target({ vendor: 'someone' }));
    expect(JSON.stringify(body)).not.toContain('thoughtSignature');
  });

  it('keeps parts of this wire in place and leaves parts of others out', () => {
    const items: Item[] = [
      { content: { kind: 'foreign', wireKind: 'toolCall', value: { toolCall: { id: 's' } } }, opaque: GOOGLE },
      {
        content: { kind: 'foreign', wireKind: 'web_search_call', value: { type: 'web_search_call' } },
        opaque: undefined,
      },
      { content: { kind: 'refusal', text: 'No.' }, opaque: undefined },
    ];
    expect(contents(USER, { role: 'assistant', items }).contents).toEqual([
      GO,
      { role: 'model', parts: [{ toolCall: { id: 's' }, thoughtSignature: 'AbCd==' }, { text: 'No.' }] },
    ]);
  });

  it('of nothing that may be sent is no content', () => {
    expect(
      contents(USER, { role: 'assistant', items: [say('reasoning', 'x', OTHER), say('message', '')] }).contents,
    ).toEqual([GO]);
  });
});

describe('the results of a step', () => {
  it('stand in one content, also where they came as several messages', () => {
    const { contents: written } = contents(
      USER,
      { role: 'assistant', items: [call('a'), call('b')] },
      results('call_a'),
      results('call_b'),
    );
    expect(written).toMatchObject([GO, { role: 'model' }, { role: 'user', parts: [{}, {}] }]);
    expect(written).toHaveLength(3);
  });

  it.each([
    ['plain', false, { output: 'plain' }],
    ['boom', true, { error: 'boom' }],
    ['{"a":1}', false, { a: 1 }],
    ['{"a":1}', true, { error: '{"a":1}' }],
    ['{ "a": 1 }', false, { output: '{ "a": 1 }' }],
    ['{"id":12345678901234567890}', false, { output: '{"id":12345678901234567890}' }],
    ['{"output":"x"}', false, { output: '{"output":"x"}' }],
    ['[1]', false, { output: '[1]' }],
  ])('carry %s (error: %s) without losing a character', (text, isError, response) => {
    const message: Message = {
      role: 'tool',
      results: [{ callId: 'x', name: 'f', parts: [{ type: 'text', text }], isError }],
    };
    expect(contents(USER, message).contents).toEqual([
      GO,
      { role: 'user', parts: [{ functionResponse: { name: 'f', response } }] },
    ]);
  });

  it('carry media beside their text', () => {
    const parts = [{ type: 'media' as const, mediaType: 'image/png', data: 'QUJD' }];
    const message: Message = { role: 'tool', results: [{ callId: 'x', name: 'f', parts, isError: false }] };
    expect(contents(USER, message).contents).toMatchObject([
      GO,
      {
        parts: [
          {
            functionResponse: {
              name: 'f',
              response: {},
              parts: [{ inlineData: { mimeType: 'image/png', data: 'QUJD' } }],
            },
          },
        ],
      },
    ]);
  });
});

describe('other messages', () => {
  it('become contents of their own', () => {
    const user: Message = {
      role: 'user',
      parts: [
        { type: 'text', text: 'see' },
        { type: 'media', mediaType: 'image/png', data: 'QUJD', name: 'a.png' },
        { type: 'media_url', mediaType: undefined, url: 'https://x.test/a' },
        { type: 'foreign', dialect: 'gemini', value: { hologram: {} } },
      ],
    };
    expect(contents(user, { role: 'system', text: 'It is noon.' }).contents).toEqual([
      {
        role: 'user',
        parts: [
          { text: 'see' },
          { inlineData: { mimeType: 'image/png', data: 'QUJD', displayName: 'a.png' } },
          { fileData: { fileUri: 'https://x.test/a' } },
          { hologram: {} },
        ],
      },
      { role: 'user', parts: [{ text: 'It is noon.' }] },
    ]);
  });
});
