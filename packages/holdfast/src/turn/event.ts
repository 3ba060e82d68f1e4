import type { Capabilities } from './capabilities.js';
import type { Failure, DeadlineVerdict, Phase, WatchdogName } from './failure.js';
import type { AttemptId, CallId, ItemId, SessionId, TurnId } from './ids.js';
import type { Item, ItemKind } from './item.js';
import type { Usage } from './usage.js';

/** Why a reply ended, in our words. `raw` beside it keeps the provider's. */
export type FinishReason =
  | 'stop'
  | 'tool_calls'
  /** The output cap cut it. */
  | 'length'
  /** Refused or blocked. */
  | 'content_filter'
  /** It ended as this provider ends, and named no reason that we know. */
  | 'unknown';

/**
 * What a reply reader may say. `item.started` is an observation: it blocks completion and moves deadlines, and
 * nothing is ever dispatched or stored because of it. `item.completed` owns both, and carries the opaque state.
 */
export type ReplyEvent =
  | {
      readonly type: 'item.started';
      readonly item: ItemId;
      readonly kind: ItemKind;
      /** The tool's name and call id, for a call whose start carries them. */
      readonly name: string | undefined;
      readonly callId: string | undefined;
      /** The wire did not mark this start; the reader concluded it. Diagnosis must not blame a guess. */
      readonly inferred: boolean;
    }
  /** More text of an open item: prose, thinking, or the arguments of a call. */
  | { readonly type: 'item.delta'; readonly item: ItemId; readonly text: string }
  | { readonly type: 'item.completed'; readonly item: ItemId; readonly result: Item }
  /** Cumulative counts of this attempt; a later report replaces an earlier one field by field. */
  | { readonly type: 'usage.reported'; readonly usage: Usage }
  /** A ping, comment or unknown frame: the wire lives, the model may not. */
  | { readonly type: 'wire.kept_alive' }
  /** The provider named a finish reason. More may follow; only `reply.finished` is the end. */
  | { readonly type: 'reply.ending'; readonly raw: string }
  /** The reply ended as this wire ends. Items still open were cut and are never dispatched. */
  | {
      readonly type: 'reply.finished';
      readonly reason: FinishReason;
      readonly raw: string | undefined;
      /** The provider's words beside a reason, such as a block's category. */
      readonly detail: string | undefined;
    }
  /** The provider, or the wire itself, said inside the stream that this reply has failed. */
  | { readonly type: 'reply.failed'; readonly failure: Failure };

/** What the runtime says of one attempt. */
export type AttemptEvent =
  | {
      readonly type: 'attempt.started';
      readonly provider: string;
      readonly vendor: string;
      readonly model: string;
      readonly maxOutputTokens: number | undefined;
      readonly capabilities: Capabilities;
      /** Hash of provider, model and body: equal prints are equal requests. */
      readonly fingerprint: string;
      readonly number: number;
      readonly numberMax: number;
    }
  /** The connection stands and the request is on its way. */
  | { readonly type: 'attempt.sent' }
  | { readonly type: 'attempt.accepted'; readonly status: number; readonly requestId: string | undefined }
  | { readonly type: 'attempt.completed'; readonly finish: FinishReason; readonly usage: Usage }
  | { readonly type: 'attempt.failed'; readonly failure: Failure; readonly usage: Usage }
  /** What this attempt showed is withdrawn by everyone. */
  | { readonly type: 'attempt.retracted'; readonly reason: string }
  | {
      readonly type: 'deadline.extended';
      readonly watchdog: WatchdogName;
      readonly fromMs: number;
      readonly toMs: number;
      readonly because: Phase;
    }
  | { readonly type: 'deadline.fired'; readonly verdict: DeadlineVerdict };

/** What the runtime says of a call. */
export type CallEvent =
  | { readonly type: 'call.started'; readonly model: string; readonly maxOutputTokens: number | undefined }
  | {
      readonly type: 'call.completed';
      readonly finish: FinishReason;
      readonly items: readonly Item[];
      readonly usage: Usage;
    }
  | { readonly type: 'call.failed'; readonly failure: Failure; readonly items: readonly Item[]; readonly usage: Usage }
  | {
      readonly type: 'retry.scheduled';
      readonly reason: Failure;
      readonly waitMs: number;
      /** The attempt that comes, of how many at most. */
      readonly number: number;
      readonly numberMax: number;
      /** What the next request has that this one had not; empty when it is the same. */
      readonly changes: readonly string[];
    }
  | { readonly type: 'fallback.chosen'; readonly from: string; readonly to: string; readonly reason: Failure }
  | { readonly type: 'notice'; readonly level: 'info' | 'warning'; readonly code: string; readonly text: string };

/** The one language of the house. Every consumer folds these and nothing else. */
export type TurnEvent = ReplyEvent | AttemptEvent | CallEvent;

/** Where and when an event happened. `seq` has no gaps within its stream; `at` is milliseconds since the epoch. */
export interface Stamp {
  readonly seq: number;
  readonly at: number;
  readonly session?: SessionId;
  readonly turn?: TurnId;
  readonly call: CallId;
  /** Absent on facts of the call itself. */
  readonly attempt?: AttemptId;
}

export type StampedEvent = Stamp & TurnEvent;
