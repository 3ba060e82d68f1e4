import { causeKey, counterOf, decide, NO_RETRIES, raisedCap } from '../policy/index.js';
import type { Decision, RetryCounter, RetryLimits } from '../policy/index.js';
import type { Failure, FailureKind } from '../turn/index.js';
import type { Hop } from './hop.js';

/** What the decision about a failed attempt needs beyond what this remembers. */
export interface FailedAttempt {
  readonly failure: Failure;
  readonly fingerprint: string;
  readonly elapsedMs: number;
  readonly stuckWithShown: boolean;
  /** The attempt began a reply before it failed. */
  readonly hadOutput: boolean;
  readonly hasNextHop: boolean;
  readonly hop: Hop;
  readonly cap: number | undefined;
  readonly promptTokens: number;
  readonly random: number;
}

/** The memory of a call over its attempts: what was tried, what it cost, what has changed since. */
export class Recovery {
  readonly notes: string[] = [];
  readonly #limits: RetryLimits;
  #retries: Record<RetryCounter, number> = { ...NO_RETRIES };
  #attempts = 0;
  #raisedCap: number | undefined;
  /** The cap failure behind a raised request that has not answered yet. */
  #capFailure: Failure | undefined;
  readonly #causes: Map<string, number> = new Map();
  readonly #prints: Map<string, number> = new Map();

  constructor(limits: RetryLimits) {
    this.#limits = limits;
  }

  get attempts(): number {
    return this.#attempts;
  }

  get raisedCap(): number | undefined {
    return this.#raisedCap;
  }

  begin(): number {
    this.#attempts += 1;
    return this.#attempts;
  }

  /** What follows from a failed attempt. The counters move here and nowhere else. */
  next(failed: FailedAttempt): Decision {
    const failure = this.#blame(failed);
    const cause = causeKey(failure);
    const decision = decide({
      failure,
      spent: { attempts: this.#attempts, retries: this.#retries, elapsedMs: failed.elapsedMs },
      limits: this.#limits,
      stuckWithShown: failed.stuckWithShown,
      sameFailures: cause === undefined ? 0 : count(this.#prints, failed.fingerprint),
      sameCauses: count(this.#causes, cause ?? failure.kind),
      hasNextHop: failed.hasNextHop,
      raisedCap: raisedCap({
        cap: failed.cap,
        contextWindow: failed.hop.contextWindow,
        promptTokens: failed.promptTokens,
        outputLimit: failed.hop.outputLimit,
      }),
      random: failed.random,
    });
    this.#charge(decision, failure);
    return decision;
  }

  /** A raised request that is refused outright failed for the cap's sake: the refusal is the cause, not the news. */
  #blame({ failure, hadOutput }: FailedAttempt): Failure {
    const cap = this.#capFailure;
    this.#capFailure = undefined;
    if (cap === undefined || hadOutput || !isRefusal(failure.kind)) return failure;
    return {
      ...cap,
      message: `${cap.message} The request with ${this.#raisedCap ?? 'more'} tokens was refused: ${failure.message}`,
      cause: failure,
    };
  }

  #tell(note: string | undefined): void {
    if (note !== undefined) this.notes.push(note);
  }

  #charge(decision: Decision, failure: Failure): void {
    switch (decision.type) {
      case 'retry':
        this.#retries[decision.counter] += 1;
        this.#tell(decision.note);
        return;
      case 'raise_cap':
        this.#retries.cap += 1;
        this.#raisedCap = decision.maxOutputTokens;
        this.#capFailure = failure;
        return;
      case 'fall_back':
        this.#retries = { ...NO_RETRIES, cap: this.#retries.cap };
        this.#tell(decision.note);
        return;
      case 'end':
        return;
    }
  }
}

/** An answer to the request itself and not to what the model said. */
function isRefusal(kind: FailureKind): boolean {
  return counterOf(kind) === undefined && kind !== 'stopped' && kind !== 'content';
}

function count(counts: Map<string, number>, key: string): number {
  const now = (counts.get(key) ?? 0) + 1;
  counts.set(key, now);
  return now;
}
