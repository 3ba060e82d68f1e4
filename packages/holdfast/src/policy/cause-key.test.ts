import { describe, expect, it } from 'vitest';
import { UNKNOWN_PRODUCER } from '../turn/index.js';
import type { Failure, Phase, WatchdogName } from '../turn/index.js';
import { causeKey } from './cause-key.js';

function fired(watchdog: WatchdogName, phase: Phase): Failure {
  return {
    code: `deadline_${watchdog}`,
    kind: 'deadline',
    retryable: true,
    atFault: 'provider',
    message: 'Nothing came.',
    deadline: {
      watchdog,
      budgetMs: 1,
      elapsedMs: 1,
      anchor: 'usage',
      anchorAtMs: 0,
      phase,
      activeItems: [],
      capabilities: UNKNOWN_PRODUCER,
    },
  };
}

describe('one request that goes silent twice (I17)', () => {
  it('meets the same cause, though a fact more had come the second time', () => {
    expect(causeKey(fired('silence', 'idle'))).toBe(causeKey(fired('silence', 'terminal')));
  });

  it('meets another where another watchdog fired', () => {
    expect(causeKey(fired('prefill', 'prefill'))).not.toBe(causeKey(fired('connect', 'connect')));
  });
});
