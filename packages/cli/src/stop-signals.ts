import type { StopSignal, World } from './world.js';

/** Turns the first SIGINT or SIGTERM into an orderly stop, and the second into an immediate end. */
export class StopSignals {
  readonly #controller: AbortController = new AbortController();
  readonly #dispose: () => void;
  #stoppedBy: StopSignal | undefined;

  constructor(world: World, exitNow: (signal: StopSignal) => number) {
    const onSignal = (signal: StopSignal): void => {
      if (this.#stoppedBy !== undefined) world.exit(exitNow(signal));
      this.#stoppedBy = signal;
      this.#controller.abort();
    };
    const onInterrupt = (): void => onSignal('SIGINT');
    const onTerminate = (): void => onSignal('SIGTERM');
    world.on('SIGINT', onInterrupt);
    world.on('SIGTERM', onTerminate);
    this.#dispose = () => {
      world.off('SIGINT', onInterrupt);
      world.off('SIGTERM', onTerminate);
    };
  }

  get stop(): AbortSignal {
    return this.#controller.signal;
  }

  get stoppedBy(): StopSignal | undefined {
    return this.#stoppedBy;
  }

  /** Resolves with the first signal. */
  async arrived(): Promise<void> {
    if (this.stop.aborted) return;
    await new Promise<void>((resolve) => {
      this.stop.addEventListener('abort', () => resolve(), { once: true });
    });
  }

  /** Stops for a reason of our own. */
  abort(): void {
    this.#controller.abort();
  }

  dispose(): void {
    this.#dispose();
  }
}
