import type { Clock } from './clock.js';
import type { Stop } from './stop.js';

/** Waits, unless and until the caller says stop. */
export async function sleep(clock: Clock, ms: number, stop: Stop): Promise<void> {
  if (ms <= 0 || stop.isSaid) return;
  await new Promise<void>((resolve) => {
    const until = clock.now() + ms;
    const ring = (): void => {
      if (clock.now() < until) cancel = clock.alarm(until, ring);
      else done();
    };
    const done = (): void => {
      cancel();
      stop.forget();
      resolve();
    };
    let cancel = clock.alarm(until, ring);
    stop.listen(done);
  });
}
