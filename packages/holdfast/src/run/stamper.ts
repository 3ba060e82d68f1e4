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
  readonly #isAlone: boolean;
  readonly #offset: number;
  #seq = 0;

  constructor(ids: StreamIds, clock: Clock) {
    this.#ids = ids;
    this.#isAlone = ids.session === undefined && ids.turn === undefined;
    this.#offset = clock.epoch() - clock.now();
  }

  /** `at` is on the engine's clock; the stamp's is since the epoch. */
  stamp(event: TurnEvent, at: number, attempt: AttemptId | undefined): StampedEvent {
    this.#seq += 1;
    const seq = this.#seq;
    const since = Math.round(this.#offset + at);
    const { call } = this.#ids;
    // The fixed fields come first and the event is spread last: the other way round costs several times as much.
    if (!this.#isAlone) {
      const stamp = { seq, at: since, ...this.#ids };
      return attempt === undefined ? { ...stamp, ...event } : { ...stamp, attempt, ...event };
    }
    if (attempt === undefined) return { seq, at: since, call, ...event };
    // Nearly every event of a stream, written out.
    if (event.type === 'item.delta')
      return { seq, at: since, call, attempt, type: 'item.delta', item: event.item, text: event.text };
    return { seq, at: since, call, attempt, ...event };
  }
}
