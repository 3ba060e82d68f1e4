import { describe, expect, it } from 'vitest';
import { Pace } from './pace.js';

/** Replies of these tokens a second, each ten seconds long. */
function observed(paces: readonly number[]): Pace {
  const pace = new Pace();
  for (const tokens of paces) pace.observe('acme/m', tokens * 10, 10_000);
  return pace;
}

describe('a producer that was seldom heard', () => {
  it('is trusted to write 15 tokens a second', () => {
    expect([new Pace().slowPace('acme/m'), observed([100, 100, 100, 100, 100, 100, 100]).slowPace('acme/m')]).toEqual([
      15, 15,
    ]);
  });
});

describe('a producer that was heard often enough', () => {
  it('is expected at no less than half of its 5th percentile', () => {
    const paces = Array.from({ length: 40 }, (_, n) => 40 + n);
    expect(observed(paces.toReversed()).slowPace('acme/m')).toBe(42 / 2);
  });

  it('says nothing of another', () => {
    expect(observed(Array.from({ length: 8 }, () => 100)).slowPace('acme/other')).toBe(15);
  });

  it('is judged by its latest replies', () => {
    const paces = [...Array.from({ length: 64 }, () => 10), ...Array.from({ length: 64 }, () => 80)];
    expect(observed(paces).slowPace('acme/m')).toBe(40);
  });
});

describe('a reply too short to tell a pace', () => {
  it('is not counted', () => {
    const pace = new Pace();
    for (let n = 0; n < 20; n += 1) {
      pace.observe('acme/m', 19, 10_000);
      pace.observe('acme/m', 1_000, 199);
    }
    expect(pace.slowPace('acme/m')).toBe(15);
  });
});
