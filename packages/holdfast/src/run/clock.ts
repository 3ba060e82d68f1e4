/** Time as the engine sees it. A simulation brings its own. */
export interface Clock {
  /** Milliseconds on a clock that never jumps. */
  now(): number;
  /** Milliseconds since the epoch, moving with `now`: a jump of the wall clock changes nothing. */
  epoch(): number;
  /** Calls back once, not before `at`. The result cancels it. */
  alarm(at: number, ring: () => void): () => void;
  /** Calls back after arrivals that are already waiting have been delivered. */
  afterArrivals(ring: () => void): void;
}

/** The longest delay that a Node timer takes; a longer one would fire at once. */
const TIMER_MS_MAX = 2 ** 31 - 1;

export const SYSTEM_CLOCK: Clock = {
  now: () => performance.now(),
  epoch: () => Math.round(performance.timeOrigin + performance.now()),
  alarm(at, ring) {
    const timer = setTimeout(ring, Math.min(TIMER_MS_MAX, Math.max(0, Math.ceil(at - performance.now()))));
    return () => clearTimeout(timer);
  },
  afterArrivals: (ring) => {
    setImmediate(ring);
  },
};
