import type { Capabilities } from './capabilities.js';
import type { ItemId } from './ids.js';
import type { ItemKind } from './item.js';

/** The classes of what the world does to us. Policy maps each to a decision; nothing else does. */
export type FailureKind =
  | 'transient'
  | 'deadline'
  | 'request'
  | 'context_overflow'
  | 'auth'
  | 'billing'
  | 'model_unknown'
  | 'content'
  | 'output_cap_thinking'
  | 'output_cap'
  | 'empty_completion'
  | 'protocol'
  | 'stopped';

export type AtFault = 'caller' | 'operator' | 'provider' | 'network' | 'model' | 'holdfast';

/**
 * What happened to an attempt or a call, as a value, without a decision about what follows.
 * `message` is one sentence; `advice` is what a person can do.
 */
export interface Failure {
  /** Stable and specific, such as `deadline_silence` or `upstream_auth_failed`. */
  readonly code: string;
  readonly kind: FailureKind;
  /** Whether the same request, later, could succeed. A fact about the cause, not a decision. */
  readonly retryable: boolean;
  readonly atFault: AtFault;
  readonly message: string;
  readonly advice?: string;
  readonly upstream?: Upstream;
  /** The configuration entry that applied, such as `presets.default.brain.max_output_tokens`. */
  readonly configEntry?: string;
  /** How long the provider asked us to wait, in milliseconds. Only from error answers. */
  readonly retryAfterMs?: number;
  /** How many attempts the call had made when it ended with this. */
  readonly attempts?: number;
  /** Present on `deadline` alone. */
  readonly deadline?: DeadlineVerdict;
  readonly cause?: Failure;
}

/** The provider's own words: quoted, at most 2 KB, redacted of keys. */
export interface Upstream {
  readonly provider: string;
  /** The status that was received or that an error inside a 200 carries. */
  readonly status: number | undefined;
  readonly code: string | undefined;
  readonly type: string | undefined;
  readonly message: string | undefined;
  readonly requestId: string | undefined;
}

export type WatchdogName = 'connect' | 'prefill' | 'transport' | 'silence' | 'attempt' | 'turn';

/** Where in its reply an attempt stands, as far as its producer lets us see. */
export type Phase =
  /** No connection yet. */
  | 'connect'
  /** Request sent, nothing of the model yet. */
  | 'prefill'
  /** Between items: nothing is open and more may come. */
  | 'idle'
  /** An item is open and its producer streams what it writes. */
  | 'item'
  /** A tool call, or thinking, is open that the producer keeps until it is whole. */
  | 'buffered_item'
  /** The producer announces calls only when whole, so it may be writing one. */
  | 'hidden_item'
  /** Every item is complete or the finish reason is known; only the wire's end is missing. */
  | 'terminal';

/** The last lifecycle fact, or the transport fact for watchdogs that look at bytes. */
export type Anchor =
  | 'turn_started'
  | 'attempt_started'
  | 'request_sent'
  | 'byte'
  | 'item_started'
  | 'item_delta'
  | 'item_completed'
  | 'usage'
  | 'reply_ending'
  | 'reading_resumed';

/** Everything from which the words about a fired deadline are made. Times in milliseconds. */
export interface DeadlineVerdict {
  readonly watchdog: WatchdogName;
  readonly budgetMs: number;
  /** Since the anchor. */
  readonly elapsedMs: number;
  readonly anchor: Anchor;
  /** When the anchor was, in milliseconds since the attempt started. */
  readonly anchorAtMs: number;
  readonly phase: Phase;
  readonly activeItems: readonly ActiveItem[];
  readonly capabilities: Capabilities;
}

export interface ActiveItem {
  readonly item: ItemId;
  readonly kind: ItemKind;
  /** The tool's name, for a call. */
  readonly name: string | undefined;
  /** Characters of its deltas so far. */
  readonly chars: number;
}
