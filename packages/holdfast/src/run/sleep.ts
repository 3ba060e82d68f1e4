import type { Clock } from './clock.js';

/** Waits, unless and until the signal says stop. */
export async function sleep(clock: Clock, ms: number, signal: AbortSignal | undefined): Promise<void> {
  if (ms <= 0 || signal?.aborted === true) return;
  await new Promise<void>((resolve) => {
    const until = clock.now() + ms;
    const ring = (): void => {
      if (clock.now() < until) cancel = clock.alarm(until, ring);
      else done();
    };
    const done = (): void => {
      cancel();
      signal?.removeEventListener('abort', done);
      resolve();
    };
    let cancel = clock.alarm(until, ring);
    signal?.addEventListener('abort', done, { once: true });
  });
}
