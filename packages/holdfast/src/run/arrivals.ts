/** What reaches an attempt from outside, with the time at which it did. */
export type Arrival =
  /** The connection stands and the request is on its way. */
  | { readonly type: 'sent'; readonly at: number }
  | {
      readonly type: 'head';
      readonly at: number;
      readonly status: number;
      readonly headers: Readonly<Record<string, string | undefined>>;
    }
  | { readonly type: 'bytes'; readonly at: number; readonly bytes: Uint8Array }
  | { readonly type: 'ended'; readonly at: number }
  | { readonly type: 'broken'; readonly at: number; readonly error: unknown }
  /** Reading goes on after our own consumer had stopped it. */
  | { readonly type: 'resumed'; readonly at: number }
  /** The alarm rang, and everything that had arrived by then stands before it. */
  | { readonly type: 'alarm'; readonly at: number }
  | { readonly type: 'stopped'; readonly at: number };

/** Bytes this close in time are one arrival for everyone above. */
const TOGETHER_MS = 1;
const TOGETHER_BYTES_MAX = 64 * 1024;

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

  /** The next arrival. Bytes that came together are handed out together: each hand-over costs, each byte hardly. */
  take(): Arrival | undefined {
    const arrival = this.#next();
    if (arrival?.type !== 'bytes') return arrival;
    const { at } = arrival;
    const pieces = [arrival.bytes];
    let size = arrival.bytes.length;
    for (let more = this.#queue[this.#read]; more?.type === 'bytes'; more = this.#queue[this.#read]) {
      size += more.bytes.length;
      if (more.at - at > TOGETHER_MS || size > TOGETHER_BYTES_MAX) break;
      pieces.push(more.bytes);
      this.#next();
    }
    return pieces.length === 1 ? arrival : { type: 'bytes', at, bytes: Buffer.concat(pieces) };
  }

  #next(): Arrival | undefined {
    const arrival = this.#queue[this.#read];
    if (arrival === undefined) return undefined;
    this.#read += 1;
    if (this.#read === this.#queue.length) {
      this.#queue = [];
      this.#read = 0;
    }
    return arrival;
  }

  peek(): Arrival | undefined {
    return this.#queue[this.#read];
  }

  /** Whether something is waiting. */
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
