import { itemId } from '../../turn/index.js';
import type { AttemptId, ItemId } from '../../turn/index.js';

/** An item's id and its place in the order in which items began. */
export interface Place {
  readonly item: ItemId;
  readonly position: number;
}

/** Numbers the items of one reply in the order in which they begin. */
export class ItemCounter {
  readonly #attempt: AttemptId;
  #next = 0;

  constructor(attempt: AttemptId) {
    this.#attempt = attempt;
  }

  get count(): number {
    return this.#next;
  }

  take(): Place {
    const position = this.#next;
    this.#next += 1;
    return { item: itemId(this.#attempt, position), position };
  }
}
