import type { ClientRequest, DialectName } from '../dialects/index.js';
import type { RetryLimits } from '../policy/index.js';
import type { CallId, FinishReason, Item, ModelRequest, SessionId, StampedEvent, TurnId, Usage } from '../turn/index.js';
import type { Deadlines } from '../watch/index.js';
import type { Hop } from './hop.js';

export interface CallOptions {
  /** The primary first, then its fallbacks in order. */
  readonly chain: readonly [Hop, ...Hop[]];
  /** `model` in it is ignored: each hop names its own. */
  readonly request: ModelRequest;
  /** The client's own body: hops of the same dialect get it amended instead of rewritten. */
  readonly original?: OriginalRequest;
  /** False asks the upstream for a whole reply. Default true: only a stream can be watched. */
  readonly stream?: boolean;
  /** The caller's stop. It ends the call as `stopped` whatever else happens. */
  readonly signal?: AbortSignal;
  readonly deadlines?: Partial<Deadlines>;
  readonly limits?: Partial<RetryLimits>;
  /**
   * Whether the consumer can withdraw what it has shown. Where it cannot, a failure after shown text or a shown
   * call ends the call instead of a retry. Default true.
   */
  readonly canRetract?: boolean;
  readonly ids?: { readonly session?: SessionId; readonly turn?: TurnId; readonly call?: CallId };
}

export interface OriginalRequest {
  readonly dialect: DialectName;
  readonly client: ClientRequest;
}

/** What one arrival of bytes was worth. Consumers that forward bytes take them from here, unchanged and in order. */
export interface Batch {
  /** Bytes of the current attempt's body as they arrived; absent on batches of the runtime's own facts. */
  readonly bytes: Uint8Array | undefined;
  readonly events: readonly StampedEvent[];
}

/** One call in progress. It is iterated once, by events or by batches. */
export interface Call extends AsyncIterable<StampedEvent> {
  readonly id: CallId;
  batches(): AsyncIterable<Batch>;
  /** Runs the call to its end. Throws `HoldfastError` where it fails. */
  result(): Promise<CallResult>;
}

export interface CallResult {
  readonly finish: FinishReason;
  /** True unless the model came to its own end: the reply was cut by the cap, blocked, or ended for an unknown reason. */
  readonly incomplete: boolean;
  readonly text: string;
  readonly items: readonly Item[];
  /** All attempts of the call, withdrawn ones included. */
  readonly usage: Usage;
  readonly attempts: number;
  readonly provider: string;
  readonly model: string;
  readonly notices: readonly string[];
}

