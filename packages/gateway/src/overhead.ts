import { monotonicMs } from './clock.js';

/** How long a request was in our hands: all its time but the waiting for the client's body and for the engine. */
export class Overhead {
  readonly #startedAt: number = monotonicMs();
  #awayMs = 0;
  #leftAt: number | undefined;

  /** From here on somebody else is waited for. */
  leave(): void {
    this.#leftAt = monotonicMs();
  }

  back(): void {
    if (this.#leftAt === undefined) return;
    this.#awayMs += monotonicMs() - this.#leftAt;
    this.#leftAt = undefined;
  }

  ms(): number {
    const now = this.#leftAt ?? monotonicMs();
    return now - this.#startedAt - this.#awayMs;
  }
}
