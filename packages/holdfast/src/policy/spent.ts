import type { FailureKind } from '../turn/index.js';

/** Each cause counts its own retries. */
export type RetryCounter = 'transient' | 'deadline' | 'cap' | 'empty' | 'protocol';

/** What a call has used up so far. */
export interface Spent {
  /** Attempts over all causes and providers. */
  readonly attempts: number;
  /** Retries by cause at the current hop. */
  readonly retries: Readonly<Record<RetryCounter, number>>;
  /** Since the call started. */
  readonly elapsedMs: number;
}

export const NO_RETRIES: Readonly<Record<RetryCounter, number>> = {
  transient: 0,
  deadline: 0,
  cap: 0,
  empty: 0,
  protocol: 0,
};

/** The counter a failure is charged to, `undefined` for what no retry can cure. */
export function counterOf(kind: FailureKind): RetryCounter | undefined {
  switch (kind) {
    case 'transient':
      return 'transient';
    case 'deadline':
      return 'deadline';
    case 'output_cap_thinking':
      return 'cap';
    case 'empty_completion':
      return 'empty';
    case 'protocol':
      return 'protocol';
    case 'request':
    case 'context_overflow':
    case 'auth':
    case 'billing':
    case 'model_unknown':
    case 'content':
    case 'output_cap':
    case 'stopped':
      return undefined;
  }
}

/** Whether another vendor may be asked after the retries here are used up. */
export function walksChain(kind: FailureKind): boolean {
  return kind === 'transient' || kind === 'deadline' || kind === 'empty_completion' || kind === 'protocol';
}
