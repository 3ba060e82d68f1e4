import { startSimulator } from '@holdfast/simulator';
import type { Simulator } from '@holdfast/simulator';
import type { JsonObject, JsonValue } from 'holdfast/turn';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, jsonOf, post } from './ask.js';
import type { Served } from './ask.js';

let simulator: Simulator;
beforeAll(async () => {
  simulator = await startSimulator({ timeScale: 0 });
});
afterAll(() => simulator.close());

const refusal = async (dialect: Served, change: JsonObject, model = 'sim-plain'): Promise<unknown> => {
  const heard = await ask(simulator.url, { dialect, model, stream: false, change });
  return { status: heard.status, body: jsonOf(heard) };
};

const google = (message: string): object => ({
  status: 400,
  body: { error: { code: 400, message, status: 'INVALID_ARGUMENT' } },
});
const openAi = (message: string, param: string | null, code: string | null): object => ({
  status: 400,
  body: { error: { message, type: 'invalid_request_error', param, code } },
});

const user = { role: 'user', parts: [{ text: 'Go.' }] };
const skip = 'skip_thought_signature_validator';
const called = (...names: string[]): JsonObject => ({
  role: 'model',
  parts: names.map((name, n) => ({ functionCall: { name, args: {} }, ...(n === 0 ? { thoughtSignature: skip } : {}) })),
});
const answered = (...names: string[]): JsonObject => ({
  role: 'user',
  parts: names.map((name) => ({ functionResponse: { name, response: { output: 'ok' } } })),
});

describe('a request that the Gemini API refuses', () => {
  const EQUAL =
    'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.';

  it.each<[string, JsonObject, string]>([
    ['no contents', { contents: [] }, '* GenerateContentRequest.contents: contents is not specified\n'],
    [
      'an unknown role',
      { contents: [{ role: 'assistant', parts: [{ text: 'x' }] }] },
      'Please use a valid role: user, model.',
    ],
    [
      'no parts',
      { contents: [{ role: 'user', parts: [] }] },
      '* GenerateContentRequest.contents[0].parts: contents.parts must not be empty.\n',
    ],
    [
      'a cap of nothing',
      { generationConfig: { maxOutputTokens: 0 } },
      'Unable to submit request because it has a maxOutputTokens value of 0 but the supported range is from 1 (inclusive) to 65537 (exclusive). Update the value and try again.',
    ],
    [
      'both thinking controls',
      { generationConfig: { thinkingConfig: { thinkingBudget: 1, thinkingLevel: 'LOW' } } },
      'You can only set only one of thinking budget and thinking level.',
    ],
    ['fewer results than calls', { contents: [user, called('a', 'b'), answered('a')] }, EQUAL],
    ['more results than calls', { contents: [user, called('a'), answered('a', 'b')] }, EQUAL],
    ['calls without results', { contents: [user, called('a')] }, EQUAL],
    ['words where results are due', { contents: [user, called('a'), user] }, EQUAL],
    [
      'results without calls',
      { contents: [user, answered('a')] },
      'Please ensure that function response turn comes immediately after a function call turn.',
    ],
    [
      'a call that comes first',
      { contents: [called('a'), answered('a')] },
      'Please ensure that function call turn comes immediately after a user turn or after a function response turn.',
    ],
    [
      'a result without a name',
      { contents: [user, called('a'), answered('')] },
      '* GenerateContentRequest.contents[2].parts[0].function_response.name: Name cannot be empty.\n',
    ],
    [
      'a result that is no object',
      { contents: [user, called('a'), { role: 'user', parts: [{ functionResponse: { name: 'a', response: 'ok' } }] }] },
      `Invalid value at 'GenerateContentRequest.contents[2].parts[0].function_response.response' (type.googleapis.com/google.protobuf.Struct), "ok"`,
    ],
  ])('gets its 400: %s', async (_, change, message) => {
    expect(await refusal('gemini', change)).toEqual(google(message));
  });

  it('hears of a field of another wire that was left on a part', async () => {
    const description =
      'Invalid JSON payload received. Unknown name "cache_control" at \'contents[0].parts[0]\': Cannot find field.';
    const parts = [{ text: 'Go.', cache_control: { type: 'ephemeral' } }];
    expect(await refusal('gemini', { contents: [{ role: 'user', parts }] })).toMatchObject({
      status: 400,
      body: {
        error: {
          message: description,
          status: 'INVALID_ARGUMENT',
          details: [{ fieldViolations: [{ field: 'contents[0].parts[0]', description }] }],
        },
      },
    });
  });

  it('hears the name of a field that does not exist', async () => {
    const description = 'Invalid JSON payload received. Unknown name "messages": Cannot find field.';
    expect(await refusal('gemini', { messages: [] })).toEqual({
      status: 400,
      body: {
        error: {
          code: 400,
          message: description,
          status: 'INVALID_ARGUMENT',
          details: [{ '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations: [{ description }] }],
        },
      },
    });
  });

  it('hears that its model does not exist', async () => {
    expect(await refusal('gemini', {}, 'gemini-4-nano')).toEqual({
      status: 404,
      body: {
        error: {
          code: 404,
          message:
            'models/gemini-4-nano is not found for API version v1beta, or is not supported for generateContent. ' +
            'Call ModelService.ListModels to see the list of available models and their supported methods.',
          status: 'NOT_FOUND',
        },
      },
    });
  });

  it('hears that it has no key', async () => {
    const question = { dialect: 'gemini', model: 'sim-plain', headers: { 'x-goog-api-key': '' } } as const;
    expect((await ask(simulator.url, question)).status).toBe(403);
  });
});

describe('a history that the Gemini API takes', () => {
  it.each<[string, readonly JsonValue[]]>([
    [
      'several contents of one role in a row',
      [user, { role: 'model', parts: [{ text: 'Hm.' }] }, called('a'), answered('a')],
    ],
    [
      'the calls of one step in two contents',
      [user, called('a'), { role: 'model', parts: [{ functionCall: { name: 'b' } }] }, answered('a', 'b')],
    ],
    [
      'snake_case fields',
      [user, { role: 'model', parts: [{ function_call: { name: 'a' }, thought_signature: skip }] }, answered('a')],
    ],
    [
      'an unsigned call of an earlier turn',
      [
        user,
        { role: 'model', parts: [{ functionCall: { name: 'a' } }] },
        answered('a'),
        { role: 'model', parts: [{ text: 'Done.' }] },
        user,
      ],
    ],
    [
      'words beside the results',
      [
        user,
        called('a'),
        { role: 'user', parts: [{ functionResponse: { name: 'a', response: {} } }, { text: 'Now go on.' }] },
      ],
    ],
  ])('is answered: %s', async (_, contents) => {
    const heard = await ask(simulator.url, { dialect: 'gemini', model: 'sim-plain', change: { contents } });
    expect(heard.status).toBe(200);
  });
});

const ask1 = { role: 'user', content: 'Go.' };
const calls = (...ids: string[]): JsonObject => ({
  role: 'assistant',
  content: null,
  tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: 'save_note', arguments: '{}' } })),
});
const result = (id: string): JsonObject => ({ role: 'tool', tool_call_id: id, content: 'ok' });

describe('a request that the OpenAI API refuses', () => {
  const ORPHAN =
    "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.";
  const unanswered = (ids: string): string =>
    "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. " +
    `The following tool_call_ids did not have response messages: ${ids}`;

  it.each<[string, JsonObject, string, string | null, string | null]>([
    [
      'no messages',
      { messages: null },
      "Missing required parameter: 'messages'.",
      'messages',
      'missing_required_parameter',
    ],
    [
      'an empty list of messages',
      { messages: [] },
      "Invalid 'messages': empty array. Expected an array with minimum length 1, but got an empty array instead.",
      'messages',
      'empty_array',
    ],
    [
      'an unknown role',
      { messages: [{ role: 'model', content: 'x' }] },
      "Invalid value: 'model'. Supported values are: 'system', 'assistant', 'user', 'function', 'tool', and 'developer'.",
      'messages[0].role',
      'invalid_value',
    ],
    [
      'no role',
      { messages: [{ content: 'x' }] },
      "Missing required parameter: 'messages[0].role'.",
      'messages[0].role',
      'missing_required_parameter',
    ],
    ['a call without an answer', { messages: [ask1, calls('a')] }, unanswered('a'), 'messages.[2].role', null],
    [
      'one of two calls without an answer',
      { messages: [ask1, calls('a', 'b'), result('a'), ask1] },
      unanswered('b'),
      'messages.[3].role',
      null,
    ],
    [
      'words before the answer',
      { messages: [ask1, calls('a'), ask1, result('a')] },
      unanswered('a'),
      'messages.[2].role',
      null,
    ],
    ['an answer without a call', { messages: [ask1, result('a')] }, ORPHAN, 'messages.[1].role', null],
    [
      'the same answer twice',
      { messages: [ask1, calls('a'), result('a'), result('a')] },
      ORPHAN,
      'messages.[3].role',
      null,
    ],
    ['an answer to another call', { messages: [ask1, calls('a'), result('z')] }, ORPHAN, 'messages.[2].role', null],
    [
      'arguments that are an object',
      {
        messages: [
          ask1,
          { role: 'assistant', tool_calls: [{ id: 'a', type: 'function', function: { name: 'x', arguments: {} } }] },
          result('a'),
        ],
      },
      "Invalid type for 'messages[1].tool_calls[0].function.arguments': expected a string, but got an object instead.",
      'messages[1].tool_calls[0].function.arguments',
      'invalid_type',
    ],
    [
      'a cap of nothing',
      { max_completion_tokens: 0 },
      "Invalid 'max_completion_tokens': integer below minimum value. Expected a value >= 1, but got 0 instead.",
      'max_completion_tokens',
      'integer_below_min_value',
    ],
    [
      'a cap that is text',
      { max_tokens: 'many' },
      "Invalid type for 'max_tokens': expected an integer, but got a string instead.",
      'max_tokens',
      'invalid_type',
    ],
    [
      'options of a stream that is none',
      { stream_options: { include_usage: true } },
      "The 'stream_options' parameter is only allowed when 'stream' is enabled.",
      'stream_options',
      null,
    ],
    [
      'a choice of tools that are not there',
      { tools: [], tool_choice: 'required' },
      "Invalid value for 'tool_choice': 'tool_choice' is only allowed when 'tools' are specified.",
      'tool_choice',
      null,
    ],
    [
      'a tool without a name',
      { tools: [{ type: 'function', function: {} }] },
      "Missing required parameter: 'tools[0].function.name'.",
      'tools[0].function.name',
      'missing_required_parameter',
    ],
  ])('gets its 400: %s', async (_, change, message, param, code) => {
    expect(await refusal('openai-chat', change)).toEqual(openAi(message, param, code));
  });

  it('hears that its model does not exist', async () => {
    expect(await refusal('openai-chat', {}, 'gpt-9')).toEqual({
      status: 404,
      body: {
        error: {
          message: 'The model `gpt-9` does not exist or you do not have access to it.',
          type: 'invalid_request_error',
          param: null,
          code: 'model_not_found',
        },
      },
    });
  });

  it('hears that it has no key', async () => {
    const question = { dialect: 'openai-chat', model: 'sim-plain', headers: { authorization: 'Bearer ' } } as const;
    expect((await ask(simulator.url, question)).status).toBe(401);
  });
});

describe('a body that is no JSON object', () => {
  it.each<[Served, string, string, string]>([
    ['gemini', '/v1beta/models/sim-plain:generateContent', '{"contents": [', 'Invalid JSON payload received.'],
    ['openai-chat', '/v1/chat/completions', '[1]', 'We could not parse the JSON body of your request.'],
    ['openai-chat', '/v1/chat/completions', '['.repeat(100_000), 'We could not parse the JSON body of your request.'],
    [
      'gemini',
      '/v1beta/models/sim-plain:generateContent',
      `{"a":${'['.repeat(70)}${']'.repeat(70)}}`,
      'Invalid JSON payload received.',
    ],
  ])('is a 400 of %s at %s', async (dialect, path, body, message) => {
    const heard = await post(simulator.url + path, body, { dialect, model: 'sim-plain' });
    expect([heard.status, heard.bytes.toString('utf8')]).toEqual([400, expect.stringContaining(message)]);
  });

  it('is a 413 where it is larger than the limit', async () => {
    const path = `${simulator.url}/v1/chat/completions`;
    const heard = await post(path, 'x'.repeat(33 * 1024 * 1024), { dialect: 'openai-chat', model: 'sim-plain' });
    expect([heard.status, heard.end]).toEqual([413, 'close']);
  });
});

describe('an address that does not exist', () => {
  it.each<[Served, string, unknown]>([
    [
      'openai-chat',
      '/v1/completions',
      {
        error: {
          message: 'Invalid URL (POST /v1/completions)',
          type: 'invalid_request_error',
          param: null,
          code: null,
        },
      },
    ],
    [
      'gemini',
      '/v1beta/models/sim-plain:embed',
      {
        error: {
          code: 404,
          message: 'The requested URL /v1beta/models/sim-plain:embed was not found on this server.',
          status: 'NOT_FOUND',
        },
      },
    ],
  ])('is a 404 of %s at %s', async (dialect, path, body) => {
    const heard = await post(simulator.url + path, '{}', { dialect, model: 'sim-plain' });
    expect([heard.status, jsonOf(heard)]).toEqual([404, body]);
  });
});
