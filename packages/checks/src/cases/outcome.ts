import type { Failure, JsonValue, StampedEvent } from 'holdfast/turn';
import type { WireDocument } from './wire-document.js';

/** What a surface saw of a case. Times are of `performance.now()`. */
export interface Outcome {
  readonly outcome: 'ok' | 'error' | 'stopped';
  readonly startedAt: number;
  readonly endedAt: number;
  /** The final visible text; with an error, the partial text that was kept. */
  readonly text: string;
  /** Calls of the last reply that are complete. */
  readonly toolCalls: readonly SeenCall[];
  readonly finish: string | undefined;
  readonly incomplete: boolean;
  readonly usage: SeenUsage | undefined;
  readonly failure: SeenFailure | undefined;
  /** How many attempts the runtime speaks of; absent where the surface does not show it. */
  readonly attempts: number | undefined;
  /** Facts as the consumer heard them; empty where the surface shows none. */
  readonly events: readonly HeardEvent[];
  readonly client: SeenByClient | undefined;
  /** Warnings of the process while the case ran. */
  readonly warnings: readonly string[];
}

export interface HeardEvent {
  readonly at: number;
  readonly event: StampedEvent;
}

export interface SeenCall {
  readonly id: string | undefined;
  readonly name: string;
  readonly arguments: JsonValue | undefined;
}

/** In the words of the cases. A count that nobody reported is absent. */
export interface SeenUsage {
  readonly input: number | undefined;
  readonly cached_read: number | undefined;
  readonly cache_write: number | undefined;
  readonly output: number | undefined;
  readonly reasoning: number | undefined;
}

/** A failure as far as the surface shows it. */
export interface SeenFailure {
  readonly code: string | undefined;
  readonly kind: string | undefined;
  readonly retryable: boolean | undefined;
  readonly upstreamStatus: number | undefined;
  readonly message: string;
  /** The whole failure, where the surface hands it out. */
  readonly failure: Failure | undefined;
}

/** What an HTTP client of the gateway received. */
export interface SeenByClient {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** All answers of the case, one after the other. */
  readonly document: WireDocument;
  /** The last of them. */
  readonly lastBody: WireDocument;
  readonly gaveUp: boolean;
}

export function seenFailure(failure: Failure): SeenFailure {
  return {
    code: failure.code,
    kind: failure.kind,
    retryable: failure.retryable,
    upstreamStatus: failure.upstream?.status,
    message: [failure.message, failure.advice, failure.upstream?.message]
      .filter((text) => text !== undefined)
      .join(' '),
    failure,
  };
}
