import { randomUUID } from 'node:crypto';
import { callId, MisuseError } from '../turn/index.js';
import type { Deadlines } from '../watch/index.js';
import { Pace } from '../watch/index.js';
import type { Call, CallOptions } from './call-options.js';
import { CallRun } from './call-run.js';
import { SYSTEM_CLOCK } from './clock.js';
import type { Clock } from './clock.js';
import type { Stop } from './stop.js';
import { Transport } from './transport.js';

/** What an engine takes from the world. A simulation, or a test of time itself, brings its own. */
export interface EnginePorts {
  readonly clock?: Clock;
  /** From 0 up to but not including 1: it spreads the waits before retries. */
  readonly random?: () => number;
}

/**
 * Runs calls: sends requests, retries what a retry can cure, falls back along the chain, and tells the truth about
 * all of it in one stream of events. Connections are pooled per engine, so a program needs one.
 */
export class Engine {
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #transport: Transport;
  readonly #pace: Pace = new Pace();
  readonly #waiting: Set<Stop> = new Set();

  constructor(ports: EnginePorts = {}) {
    this.#clock = ports.clock ?? SYSTEM_CLOCK;
    this.#random = ports.random ?? Math.random;
    this.#transport = new Transport(this.#clock);
  }

  /**
   * Starts nothing by itself: the call runs as it is iterated, and waits while nobody reads.
   * Throws `MisuseError` for options that could never work.
   */
  call(options: CallOptions): Call {
    checkDeadlines(options.deadlines ?? {});
    return new CallRun(options.ids?.call ?? callId(`call_${randomUUID()}`), options, {
      clock: this.#clock,
      transport: this.#transport,
      pace: this.#pace,
      random: this.#random,
      waiting: this.#waiting,
    });
  }

  /** Ends whatever is still under way as `stopped` and closes the connections. */
  async close(): Promise<void> {
    for (const stop of this.#waiting) stop.say();
    await this.#transport.close();
  }
}

/** There is always a backstop: no budget may be zero, negative or endless. */
function checkDeadlines(deadlines: Partial<Deadlines>): void {
  for (const [name, value] of Object.entries(deadlines)) {
    const optional = name === 'transportMs' || name === 'openItemMs';
    if (optional && value === undefined) continue;
    const least = name === 'prefillPer4kTokensMs' ? 0 : Number.MIN_VALUE;
    if (typeof value !== 'number' || !Number.isFinite(value) || value < least) {
      throw new MisuseError(
        'deadline_invalid',
        `deadlines.${name} is ${String(value)}. Give a positive number of milliseconds; a wait without end cannot be set.`,
      );
    }
  }
}
