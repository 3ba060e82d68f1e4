import { describe, expect, it } from 'vitest';
import { classify } from '../src/dialects/classify.js';
import { CODE_MEANINGS } from '../src/dialects/failure-code.js';
import { ACCOUNT, CONTENT, CONTEXT, MODEL, MODEL_FAULTS } from './upstream-account-rows.js';
import { CAP, REPLAY, REQUEST, TIMING } from './upstream-rows.js';
import { words } from './upstream-words.js';

describe.each([
  ['a matter of time', TIMING],
  ['a matter of the request', REQUEST],
  ['an output cap too large', CAP],
  ['a wrong replay', REPLAY],
  ['an account or a key', ACCOUNT],
  ['an unknown model', MODEL],
  ['a prompt too long', CONTEXT],
  ['a block', CONTENT],
  ['a bad generation', MODEL_FAULTS],
])('%s', (_, rows) => {
  it.each(rows)('is told by the words: %s', (__, part, code) => {
    const failure = classify(words(part));
    expect([failure.code, failure.kind]).toEqual([code, CODE_MEANINGS[code].kind]);
  });
});

describe('a code', () => {
  it('has the kind, the blame and the promise of another try that the specification gives it', () => {
    const rows = Object.entries(CODE_MEANINGS).map(([code, { kind, atFault }]) => `${code} ${kind} ${atFault}`);
    expect(rows).toEqual([
      'upstream_overloaded transient provider',
      'upstream_rate_limited transient provider',
      'upstream_unavailable transient provider',
      'upstream_timeout transient provider',
      'upstream_cancelled transient provider',
      'upstream_conflict transient provider',
      'upstream_error transient provider',
      'upstream_request_invalid request caller',
      'upstream_redirect request operator',
      'upstream_path_unknown request operator',
      'request_too_large request caller',
      'request_exceeds_rate_limit request caller',
      'unsupported_parameter request caller',
      'output_cap_too_large request caller',
      'thought_signature_missing request caller',
      'thought_signature_invalid request caller',
      'reasoning_missing request caller',
      'reasoning_invalid request caller',
      'history_incomplete request caller',
      'previous_response_unknown request caller',
      'context_overflow context_overflow caller',
      'upstream_auth_failed auth operator',
      'upstream_account_blocked auth operator',
      'upstream_billing billing operator',
      'upstream_quota_exhausted billing operator',
      'upstream_model_unknown model_unknown operator',
      'upstream_content_blocked content provider',
      'tool_generation_invalid protocol model',
    ]);
  });

  it('was reached by some row of the tables above', () => {
    const rows = [TIMING, REQUEST, CAP, REPLAY, ACCOUNT, MODEL, CONTEXT, CONTENT, MODEL_FAULTS].flat();
    expect(new Set(rows.map(([, , code]) => code))).toEqual(new Set(Object.keys(CODE_MEANINGS)));
  });
});
