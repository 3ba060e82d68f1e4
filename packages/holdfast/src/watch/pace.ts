/** Tokens a second that a live model is trusted to reach before anything was observed. */
const ASSUMED_PACE = 15;
const SAMPLES_NEEDED = 8;
const SAMPLES_KEPT = 64;
const PRODUCERS_KEPT = 1_000;

/**
 * How fast each producer writes, learned from finished replies. Of what was seen, the slow pace halves the 5th
 * percentile, so that a budget made from it outlasts all but a broken reply.
 */
export class Pace {
  readonly #samples: Map<string, number[]> = new Map();

  /** `producer` names provider and model together. Replies too short to tell a pace are not counted. */
  observe(producer: string, outputTokens: number, writingMs: number): void {
    if (outputTokens < 20 || writingMs < 200) return;
    const samples = this.#samples.get(producer) ?? [];
    samples.push(outputTokens / (writingMs / 1_000));
    if (samples.length > SAMPLES_KEPT) samples.shift();
    this.#samples.delete(producer); // The oldest producer is the first in line to be forgotten.
    this.#samples.set(producer, samples);
    if (this.#samples.size > PRODUCERS_KEPT) this.#forgetOldest();
  }

  /** Tokens a second. */
  slowPace(producer: string): number {
    const samples = this.#samples.get(producer);
    if (samples === undefined || samples.length < SAMPLES_NEEDED) return ASSUMED_PACE;
    const sorted = samples.toSorted((a, b) => a - b);
    const fifth = sorted[Math.floor(sorted.length * 0.05)] ?? ASSUMED_PACE * 2;
    return Math.max(0.1, fifth / 2);
  }

  #forgetOldest(): void {
    const oldest = this.#samples.keys().next();
    if (!oldest.done) this.#samples.delete(oldest.value);
  }
}
