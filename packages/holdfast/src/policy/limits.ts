/** How often and how long a call may try again. Each cause has its own counter. */
export interface RetryLimits {
  readonly transientMax: number;
  readonly deadlineMax: number;
  readonly capMax: number;
  readonly emptyMax: number;
  readonly protocolMax: number;
  /** Over all causes and all providers of a call. */
  readonly attemptsMax: number;
  readonly backoffBaseMs: number;
  readonly backoffMaxMs: number;
  /** The longest wait that a provider may impose; a longer one fails over or fails with its time. */
  readonly waitMaxMs: number;
  /** Start of a call to the start of its last retry. */
  readonly callMs: number;
}

export const RETRY_LIMITS: RetryLimits = {
  transientMax: 3,
  deadlineMax: 2,
  capMax: 1,
  emptyMax: 1,
  protocolMax: 1,
  attemptsMax: 8,
  backoffBaseMs: 500,
  backoffMaxMs: 30_000,
  waitMaxMs: 60_000,
  callMs: 900_000,
};
