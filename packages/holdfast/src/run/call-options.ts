import type { ClientRequest, DialectName } from '../dialects/index.js';
import type { RetryLimits } from '../policy/index.js';
import type {
  CallId,
  FinishReason,
  Item,
  ModelRequest,
  SessionId,
  StampedEvent,
  TurnId,
  Usage,
} from '../turn/index.js';
import type { Deadlines } from '../watch/index.js';
import type { Hop } from './hop.js';

export interface CallOptions {
  /** The primary first, then its fallbacks in order. */
  readonly chain: readonly [Hop, ...Hop[]];
  /** Without a model, or with one that is ignored: each hop names its own. */
  readonly request: Omit<ModelRequest, 'model'> & { readonly model?: string };
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

/** What arrived together, and what it was worth. Consumers that forward bytes take them from here, unchanged and in order. */
export interface Batch {
  /** Bytes of the current attempt's reply as they arrived, the body of an error not among them; absent where none did. */
  readonly bytes: Uint8Array | undefined;
  readonly events: readonly StampedEvent[];
}

/** One call in progress. It is iterated once, by events or by batches. */
export interface Call extends AsyncIterable<StampedEvent> {
  readonly id: CallId;
  batches(): AsyncIterable<Batch>;
  /** The caller's stop, for callers without an `AbortSignal`: the call ends as `stopped` whatever else happens. */
  stop(): void;
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
