import { describe, expect, it } from 'vitest';
import type { Failure, FailureKind } from '../turn/index.js';
import { clientStatus } from './client-status.js';

function failure(kind: FailureKind, more: Partial<Failure> & { readonly status?: number } = {}): Failure {
  const { status, ...rest } = more;
  const upstream = {
    provider: 'p',
    status,
    code: undefined,
    type: undefined,
    message: undefined,
    requestId: undefined,
  };
  return {
    code: 'own',
    kind,
    retryable: true,
    atFault: 'provider',
    message: 'x.',
    ...rest,
    ...(status === undefined ? {} : { upstream }),
  };
}

describe('upstream trouble as a client sees it', () => {
  it.each<[FailureKind, number | undefined, number, string]>([
    ['request', 400, 400, 'upstream_request_invalid'],
    ['request', 404, 400, 'upstream_request_invalid'],
    ['auth', 401, 400, 'upstream_auth_failed'],
    ['auth', 403, 400, 'upstream_auth_failed'],
    ['billing', 402, 400, 'upstream_billing'],
    ['model_unknown', 404, 400, 'upstream_model_unknown'],
    ['context_overflow', 400, 400, 'own'],
    ['content', 200, 400, 'own'],
    ['output_cap', undefined, 400, 'own'],
    ['output_cap_thinking', undefined, 400, 'own'],
    ['transient', 429, 429, 'own'],
    ['transient', 500, 503, 'own'],
    ['transient', 502, 502, 'own'],
    ['transient', 504, 504, 'own'],
    ['transient', 529, 503, 'own'],
    ['transient', undefined, 503, 'own'],
    ['deadline', undefined, 504, 'own'],
    ['protocol', undefined, 502, 'own'],
    ['empty_completion', undefined, 502, 'own'],
    ['stopped', undefined, 499, 'own'],
  ])('%s (%s) is %s %s', (kind, status, wanted, code) => {
    const seen = clientStatus(failure(kind, status === undefined ? {} : { status }));
    expect([seen.status, seen.code]).toEqual([wanted, code]);
  });

  it.each(['deadline', 'protocol'] as const)(
    '%s that another try cannot cure is a 400, which no client multiplies',
    (kind) => {
      const seen = clientStatus({ ...failure(kind), retryable: false });
      expect([seen.status, seen.headers]).toEqual([400, { 'x-should-retry': 'false' }]);
    },
  );

  it('never says that the client is signed out or lost, whatever its code', () => {
    for (const code of ['unauthorized', 'forbidden', 'model_not_found', 'not_found']) {
      expect(clientStatus(failure('request', { code, status: 401 })).status).toBe(400);
    }
  });
});

describe('what this house refuses by itself', () => {
  it.each([
    ['request_invalid', 400],
    ['unauthorized', 401],
    ['forbidden', 403],
    ['not_found', 404],
    ['model_not_found', 404],
    ['method_not_allowed', 405],
    ['body_too_large', 413],
    ['unsupported_media_type', 415],
    ['rate_limited', 429],
    ['overloaded', 503],
  ])('%s is %s', (code, status) => {
    expect(clientStatus(failure('request', { code }))).toMatchObject({ status, code });
  });
});

describe('whether another try helps', () => {
  it.each<[string, Failure, Readonly<Record<string, string>>]>([
    ['a 400 never does', failure('request', { status: 400, retryAfterMs: 5_000 }), { 'x-should-retry': 'false' }],
    [
      'a failure that stays does not',
      failure('transient', { retryable: false, retryAfterMs: 5_000 }),
      { 'x-should-retry': 'false' },
    ],
    [
      'a wait is told in whole seconds',
      failure('transient', { status: 429, retryAfterMs: 4_100 }),
      { 'retry-after': '5' },
    ],
    ['no wait is made up', failure('deadline'), {}],
  ])('%s', (_what, seen, headers) => {
    expect(clientStatus(seen).headers).toEqual(headers);
  });
});
