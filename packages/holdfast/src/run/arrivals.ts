/** What reaches an attempt from outside, with the time at which it did. */
export type Arrival =
  /** The connection stands and the request is on its way. */
  | { readonly type: 'sent'; readonly at: number }
  | { readonly type: 'head'; readonly at: number; readonly status: number; readonly headers: Readonly<Record<string, string | undefined>> }
  | { readonly type: 'bytes'; readonly at: number; readonly bytes: Uint8Array }
  | { readonly type: 'ended'; readonly at: number }
  | { readonly type: 'broken'; readonly at: number; readonly error: unknown }
  /** Reading goes on after our own consumer had stopped it. */
  | { readonly type: 'resumed'; readonly at: number }
  /** The alarm rang, and everything that had arrived by then stands before it. */
  | { readonly type: 'alarm'; readonly at: number }
  | { readonly type: 'stopped'; readonly at: number };

/** A queue with one reader. Amortised constant time, however far the reader falls behind. */
export class Arrivals {
  #queue: Arrival[] = [];
  #read = 0;
  #wake: (() => void) | undefined;

  put(arrival: Arrival): void {
    this.#queue.push(arrival);
    const wake = this.#wake;
    this.#wake = undefined;
    wake?.();
  }

  take(): Arrival | undefined {
    const arrival = this.#queue[this.#read];
    if (arrival === undefined) return undefined;
    this.#read += 1;
    if (this.#read === this.#queue.length) {
      this.#queue = [];
      this.#read = 0;
    }
    return arrival;
  }

  /** Whether something other than an alarm is waiting. */
  get hasMore(): boolean {
    return this.#read < this.#queue.length;
  }

  /** Resolves when something is there. */
  async ready(): Promise<void> {
    if (this.hasMore) return;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
  }
}
