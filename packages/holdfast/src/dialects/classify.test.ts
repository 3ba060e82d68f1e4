import { describe, expect, it } from 'vitest';
import { words } from '../../test/upstream-words.js';
import { classify } from './classify.js';

describe('the failure', () => {
  it('is whole: words, blame, advice, the wait, and what the provider said', () => {
    const part = {
      status: 429,
      code: 'rate_limit_exceeded',
      type: 'tokens',
      message: 'slow\ndown',
      requestId: 'req_1',
      retryAfterMs: 1_000,
    };
    expect(classify(words(part))).toEqual({
      code: 'upstream_rate_limited',
      kind: 'transient',
      retryable: true,
      atFault: 'provider',
      message: 'acme limits the rate of requests (429): "slow down"',
      advice: 'Ask again later, or add a fallback of another vendor.',
      upstream: {
        provider: 'acme',
        status: 429,
        code: 'rate_limit_exceeded',
        type: 'tokens',
        message: 'slow\ndown',
        requestId: 'req_1',
      },
      retryAfterMs: 1_000,
    });
  });

  it.each([
    [{ status: 400, message: 'bad' }, 'acme refused the request (400): "bad"'],
    [{ status: 404, code: 'model_not_found' }, 'acme does not know the model "m-1" (404): "model_not_found"'],
    [{ status: 404, code: 'model_not_found', model: '' }, 'acme does not know the model (404): "model_not_found"'],
    [
      { status: 502, message: '<html>\n<head><title>502 Bad Gateway</title></head></html>' },
      'acme is unavailable (502) with an HTML page: "502 Bad Gateway"',
    ],
    [{ status: 500, message: '<!DOCTYPE html><p>no</p>' }, 'acme failed (500) with an HTML page.'],
    [{ status: 500 }, 'acme failed (500) and gave no reason.'],
    [{ status: 500, message: '  ' }, 'acme failed (500) and gave no reason.'],
    [{ message: 'worker died', code: '500', inStream: true }, 'acme failed inside its reply (500): "worker died"'],
    [
      { status: 400, message: 'max_tokens: 9 > 8, which is the maximum allowed number of output tokens' },
      'acme refused the output cap (max_output_tokens) (400): "max_tokens: 9 > 8, which is the maximum allowed number of output tokens"',
    ],
  ])('says what happened in one sentence: %j', (part, message) => {
    expect(classify(words(part)).message).toBe(message);
  });

  it('asks to wait as long as the prose says, where no header does', () => {
    const message = 'Quota exceeded for the minute. Please retry in 2.5s.';
    expect(classify(words({ status: 429, message })).retryAfterMs).toBe(2_500);
  });

  it('asks for no wait where none helps', () => {
    const failures = [402, 401, 400].map((status) => classify(words({ status, retryAfterMs: 1_000 })));
    expect(failures.map((failure) => [failure.retryable, failure.retryAfterMs])).toEqual([
      [false, undefined],
      [false, undefined],
      [false, undefined],
    ]);
  });

  it('shows no key and no forged line, and is bounded', () => {
    const message = `bad key sk-proj-${'Ab12'.repeat(8)}\u0000\u202e\r\n${'x'.repeat(1 << 20)}`;
    const failure = classify(
      words({
        status: 404,
        message,
        model: `m\n${'z'.repeat(10_000)}`,
        code: 'y'.repeat(10_000),
        requestId: 'z'.repeat(10_000),
      }),
    );
    expect(JSON.stringify(failure)).not.toMatch(/sk-proj/u);
    expect(failure.message).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
    expect(Buffer.byteLength(failure.message)).toBeLessThan(2_500);
    expect(Buffer.byteLength(JSON.stringify(failure))).toBeLessThan(6_000);
  });

  it('is found in time for any text', () => {
    for (const piece of [
      'model ',
      'context window ',
      'missing ',
      '1 + ',
      'reasoning_content ',
      'prompt is ',
      '\n',
      'blocks ',
    ]) {
      const message = piece.repeat(200_000);
      expect(classify(words({ status: 400, message, details: message })).upstream?.status).toBe(400);
    }
  });
});
