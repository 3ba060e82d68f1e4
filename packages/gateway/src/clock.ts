/** The one file of this package that reads clocks and owns timers. */

/** Milliseconds since the epoch, for log lines and creation times. Never for measuring. */
export function wallMs(): number {
  return Date.now();
}

/** Milliseconds that only ever grow, for measuring. */
export function monotonicMs(): number {
  return performance.now();
}

/** After what is happening now is over. */
export function soon(task: () => void): void {
  setImmediate(task);
}

/** One timer that can be wound again. It keeps no process alive. */
export class Alarm {
  readonly #ring: () => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(ring: () => void) {
    this.#ring = ring;
  }

  set(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#ring, ms).unref();
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
