import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DeadlineVerdict, Failure, FailureKind, Phase } from '../turn/index.js';
import { UNKNOWN_PRODUCER } from '../turn/index.js';
import { decide } from './decide.js';
import type { Situation } from './decide.js';
import { RETRY_LIMITS } from './limits.js';
import { NO_RETRIES } from './spent.js';

function failure(kind: FailureKind, over: Partial<Failure> = {}): Failure {
  return { code: kind, kind, retryable: true, atFault: 'provider', message: 'It broke.', ...over };
}

function cut(phase: Phase): Failure {
  const deadline: DeadlineVerdict = {
    watchdog: phase === 'prefill' ? 'prefill' : 'silence',
    budgetMs: 180_000,
    elapsedMs: 180_000,
    anchor: 'item_started',
    anchorAtMs: 500,
    phase,
    activeItems: [],
    capabilities: UNKNOWN_PRODUCER,
  };
  return failure('deadline', { code: 'deadline_silence', deadline });
}

function situation(over: Partial<Situation> & { readonly failure: Failure }): Situation {
  return {
    spent: { attempts: 1, retries: NO_RETRIES, elapsedMs: 1_000 },
    limits: RETRY_LIMITS,
    stuckWithShown: false,
    sameFailures: 1,
    sameCauses: 1,
    hasNextHop: false,
    raisedCap: undefined,
    random: 0.5,
    ...over,
  };
}

describe('a first failure without a chain', () => {
  it.each([
    ['transient', 'retry'],
    ['deadline', 'retry'],
    ['empty_completion', 'retry'],
    ['protocol', 'retry'],
    ['request', 'end'],
    ['context_overflow', 'end'],
    ['auth', 'end'],
    ['billing', 'end'],
    ['model_unknown', 'end'],
    ['content', 'end'],
    ['output_cap_thinking', 'end'],
    ['output_cap', 'end'],
    ['stopped', 'end'],
  ] as const)('of kind %s decides: %s', (kind, type) => {
    expect(decide(situation({ failure: failure(kind) })).type).toBe(type);
  });
});

describe('what cannot be cured by another vendor (I16)', () => {
  it.each(['request', 'context_overflow', 'auth', 'billing', 'model_unknown', 'content', 'stopped'] as const)(
    'never walks the chain: %s',
    (kind) => {
      expect(decide(situation({ failure: failure(kind), hasNextHop: true })).type).toBe('end');
    },
  );
});

describe('a cause whose retries are used up', () => {
  it.each([
    ['transient', { transient: 3 }],
    ['deadline', { deadline: 2 }],
    ['empty_completion', { empty: 1 }],
    ['protocol', { protocol: 1 }],
  ] as const)('falls back with a next hop and ends without: %s', (kind, retries) => {
    const spent = { attempts: 4, retries: { ...NO_RETRIES, ...retries }, elapsedMs: 0 };
    expect(decide(situation({ failure: failure(kind), spent, hasNextHop: true }))).toMatchObject({ type: 'fall_back' });
    expect(decide(situation({ failure: failure(kind), spent })).type).toBe('end');
  });

  it('does not use up another cause’s', () => {
    const spent = { attempts: 4, retries: { ...NO_RETRIES, transient: 3 }, elapsedMs: 0 };
    expect(decide(situation({ failure: failure('protocol'), spent })).type).toBe('retry');
  });
});

describe('the provider’s own word on waiting', () => {
  it('is obeyed, zero included', () => {
    const at = (retryAfterMs: number): unknown =>
      decide(situation({ failure: failure('transient', { retryAfterMs }) }));
    expect(at(0)).toMatchObject({ type: 'retry', afterMs: 0 });
    expect(at(7_000)).toMatchObject({ type: 'retry', afterMs: 7_000 });
  });

  it('fails over when it is too long, or fails and says how long', () => {
    const long = failure('transient', { retryAfterMs: 3_600_000 });
    expect(decide(situation({ failure: long, hasNextHop: true }))).toMatchObject({ type: 'fall_back' });
    expect(decide(situation({ failure: long }))).toMatchObject({
      type: 'end',
      failure: {
        advice: 'The provider asks for 3600 s of patience; ask again after that, or add a fallback of another vendor.',
      },
    });
  });
});

describe('a wait of our own that is longer than allowed', () => {
  it('is not said to be the provider’s wish', () => {
    const limits = { ...RETRY_LIMITS, waitMaxMs: 100 };
    expect(decide(situation({ failure: failure('transient'), limits }))).toEqual({
      type: 'end',
      failure: failure('transient'),
    });
  });
});

describe('a deadline', () => {
  it('in a silent call changes the next request by a note', () => {
    expect(decide(situation({ failure: cut('hidden_item') }))).toMatchObject({
      type: 'retry',
      note: expect.stringContaining('smaller pieces'),
    });
  });

  it('in prefill says nothing to the model', () => {
    expect(decide(situation({ failure: cut('prefill') }))).toMatchObject({ type: 'retry', note: undefined });
  });

  it('that the same request meets twice is deterministic, and is not met a third time (I17)', () => {
    const spent = { attempts: 2, retries: { ...NO_RETRIES, deadline: 1 }, elapsedMs: 0 };
    const twice = situation({ failure: cut('prefill'), spent, sameFailures: 2 });
    expect(decide(twice)).toMatchObject({ type: 'end', failure: { code: 'deadline_deterministic', kind: 'deadline' } });
    expect(decide({ ...twice, hasNextHop: true })).toMatchObject({ type: 'fall_back' });
  });
});

describe('a cap spent thinking', () => {
  const spentCap = failure('output_cap_thinking');

  it('is raised where a larger one is to be had', () => {
    expect(decide(situation({ failure: spentCap, raisedCap: 16_384 }))).toEqual({
      type: 'raise_cap',
      maxOutputTokens: 16_384,
    });
  });

  it('is raised once, and not at all when that is switched off (I20)', () => {
    const again = { attempts: 2, retries: { ...NO_RETRIES, cap: 1 }, elapsedMs: 0 };
    expect(decide(situation({ failure: spentCap, raisedCap: 16_384, spent: again })).type).toBe('end');
    expect(
      decide(situation({ failure: spentCap, raisedCap: 16_384, limits: { ...RETRY_LIMITS, capMax: 0 } })).type,
    ).toBe('end');
  });
});

describe('a consumer that cannot withdraw what it showed (I18)', () => {
  it('gets the failure instead of a second answer', () => {
    expect(decide(situation({ failure: failure('transient'), stuckWithShown: true, hasNextHop: true })).type).toBe(
      'end',
    );
  });
});

describe('the hard limits (I15)', () => {
  const kinds: readonly FailureKind[] = [
    'transient',
    'deadline',
    'empty_completion',
    'protocol',
    'output_cap_thinking',
  ];

  it('hold whatever else is true', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...kinds),
        fc.integer({ min: 8, max: 20 }),
        fc.boolean(),
        (kind, attempts, hasNextHop) => {
          const spent = { attempts, retries: NO_RETRIES, elapsedMs: 0 };
          expect(decide(situation({ failure: failure(kind), spent, hasNextHop, raisedCap: 9_000 })).type).toBe('end');
        },
      ),
    );
  });

  it('keep every retry within the call’s time', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 2_000_000 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (elapsedMs, random) => {
          const spent = { attempts: 1, retries: NO_RETRIES, elapsedMs };
          const decision = decide(situation({ failure: failure('transient'), spent, random }));
          if (decision.type === 'retry') expect(elapsedMs + decision.afterMs).toBeLessThanOrEqual(RETRY_LIMITS.callMs);
          else expect(decision.type).toBe('end');
        },
      ),
    );
  });
});
