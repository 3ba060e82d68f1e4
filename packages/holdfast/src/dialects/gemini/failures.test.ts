import { describe, expect, it } from 'vitest';
import type { Failure, JsonObject } from '../../turn/index.js';
import { GEMINI } from './index.js';

function read(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Failure {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return GEMINI.readFailure({ provider: 'aistudio', model: 'm', status, headers, body: text, at: 0 });
}

function error(code: number, status: string, message: string, ...details: readonly JsonObject[]): JsonObject {
  return { error: { code, message, status, ...(details.length === 0 ? {} : { details }) } };
}

const detail = (type: string, more: JsonObject): JsonObject => ({
  '@type': `type.googleapis.com/google.rpc.${type}`,
  ...more,
});

describe('an error answer', () => {
  it.each<[string, number, JsonObject, string, string]>([
    [
      'a bad key, though the code is 400',
      400,
      error(400, 'INVALID_ARGUMENT', 'API key not valid.', detail('ErrorInfo', { reason: 'API_KEY_INVALID' })),
      'auth',
      'upstream_auth_failed',
    ],
    [
      'a missing signature',
      400,
      error(
        400,
        'INVALID_ARGUMENT',
        'Function call is missing a thought_signature in functionCall parts. Additional data, function call `default_api:write_file` , position 2.',
      ),
      'request',
      'thought_signature_missing',
    ],
    [
      'a missing signature as Vertex words it',
      400,
      error(400, 'INVALID_ARGUMENT', 'function call `f` in the 3. content block is missing a `thought_signature`.'),
      'request',
      'thought_signature_missing',
    ],
    [
      'a missing signature that a relay sends as 429',
      429,
      error(400, 'INVALID_ARGUMENT', 'Function call is missing a thought_signature in functionCall parts.'),
      'request',
      'thought_signature_missing',
    ],
    [
      'a corrupted signature',
      400,
      error(400, 'INVALID_ARGUMENT', 'Corrupted thought signature.'),
      'request',
      'thought_signature_invalid',
    ],
    [
      'an unknown model',
      404,
      error(404, 'NOT_FOUND', 'models/gemini-x is not found for API version v1beta'),
      'model_unknown',
      'upstream_model_unknown',
    ],
    [
      'no permission',
      403,
      error(403, 'PERMISSION_DENIED', 'Permission denied', detail('ErrorInfo', { reason: 'SERVICE_DISABLED' })),
      'auth',
      'upstream_auth_failed',
    ],
    [
      'too many tokens',
      400,
      error(
        400,
        'INVALID_ARGUMENT',
        'The input token count (1250074) exceeds the maximum number of tokens allowed (1048576).',
      ),
      'context_overflow',
      'context_overflow',
    ],
    ['an overload', 503, error(503, 'UNAVAILABLE', 'The model is overloaded.'), 'transient', 'upstream_overloaded'],
    [
      'a daily quota',
      429,
      error(
        429,
        'RESOURCE_EXHAUSTED',
        'Quota exceeded.',
        detail('QuotaFailure', { violations: [{ quotaId: 'GenerateRequestsPerDayPerProjectPerModel-FreeTier' }] }),
      ),
      'billing',
      'upstream_quota_exhausted',
    ],
  ])('%s', (_what, status, body, kind, code) => {
    const failure = read(status, body);
    expect([failure.kind, failure.code, failure.upstream?.status]).toEqual([kind, code, status]);
  });

  it('says how long to wait in its details, in its words, or in its headers, which go first', () => {
    const wait = detail('RetryInfo', { retryDelay: '34.4s' });
    const full = 'Quota exceeded for metric x. Please retry in 12.5s.';
    expect([
      read(429, error(429, 'RESOURCE_EXHAUSTED', full, wait)).retryAfterMs,
      read(429, error(429, 'RESOURCE_EXHAUSTED', full)).retryAfterMs,
      read(429, error(429, 'RESOURCE_EXHAUSTED', full, wait), { 'retry-after': '7' }).retryAfterMs,
      read(429, error(429, 'RESOURCE_EXHAUSTED', 'Quota exceeded')).retryAfterMs,
    ]).toEqual([34_400, 12_500, 7_000, undefined]);
  });

  it('may be an array, and its message may hold another error', () => {
    const inner = error(400, 'INVALID_ARGUMENT', 'Corrupted thought signature.');
    const nested = error(500, 'INTERNAL', JSON.stringify(error(500, 'INTERNAL', JSON.stringify([inner]))));
    for (const body of [[inner], nested]) {
      expect(read(500, body)).toMatchObject({
        kind: 'request',
        upstream: { code: 'INVALID_ARGUMENT', message: 'Corrupted thought signature.' },
      });
    }
  });

  it('inside a 200 counts as its own status', () => {
    expect(read(200, error(503, 'UNAVAILABLE', 'busy'))).toMatchObject({
      kind: 'transient',
      upstream: { status: 503 },
    });
  });

  it.each([
    ['a page', '<html>Bad gateway</html>'],
    ['nothing', ''],
    ['a scalar', '7'],
    ['an error that is text', '{"error":"down"}'],
    ['an error that is nothing', '{"error":null}'],
    ['an empty array', '[]'],
  ])('that is %s still becomes a failure', (_what, body) => {
    expect(read(502, body)).toMatchObject({
      kind: 'transient',
      code: 'upstream_unavailable',
      upstream: { status: 502 },
    });
  });

  it('quotes no key', () => {
    const failure = read(400, error(400, 'INVALID_ARGUMENT', 'API key not valid: AIzaSyA1234567890abcdefghij'));
    expect(JSON.stringify(failure)).not.toContain('AIzaSyA1234567890');
  });
});

describe('a failure for a client', () => {
  const base: Failure = { code: 'x', kind: 'transient', retryable: true, atFault: 'provider', message: 'It is busy.' };
  const upstream = {
    provider: 'p',
    status: 429,
    code: undefined,
    type: undefined,
    message: undefined,
    requestId: undefined,
  };

  it('is an error of this wire with our code as its reason', () => {
    const failure: Failure = { ...base, code: 'upstream_rate_limited', retryAfterMs: 1_200, advice: 'Wait.', upstream };
    expect(GEMINI.writeFailure(failure)).toEqual({
      status: 429,
      headers: { 'retry-after': '2' },
      body: {
        error: {
          code: 429,
          message: 'It is busy. Wait.',
          status: 'RESOURCE_EXHAUSTED',
          details: [
            {
              '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
              reason: 'UPSTREAM_RATE_LIMITED',
              domain: 'holdfast',
            },
            { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '2s' },
          ],
        },
      },
    });
  });

  it('that another try cannot cure is a 400 that says so', () => {
    const failure: Failure = { ...base, kind: 'auth', retryable: false, upstream: { ...upstream, status: 401 } };
    expect(GEMINI.writeFailure(failure)).toMatchObject({
      status: 400,
      headers: { 'x-should-retry': 'false' },
      body: { error: { code: 400, status: 'INVALID_ARGUMENT', details: [{ reason: 'UPSTREAM_AUTH_FAILED' }] } },
    });
  });

  it('comes back as the same kind when it is read again', () => {
    const { status, body } = GEMINI.writeFailure({
      ...base,
      code: 'upstream_overloaded',
      message: 'The model is overloaded.',
    });
    expect(read(status, body)).toMatchObject({ kind: 'transient', code: 'upstream_overloaded' });
  });
});
