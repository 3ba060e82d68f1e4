import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { raisedCap } from './cap.js';

const ROOMY = { contextWindow: undefined, promptTokens: 1_000, outputLimit: undefined };

describe('a cap that is raised', () => {
  it.each([
    { cap: 512, raised: 2_048 },
    { cap: 4_096, raised: 16_384 },
    { cap: 16_384, raised: 32_768 },
    { cap: 32_768, raised: undefined },
    { cap: undefined, raised: undefined },
  ])('goes from $cap to $raised', ({ cap, raised }) => {
    expect(raisedCap({ ...ROOMY, cap })).toBe(raised);
  });

  it('is not raised by less than double, whatever bounds it', () => {
    expect(raisedCap({ ...ROOMY, cap: 4_096, outputLimit: 8_000 })).toBeUndefined();
    expect(
      raisedCap({ cap: 4_096, contextWindow: 9_000, promptTokens: 2_000, outputLimit: undefined }),
    ).toBeUndefined();
  });

  it('stays within every bound (I20)', () => {
    const tokens = fc.integer({ min: 1, max: 200_000 });
    fc.assert(
      fc.property(tokens, tokens, tokens, tokens, (cap, contextWindow, promptTokens, outputLimit) => {
        const raised = raisedCap({ cap, contextWindow, promptTokens, outputLimit });
        if (raised === undefined) return;
        expect(raised).toBeGreaterThanOrEqual(2 * cap);
        expect(raised).toBeLessThanOrEqual(Math.min(4 * cap, contextWindow - promptTokens, outputLimit));
      }),
    );
  });
});
