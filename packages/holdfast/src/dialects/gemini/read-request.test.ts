import { describe, expect, it } from 'vitest';
import { MisuseError } from '../../turn/index.js';
import type { JsonObject, Message, ModelRequest, OpaqueState } from '../../turn/index.js';
import type { ReadRequest } from '../dialect.js';
import { GEMINI } from './index.js';

const GO: JsonObject = { role: 'user', parts: [{ text: 'go' }] };
const USER: Message = { role: 'user', parts: [{ type: 'text', text: 'go' }] };
const SIGNED: readonly OpaqueState[] = [{ vendor: 'google', kind: 'thought_signature', value: 'AbCd==' }];

function read(body: JsonObject, more: { path?: string; alt?: string } = {}): ReadRequest {
  const path = more.path ?? '/v1beta/models/main:streamGenerateContent';
  return GEMINI.readRequest({ path, query: more.alt === undefined ? {} : { alt: more.alt }, headers: {}, body });
}

function request(body: JsonObject): ModelRequest {
  return read({ contents: [GO], ...body }).request;
}

function messages(...contents: readonly JsonObject[]): readonly Message[] {
  return read({ contents }).request.messages;
}

function refusal(body: JsonObject, path?: string): string {
  try {
    read(body, path === undefined ? {} : { path });
  } catch (error) {
    if (error instanceof MisuseError && error.code === 'request_invalid') return error.message;
    throw error;
  }
  return 'accepted';
}

function call(name: string, callId: string, more: { id?: boolean; opaque?: readonly OpaqueState[] } = {}): unknown {
  const input = { form: 'json', text: '{}', value: {} };
  return { content: { kind: 'tool_call', callId, idFromProvider: more.id ?? false, name, input }, opaque: more.opaque };
}

describe('the path of a call', () => {
  it.each([
    ['/v1beta/models/main:streamGenerateContent', 'sse', 'main', true, 'sse'],
    ['/v1beta/models/main:streamGenerateContent', undefined, 'main', true, 'json_array'],
    ['/v1/models/main:generateContent', undefined, 'main', false, 'sse'],
    ['/v1alpha/models/hf%2Fa%3Ab:generateContent', undefined, 'hf/a:b', false, 'sse'],
    ['/v1beta/models/hf/a:b:generateContent', undefined, 'hf/a:b', false, 'sse'],
  ])('%s (alt=%s) names model and method', (path, alt, model, stream, framing) => {
    expect(read({ contents: [GO] }, { path, ...(alt === undefined ? {} : { alt }) })).toEqual({
      request: { model, messages: [USER] },
      stream,
      framing,
      wantsUsage: true,
    });
  });

  it.each([
    '/v1beta/models/main',
    '/v1beta/models/main:embedContent',
    '/models/main:generateContent',
    '/v1/models/%E0%A4:generateContent',
  ])('%s is refused by name', (path) => {
    expect(refusal({ contents: [GO] }, path)).toContain(path);
  });
});

describe('a request in the spelling of an SDK and in the proto spelling', () => {
  const wanted: ModelRequest = {
    model: 'main',
    instructions: 'Be brief.\nBe kind.',
    messages: [USER],
    tools: [{ name: 'now', description: 'The time', parameters: { type: 'object' } }],
    toolChoice: { name: 'now' },
    maxOutputTokens: 100,
    temperature: 0,
    topP: 0.5,
    topK: 40,
    seed: 7,
    presencePenalty: 0.1,
    frequencyPenalty: 0.2,
    stop: ['END'],
    thinking: { level: 'low', budgetTokens: 5, show: true },
    responseFormat: { type: 'json_schema', name: 'response', schema: { type: 'object' } },
  };

  it('is the same request', () => {
    const camel = request({
      systemInstruction: { role: 'user', parts: [{ text: 'Be brief.' }, { text: 'Be kind.' }] },
      tools: [
        { functionDeclarations: [{ name: 'now', description: 'The time', parametersJsonSchema: { type: 'object' } }] },
      ],
      toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['now'] } },
      generationConfig: {
        maxOutputTokens: 100,
        temperature: 0,
        topP: 0.5,
        topK: 40,
        seed: 7,
        presencePenalty: 0.1,
        frequencyPenalty: 0.2,
        stopSequences: ['END'],
        responseMimeType: 'application/json',
        responseJsonSchema: { type: 'object' },
        thinkingConfig: { includeThoughts: true, thinkingLevel: 'LOW', thinkingBudget: 5 },
      },
    });
    const proto = request({
      system_instruction: { parts: [{ text: 'Be brief.' }, { text: 'Be kind.' }] },
      tools: [
        {
          function_declarations: [{ name: 'now', description: 'The time', parameters_json_schema: { type: 'object' } }],
        },
      ],
      tool_config: { function_calling_config: { mode: 'ANY', allowed_function_names: ['now'] } },
      generation_config: {
        max_output_tokens: '100',
        temperature: 0,
        top_p: 0.5,
        top_k: 40,
        seed: 7,
        presence_penalty: 0.1,
        frequency_penalty: 0.2,
        stop_sequences: ['END'],
        response_mime_type: 'application/json',
        response_schema: { type: 'OBJECT' },
        thinking_config: { include_thoughts: true, thinking_level: 'low', thinking_budget: 5 },
      },
    });
    expect(camel).toEqual(wanted);
    expect(proto).toEqual(wanted);
  });

  it('that says null says nothing', () => {
    expect(
      request({ generationConfig: null, toolConfig: null, tools: null, safetySettings: null, systemInstruction: null }),
    ).toEqual({
      model: 'main',
      messages: [USER],
    });
  });
});

describe('a schema in the form of the provider', () => {
  it('becomes JSON Schema', () => {
    const parameters = {
      type: 'OBJECT',
      properties: {
        type: { type: 'STRING', nullable: true, enum: ['OBJECT'] },
        list: { type: 'ARRAY', items: { type: 'INTEGER', format: 'int32' }, minItems: '1', max_items: 3 },
        either: { anyOf: [{ type: 'NUMBER' }, { type: 'NULL' }], description: 'STRING' },
      },
      required: ['type'],
      propertyOrdering: ['type'],
    };
    expect(request({ tools: [{ functionDeclarations: [{ name: 'f', parameters }] }] }).tools).toEqual([
      {
        name: 'f',
        parameters: {
          type: 'object',
          properties: {
            type: { type: ['string', 'null'], enum: ['OBJECT'] },
            list: { type: 'array', items: { type: 'integer', format: 'int32' }, minItems: 1, maxItems: 3 },
            either: { anyOf: [{ type: 'number' }, { type: 'null' }], description: 'STRING' },
          },
          required: ['type'],
          propertyOrdering: ['type'],
        },
      },
    ]);
  });
});

describe('tool modes', () => {
  it.each([
    [{ mode: 'AUTO' }, 'auto', undefined],
    [{ mode: 'NONE' }, 'none', undefined],
    [{ mode: 'ANY' }, 'required', undefined],
    [{ mode: 'ANY', allowedFunctionNames: ['f'] }, { name: 'f' }, undefined],
    [{ mode: 'VALIDATED' }, 'auto', { mode: 'VALIDATED' }],
    [{ mode: 'ANY', allowedFunctionNames: ['f', 'g'] }, 'required', { mode: 'ANY', allowedFunctionNames: ['f', 'g'] }],
    [{ mode: 'NEWER' }, undefined, { mode: 'NEWER' }],
  ])('%o', (functionCallingConfig, toolChoice, kept) => {
    const { toolChoice: choice, extra } = request({ toolConfig: { functionCallingConfig } });
    expect([choice, extra?.fields]).toEqual([
      toolChoice,
      kept === undefined ? undefined : { toolConfig: { functionCallingConfig: kept } },
    ]);
  });
});

describe('fields without a neutral name', () => {
  it('are kept for this wire, in their places', () => {
    const body = {
      safetySettings: [{ category: 'X' }],
      cachedContent: 'cachedContents/1',
      tools: [{ functionDeclarations: [{ name: 'f' }], codeExecution: null }, { googleSearch: {} }],
      toolConfig: { includeServerSideToolInvocations: true },
      generationConfig: { topK: 1, candidateCount: 1, responseModalities: ['TEXT'], responseMimeType: 'text/x.enum' },
    };
    expect(request(body)).toEqual({
      model: 'main',
      messages: [USER],
      tools: [{ name: 'f' }],
      topK: 1,
      extra: {
        dialect: 'gemini',
        fields: {
          safetySettings: [{ category: 'X' }],
          cachedContent: 'cachedContents/1',
          tools: [{ googleSearch: {} }],
          toolConfig: { includeServerSideToolInvocations: true },
          generationConfig: { candidateCount: 1, responseModalities: ['TEXT'], responseMimeType: 'text/x.enum' },
        },
      },
    });
  });
});

describe('a history', () => {
  it('keeps each part of a model as an item with its signature, over contents of one role', () => {
    const parts = [
      { text: 'hm', thought: true },
      { text: 'I look.' },
      { text: '', thoughtSignature: 'AbCd==' },
      { text: '' },
    ];
    expect(
      messages(
        GO,
        { role: 'model', parts },
        {
          role: 'model',
          parts: [{ functionCall: { name: 'f' }, thought_signature: 'AbCd==' }, { executableCode: { code: '1' } }],
        },
      ),
    ).toEqual([
      USER,
      {
        role: 'assistant',
        items: [
          { content: { kind: 'reasoning', text: 'hm' }, opaque: undefined },
          { content: { kind: 'message', text: 'I look.' }, opaque: undefined },
          { content: { kind: 'message', text: '' }, opaque: SIGNED },
          call('f', 'call_h2_0', { opaque: SIGNED }),
          {
            content: { kind: 'foreign', wireKind: 'executableCode', value: { executableCode: { code: '1' } } },
            opaque: undefined,
          },
        ],
      },
    ]);
  });

  it('pairs results with calls by id, and without one by name in order', () => {
    const response = (name: string, output: string, id?: string): JsonObject => ({
      functionResponse: { name, response: { output }, ...(id === undefined ? {} : { id }) },
    });
    const [, model, tool] = messages(
      GO,
      {
        role: 'model',
        parts: [
          { functionCall: { name: 'f', args: {} } },
          { functionCall: { name: 'g', id: 'g1' } },
          { functionCall: { name: 'f' } },
          { functionCall: { name: 'g', id: 'g1' } },
        ],
      },
      { role: 'user', parts: [response('g', 'one', 'g1'), response('f', 'two')] },
      { role: 'function', parts: [response('f', 'three'), response('g', 'four', 'g1'), response('h', 'five')] },
    );
    expect(model).toEqual({
      role: 'assistant',
      items: [call('f', 'call_h1_0'), call('g', 'g1', { id: true }), call('f', 'call_h1_2'), call('g', 'call_h1_3')],
    });
    const result = (callId: string, name: string, text: string): unknown => ({
      callId,
      name,
      parts: [{ type: 'text', text }],
      isError: false,
    });
    expect(tool).toEqual({
      role: 'tool',
      results: [
        result('g1', 'g', 'one'),
        result('call_h1_0', 'f', 'two'),
        result('call_h1_2', 'f', 'three'),
        result('call_h1_3', 'g', 'four'),
        result('call_h3_2', 'h', 'five'),
      ],
    });
  });

  it('reads results as text, errors as errors, and media beside them', () => {
    const result = (functionResponse: JsonObject): unknown => {
      const [message] = messages({ parts: [{ functionResponse: { name: 'f', ...functionResponse } }] });
      return message?.role === 'tool' ? message.results.map(({ parts, isError }) => [parts, isError]) : message;
    };
    const text = (value: string): unknown => [{ type: 'text', text: value }];
    const image = { inlineData: { mimeType: 'image/png', data: 'QUJD' } };
    const media = { type: 'media', mediaType: 'image/png', data: 'QUJD' };
    expect([
      result({ response: { error: 'boom' } }),
      result({ response: { result: 6 } }),
      result({ response: { output: 7 } }),
      result({}),
      result({ response: {}, parts: [image] }),
      result({ response: { output: 'see' }, parts: [image] }),
    ]).toEqual([
      [[text('boom'), true]],
      [[text('{"result":6}'), false]],
      [[text('{"output":7}'), false]],
      [[text('{}'), false]],
      [[[media], false]],
      [[[{ type: 'text', text: 'see' }, media], false]],
    ]);
  });

  it('splits mixed contents in order and keeps contents of a user apart', () => {
    const roles = messages(
      GO,
      GO,
      { role: 'model', parts: [{ functionCall: { name: 'f' } }] },
      {
        parts: [
          { functionResponse: { name: 'f', response: {} } },
          { text: 'and' },
          { inlineData: { mimeType: 'a/b', data: '' } },
        ],
      },
    );
    expect(roles.map(({ role }) => role)).toEqual(['user', 'user', 'assistant', 'tool', 'user']);
    expect(roles.at(-1)).toEqual({
      role: 'user',
      parts: [
        { type: 'text', text: 'and' },
        { type: 'media', mediaType: 'a/b', data: '' },
      ],
    });
  });

  it('keeps parts of a user that have no counterpart', () => {
    expect(messages({ parts: [{ fileData: { fileUri: 'u' } }, { hologram: {} }, {}] })).toEqual([
      {
        role: 'user',
        parts: [
          { type: 'media_url', mediaType: undefined, url: 'u' },
          { type: 'foreign', dialect: 'gemini', value: { hologram: {} } },
        ],
      },
    ]);
  });
});

describe('a request that is wrong', () => {
  let deep: JsonObject = {};
  for (let depth = 0; depth < 90; depth += 1) deep = { deep };

  it.each<[string, JsonObject]>([
    ['"contents"', {}],
    ['"contents"', { contents: [] }],
    ['"contents[0]"', { contents: ['hi'] }],
    ['"contents[0].role"', { contents: [{ role: 'system', parts: [] }] }],
    ['"contents[0].parts"', { contents: [{ parts: 'hi' }] }],
    ['"contents[0].parts[1]"', { contents: [{ parts: [{ text: 'a' }, 'b'] }] }],
    ['"contents[0].parts[0].functionCall.name"', { contents: [{ role: 'model', parts: [{ functionCall: {} }] }] }],
    [
      '"contents[0].parts[0].functionCall.args"',
      { contents: [{ role: 'model', parts: [{ functionCall: { name: 'f', args: '{}' } }] }] },
    ],
    ['"systemInstruction.parts[0]"', { contents: [GO], systemInstruction: { parts: [{ inlineData: {} }] } }],
    ['"tools"', { contents: [GO], tools: {} }],
    ['"tools[0]"', { contents: [GO], tools: ['f'] }],
    ['"tools[0].functionDeclarations[0].name"', { contents: [GO], tools: [{ functionDeclarations: [{}] }] }],
    ['"generationConfig.temperature"', { contents: [GO], generationConfig: { temperature: 'hot' } }],
    ['"generationConfig.maxOutputTokens"', { contents: [GO], generationConfig: { maxOutputTokens: 0 } }],
    ['"generationConfig.stopSequences"', { contents: [GO], generationConfig: { stopSequences: [1] } }],
    ['thinkingLevel', { contents: [GO], generationConfig: { thinkingConfig: { thinkingLevel: 'HUGE' } } }],
    ['thinkingConfig', { contents: [GO], generationConfig: { thinkingConfig: 'x' } }],
    ['nested', { contents: [GO], deep }],
  ])('is refused with %s named', (name, body) => {
    expect(refusal(body)).toContain(name);
  });
});
