import type { Failure } from '../turn/index.js';
import { backoffMs } from './backoff.js';
import { causeKey } from './cause-key.js';
import type { RetryLimits } from './limits.js';
import { counterOf, walksChain } from './spent.js';
import type { RetryCounter, Spent } from './spent.js';
import { tellModel } from './tell-model.js';

/** What is known when an attempt has failed. */
export interface Situation {
  readonly failure: Failure;
  readonly spent: Spent;
  readonly limits: RetryLimits;
  /** Text or a call of this attempt is in the consumer's hands, and it cannot be withdrawn there. */
  readonly stuckWithShown: boolean;
  /** How often this very request has failed for a cause that it would meet again, the newest included. */
  readonly sameFailures: number;
  /** How often this cause has struck in this call, the newest included. */
  readonly sameCauses: number;
  readonly hasNextHop: boolean;
  /** The cap to ask with after one was spent thinking, where a larger one is to be had. */
  readonly raisedCap: number | undefined;
  /** From 0 up to but not including 1. */
  readonly random: number;
}

export type Decision =
  | { readonly type: 'end'; readonly failure: Failure }
  | {
      readonly type: 'retry';
      readonly counter: RetryCounter;
      readonly afterMs: number;
      /** Appended at the tail of the next request. */
      readonly note: string | undefined;
    }
  | { readonly type: 'raise_cap'; readonly maxOutputTokens: number }
  /** The next hop is told what cut this one, where that was of the model's making. */
  | { readonly type: 'fall_back'; readonly note: string | undefined };

/** Every attempt that failed comes here, and nowhere else decides what follows. */
export function decide(situation: Situation): Decision {
  const { failure, spent, limits } = situation;
  const counter = counterOf(failure.kind);
  if (counter === undefined || situation.stuckWithShown) return { type: 'end', failure };
  if (spent.attempts >= limits.attemptsMax || spent.elapsedMs >= limits.callMs) return { type: 'end', failure };
  if (counter === 'cap') return decideCap(situation);
  const note = tellModel(failure, { count: situation.sameCauses });
  if (isDoomed(situation, note)) return moveOn(situation, deterministic(failure, situation.sameFailures));
  if (spent.retries[counter] >= retriesMax(counter, limits)) return moveOn(situation, failure);
  const afterMs = failure.retryAfterMs ?? backoffMs(spent.retries[counter], limits, situation.random);
  if (afterMs > limits.waitMaxMs) return moveOn(situation, tooLong(failure));
  if (spent.elapsedMs + afterMs > limits.callMs) return moveOn(situation, failure);
  return { type: 'retry', counter, afterMs, note };
}

function decideCap(situation: Situation): Decision {
  const { failure, spent, limits, raisedCap } = situation;
  if (spent.retries.cap >= limits.capMax || raisedCap === undefined) return { type: 'end', failure };
  return { type: 'raise_cap', maxOutputTokens: raisedCap };
}

/** The same request has met the same cause twice, and nothing would change it now. */
function isDoomed(situation: Situation, note: string | undefined): boolean {
  return causeKey(situation.failure) !== undefined && situation.sameFailures >= 2 && note === undefined;
}

function moveOn(situation: Situation, failure: Failure): Decision {
  if (situation.hasNextHop && walksChain(failure.kind)) {
    return { type: 'fall_back', note: tellModel(situation.failure, { count: situation.sameCauses }) };
  }
  return { type: 'end', failure };
}

function retriesMax(counter: RetryCounter, limits: RetryLimits): number {
  switch (counter) {
    case 'transient':
      return limits.transientMax;
    case 'deadline':
      return limits.deadlineMax;
    case 'cap':
      return limits.capMax;
    case 'empty':
      return limits.emptyMax;
    case 'protocol':
      return limits.protocolMax;
  }
}

function deterministic(failure: Failure, times: number): Failure {
  if (failure.kind !== 'deadline') return failure;
  return {
    ...failure,
    code: 'deadline_deterministic',
    retryable: false,
    message: `${failure.message} The same request has failed ${times} times, so it is not sent again.`,
  };
}

/** Only what the provider asked for is said to be its wish; a wait of our own making is none. */
function tooLong(failure: Failure): Failure {
  if (failure.retryAfterMs === undefined) return failure;
  const seconds = Math.ceil(failure.retryAfterMs / 1_000);
  return {
    ...failure,
    advice: `The provider asks for ${seconds} s of patience; ask again after that, or add a fallback of another vendor.`,
  };
}
