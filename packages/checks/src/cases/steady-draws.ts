/**
 * A case names the delay before a retry; the product draws one anywhere up to it. Until `end`, every draw of this
 * process gives the most, so that a case is not decided by luck.
 */
export class SteadyDraws {
  readonly #random = Math.random;

  constructor() {
    Math.random = () => MOST;
  }

  end(): void {
    Math.random = this.#random;
  }
}

/** The largest number below 1. */
const MOST = 1 - Number.EPSILON;
