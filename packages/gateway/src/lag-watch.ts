import { Alarm, monotonicMs } from './clock.js';

const SAMPLES = 5;

/** Whether the event loop has been late for so long that new work would only make it later. */
export class LagWatch {
  readonly #lagMs: number;
  readonly #everyMs: number;
  readonly #alarm: Alarm = new Alarm(() => this.#sample());
  #dueAt = 0;
  #lateInARow = 0;

  constructor(lagMs: number, lagForMs: number) {
    this.#lagMs = lagMs;
    this.#everyMs = lagForMs / SAMPLES;
  }

  start(): void {
    this.#dueAt = monotonicMs() + this.#everyMs;
    this.#alarm.set(this.#everyMs);
  }

  stop(): void {
    this.#alarm.clear();
  }

  isShedding(): boolean {
    return this.#lateInARow >= SAMPLES;
  }

  #sample(): void {
    const isLate = monotonicMs() - this.#dueAt >= this.#lagMs;
    this.#lateInARow = isLate ? this.#lateInARow + 1 : 0;
    this.start();
  }
}
