/** The caller's stop, by whichever way it comes. Said once; whoever is at work for the call hears it at once. */
export class Stop {
  #isSaid = false;
  #hear: (() => void) | undefined;

  get isSaid(): boolean {
    return this.#isSaid;
  }

  readonly say = (): void => {
    if (this.#isSaid) return;
    this.#isSaid = true;
    this.#hear?.();
  };

  /** One at a time: an attempt, or the wait between two. It must ask `isSaid` first. */
  listen(hear: () => void): void {
    this.#hear = hear;
  }

  forget(): void {
    this.#hear = undefined;
  }
}
