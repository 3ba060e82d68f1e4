import type { StampedEvent } from 'holdfast/turn';
import { activityLine, DEADLINES, durationWords, Ledger, Pace } from 'holdfast/watch';
import type { Deadlines, Rules } from 'holdfast/watch';

export interface ActivityOptions {
  readonly deadlines: Partial<Deadlines>;
  /** Characters of the prompt: a long one is read for longer. */
  readonly promptChars: number;
}

type Doing =
  | { readonly type: 'starting' }
  | { readonly type: 'attempt'; readonly rules: Rules; readonly provider: string }
  | { readonly type: 'waiting'; readonly until: number; readonly words: string }
  | { readonly type: 'ended' };

/** What a call is doing now, as one line: the fold of its events through the ledger that the watchdog uses as well. */
export class Activity {
  readonly #ledger: Ledger = new Ledger();
  readonly #options: ActivityOptions;
  readonly #deadlines: Deadlines;
  #startedAt: number | undefined;
  #signAt: number | undefined;
  #doing: Doing = { type: 'starting' };

  constructor(options: ActivityOptions) {
    this.#options = options;
    this.#deadlines = { ...DEADLINES, ...options.deadlines };
  }

  record(event: StampedEvent): void {
    this.#ledger.record(event, event.at);
    this.#startedAt ??= event.at;
    if (event.type !== 'wire.kept_alive') this.#signAt = event.at;
    if (event.type === 'attempt.started') {
      this.#doing = { type: 'attempt', rules: this.#rules(event), provider: event.provider };
    }
    if (event.type === 'retry.scheduled') {
      const status = event.reason.upstream?.status;
      const what =
        status === undefined
          ? 'The attempt failed'
          : `${event.reason.upstream?.provider ?? 'The provider'} answered ${status}`;
      this.#doing = {
        type: 'waiting',
        until: event.at + event.waitMs,
        words: `${what}; asking again (attempt ${event.number} of at most ${event.numberMax})`,
      };
    }
    if (event.type === 'call.completed' || event.type === 'call.failed') this.#doing = { type: 'ended' };
  }

  /** Bytes came, whatever they were worth. */
  hear(at: number): void {
    this.#ledger.hear(at);
  }

  /** Since the last fact; pings are none. */
  quietMs(now: number): number {
    return this.#signAt === undefined ? 0 : now - this.#signAt;
  }

  line(now: number): string | undefined {
    const doing = this.#doing;
    switch (doing.type) {
      case 'attempt':
        return activityLine(this.#ledger, doing.rules, { provider: doing.provider, now });
      case 'waiting':
        return `${doing.words} in ${durationWords(Math.max(0, doing.until - now))}`;
      case 'starting':
      case 'ended':
        return undefined;
    }
  }

  #rules(attempt: Extract<StampedEvent, { type: 'attempt.started' }>): Rules {
    return {
      deadlines: this.#deadlines,
      capabilities: attempt.capabilities,
      slowPace: new Pace().slowPace(`${attempt.provider}/${attempt.model}`),
      maxOutputTokens: attempt.maxOutputTokens,
      promptTokens: Math.ceil(this.#options.promptChars / 4),
      streamed: true,
      offersTools: false,
      turnEndsAt: (this.#startedAt ?? attempt.at) + this.#deadlines.turnMs,
    };
  }
}
