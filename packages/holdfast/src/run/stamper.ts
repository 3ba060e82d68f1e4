import type { AttemptId, CallId, SessionId, StampedEvent, TurnEvent, TurnId } from '../turn/index.js';
import type { Clock } from './clock.js';

export interface StreamIds {
  readonly call: CallId;
  readonly session?: SessionId;
  readonly turn?: TurnId;
}

/** The one place that says where and when an event happened. */
export class Stamper {
  readonly #ids: StreamIds;
  readonly #offset: number;
  #seq = 0;

  constructor(ids: StreamIds, clock: Clock) {
    this.#ids = ids;
    this.#offset = clock.epoch() - clock.now();
  }

  /** `at` is on the engine's clock; the stamp's is since the epoch. */
  stamp(event: TurnEvent, at: number, attempt: AttemptId | undefined): StampedEvent {
    this.#seq += 1;
    const seq = this.#seq;
    const since = Math.round(this.#offset + at);
    const { session, turn, call } = this.#ids;
    // Nearly every event of a stream. Written out, since a spread here costs as much as the rest of the path.
    if (event.type === 'item.delta' && attempt !== undefined && session === undefined && turn === undefined) {
      return { type: 'item.delta', item: event.item, text: event.text, seq, at: since, call, attempt };
    }
    const stamp = { seq, at: since, ...this.#ids };
    return attempt === undefined ? { ...event, ...stamp } : { ...event, ...stamp, attempt };
  }
}
