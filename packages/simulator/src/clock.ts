/** The only place of the simulator where time passes. Waits are real time multiplied by the scale. */
export class Clock {
  readonly #startedAt: number = performance.now();
  readonly #timeScale: number;

  constructor(timeScale: number) {
    this.#timeScale = timeScale;
  }

  /** Milliseconds since the simulator started, monotonic and not scaled. */
  nowMs(): number {
    return performance.now() - this.#startedAt;
  }

  /** Ends at once when the signal fires; it never throws. */
  wait(ms: number, signal: AbortSignal): Promise<void> {
    return this.waitReal(ms * this.#timeScale, signal);
  }

  /** For what the network needs and no scale shortens. */
  waitReal(ms: number, signal: AbortSignal): Promise<void> {
    if (ms <= 0 || signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', end);
        resolve();
      };
      const timer = setTimeout(end, Math.min(ms, TIMER_MAX_MS));
      signal.addEventListener('abort', end);
    });
  }
}

/** Longer timers of Node fire at once. */
const TIMER_MAX_MS = 2_147_483_647;
