import { describe, expect, it } from 'vitest';
import type { Failure } from '../../turn/index.js';
import type { ErrorAnswer } from '../dialect.js';
import { OPENAI_CHAT } from './index.js';

function answer(status: number, body: unknown, headers: ErrorAnswer['headers'] = {}): Failure {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return OPENAI_CHAT.readFailure({ provider: 'acme', model: 'm', status, headers, body: text, at: 0 });
}

function said(failure: Failure): object {
  const { kind, upstream } = failure;
  return { kind, status: upstream?.status, code: upstream?.code, type: upstream?.type, message: upstream?.message };
}

describe('an error answer', () => {
  const openai = { message: 'No such key.', type: 'invalid_request_error', param: null, code: 'invalid_api_key' };

  it.each<[string, number, unknown, object]>([
    [
      'OpenAI',
      401,
      { error: openai },
      { kind: 'auth', status: 401, code: 'invalid_api_key', type: 'invalid_request_error', message: 'No such key.' },
    ],
    [
      'OpenRouter, numeric code',
      402,
      { error: { code: 402, message: 'No credits', metadata: { provider_name: 'X' } } },
      { kind: 'billing', status: 402, code: '402', type: undefined, message: 'No credits' },
    ],
    [
      'Azure, status as a string',
      401,
      { error: { code: '401', message: 'Access denied' } },
      { kind: 'auth', status: 401, code: '401', type: undefined, message: 'Access denied' },
    ],
    [
      'Azure, a word',
      404,
      { error: { code: 'DeploymentNotFound', message: 'The API deployment for this resource does not exist.' } },
      {
        kind: 'model_unknown',
        status: 404,
        code: 'DeploymentNotFound',
        type: undefined,
        message: 'The API deployment for this resource does not exist.',
      },
    ],
    [
      'Mistral and vLLM, flat',
      400,
      { object: 'error', message: 'Invalid model: x', type: 'invalid_model', code: '1500', raw_status_code: 400 },
      { kind: 'model_unknown', status: 400, code: '1500', type: 'invalid_model', message: 'Invalid model: x' },
    ],
    [
      'Mistral, detail',
      401,
      { detail: 'Invalid API Key' },
      { kind: 'auth', status: 401, code: undefined, type: undefined, message: 'Invalid API Key' },
    ],
    [
      'FastAPI, list of details',
      422,
      { detail: [{ loc: ['body', 'top_p'], msg: 'too large', type: 'value_error' }, 'x'] },
      { kind: 'request', status: 422, code: undefined, type: undefined, message: 'body.top_p: too large; x' },
    ],
    [
      'Venice and Ollama, a string',
      400,
      { error: 'bad sampler' },
      { kind: 'request', status: 400, code: undefined, type: undefined, message: 'bad sampler' },
    ],
    [
      'xAI, a string and a code',
      400,
      { code: 'invalid-argument', error: 'bad sampler' },
      { kind: 'request', status: 400, code: 'invalid-argument', type: undefined, message: 'bad sampler' },
    ],
    [
      'Doubleword, flat',
      400,
      { code: 400, message: 'Temperature must be lower', type: 'Bad Request' },
      { kind: 'request', status: 400, code: '400', type: 'Bad Request', message: 'Temperature must be lower' },
    ],
    [
      'Gemini compat, in an array',
      400,
      [{ error: { code: 400, message: 'Bad call', status: 'INVALID_ARGUMENT' } }],
      { kind: 'request', status: 400, code: '400', type: 'INVALID_ARGUMENT', message: 'Bad call' },
    ],
    [
      'an HTML page',
      503,
      '<html>down</html>',
      { kind: 'transient', status: 503, code: undefined, type: undefined, message: '<html>down</html>' },
    ],
    [
      'nothing at all',
      500,
      '',
      { kind: 'transient', status: 500, code: undefined, type: undefined, message: undefined },
    ],
    [
      'JSON of no known form',
      500,
      { x: 1 },
      { kind: 'transient', status: 500, code: undefined, type: undefined, message: '{"x":1}' },
    ],
  ])('of %s is read', (_who, status, body, expected) => {
    expect(said(answer(status, body))).toEqual(expected);
  });

  it.each<[string, number, unknown, string]>([
    [
      'a context that is too long',
      400,
      { error: { code: 'context_length_exceeded', message: 'maximum context length is 10' } },
      'context_overflow',
    ],
    [
      'an exhausted account behind a 429',
      429,
      { error: { code: 'insufficient_quota', message: 'no quota left' } },
      'billing',
    ],
    ['an ordinary rate limit', 429, { error: { code: 'rate_limit_exceeded', message: 'slow down' } }, 'transient'],
    [
      'a relayed 400 behind a 500',
      500,
      { error: { type: '400', message: 'Function call is missing a thought_signature' } },
      'request',
    ],
    [
      'a relayed 400 in OpenRouter’s metadata',
      429,
      {
        error: {
          code: 429,
          message: 'Provider returned error',
          metadata: {
            raw: '{"error":{"code":400,"message":"Function call is missing a thought_signature in functionCall parts"}}',
          },
        },
      },
      'request',
    ],
    [
      'a replay that lacks its thinking',
      400,
      { error: { message: 'The reasoning_content in the thinking mode must be passed back to the API.' } },
      'request',
    ],
    [
      'a parameter that the model refuses',
      400,
      { error: { code: 'unsupported_parameter', message: "Unsupported parameter: 'max_tokens'" } },
      'request',
    ],
  ])('about %s is classed by its words', (_what, status, body, kind) => {
    expect(answer(status, body).kind).toBe(kind);
  });

  it('keeps the request id and the wait', () => {
    const failure = answer(429, { error: { message: 'slow down' } }, { 'x-request-id': 'req_1', 'retry-after': '2' });
    expect({ id: failure.upstream?.requestId, wait: failure.retryAfterMs }).toEqual({ id: 'req_1', wait: 2_000 });
  });

  it('inside a 200 counts as the status that it names', () => {
    const body = { error: { message: 'The response was filtered', type: null, code: 'content_filter', status: 400 } };
    expect(said(answer(200, body))).toMatchObject({ kind: 'content', status: 400 });
  });

  it('keeps a bounded part of an endless page', () => {
    expect(answer(502, 'x'.repeat(60_000)).upstream?.message?.length).toBeLessThanOrEqual(2_048);
  });
});

describe('a failure for a client', () => {
  const failure = (fields: Partial<Failure>): Failure => ({
    code: 'c',
    kind: 'transient',
    retryable: true,
    atFault: 'provider',
    message: 'It broke.',
    ...fields,
  });
  const upstream = {
    provider: 'acme',
    status: 401,
    code: undefined,
    type: undefined,
    message: undefined,
    requestId: undefined,
  };

  it.each<[string, Partial<Failure>, number, object]>([
    [
      'a 429',
      { upstream: { ...upstream, status: 429 }, code: 'upstream_rate_limited' },
      429,
      { type: 'requests', code: 'upstream_rate_limited' },
    ],
    ['trouble upstream', { code: 'upstream_unavailable' }, 503, { type: 'api_error', code: 'upstream_unavailable' }],
    [
      'a bad key upstream',
      { kind: 'auth', retryable: false, upstream },
      400,
      { type: 'invalid_request_error', code: 'upstream_auth_failed' },
    ],
    [
      'a request that we refuse',
      { kind: 'request', code: 'request_invalid', retryable: false },
      400,
      { type: 'invalid_request_error', code: 'request_invalid' },
    ],
    [
      'a model that is not ours',
      { kind: 'model_unknown', code: 'model_not_found', retryable: false },
      404,
      { type: 'invalid_request_error', code: 'model_not_found' },
    ],
  ])('about %s has this wire’s error', (_what, fields, status, error) => {
    const wire = OPENAI_CHAT.writeFailure(failure(fields));
    expect({ status: wire.status, body: wire.body }).toEqual({
      status,
      body: { error: { message: 'It broke.', param: null, ...error } },
    });
  });

  it('about the context has the code and the words that clients look for before they compact', () => {
    const { status, headers, body } = OPENAI_CHAT.writeFailure(
      failure({ kind: 'context_overflow', code: 'context_overflow', retryable: false, advice: 'Ask for less.' }),
    );
    expect({ status, headers, body }).toEqual({
      status: 400,
      headers: { 'x-should-retry': 'false' },
      body: {
        error: {
          message:
            "This model's maximum context length is exceeded. Please reduce the length of the messages. It broke. Ask for less.",
          type: 'invalid_request_error',
          param: 'messages',
          code: 'context_length_exceeded',
        },
      },
    });
  });

  it('says the wait where there is one', () => {
    expect(OPENAI_CHAT.writeFailure(failure({ retryAfterMs: 1_200 })).headers).toEqual({ 'retry-after': '2' });
  });
});
