import type { RetryLimits } from './limits.js';

/** Exponential with full jitter. `random` is drawn by the caller, from 0 up to but not including 1. */
export function backoffMs(retries: number, limits: RetryLimits, random: number): number {
  const ceiling = Math.min(limits.backoffMaxMs, limits.backoffBaseMs * 2 ** retries);
  return Math.round(ceiling * random);
}
