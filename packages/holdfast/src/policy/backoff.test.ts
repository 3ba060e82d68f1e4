import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { backoffMs } from './backoff.js';
import { RETRY_LIMITS } from './limits.js';

describe('the wait before a retry', () => {
  it.each([
    { retries: 0, random: 0.999, waitMs: 500 },
    { retries: 1, random: 0.5, waitMs: 500 },
    { retries: 3, random: 0.5, waitMs: 2_000 },
    { retries: 40, random: 0.5, waitMs: 15_000 },
    { retries: 2, random: 0, waitMs: 0 },
  ])('is $waitMs ms after $retries retries with a draw of $random', ({ retries, random, waitMs }) => {
    expect(backoffMs(retries, RETRY_LIMITS, random)).toBe(waitMs);
  });

  it('stays between nothing and its ceiling', () => {
    fc.assert(
      fc.property(fc.nat({ max: 2_000 }), fc.double({ min: 0, max: 0.999, noNaN: true }), (retries, random) => {
        const waitMs = backoffMs(retries, RETRY_LIMITS, random);
        expect(waitMs).toBeGreaterThanOrEqual(0);
        expect(waitMs).toBeLessThanOrEqual(RETRY_LIMITS.backoffMaxMs);
      }),
    );
  });
});
