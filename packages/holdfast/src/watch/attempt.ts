import type { AttemptEvent, Failure, FinishReason, ReplyEvent } from '../turn/index.js';
import { deadlineFailure } from './deadline-words.js';
import { judgeReply } from './judge-reply.js';
import { Ledger } from './ledger.js';
import { Reply } from './reply.js';
import type { Rules } from './rules.js';
import { nextAlarm, verdict } from './watchdog.js';
import type { Alarm } from './watchdog.js';

export type AttemptState =
  | { readonly type: 'running' }
  | { readonly type: 'finished'; readonly reason: FinishReason; readonly raw: string | undefined }
  | { readonly type: 'failed'; readonly failure: Failure };

/** What the words of an attempt's failures name. */
export interface AttemptFacts {
  readonly provider: string;
  readonly model: string;
  readonly configEntry: string | undefined;
}

const RUNNING: AttemptState = { type: 'running' };

/**
 * One HTTP request from its start to its one end. It hears facts with their times and owns no timer: the pump asks
 * for the next alarm and comes back. The first end stands; whatever arrives after it changes nothing.
 */
export class Attempt {
  readonly ledger: Ledger = new Ledger();
  readonly reply: Reply = new Reply();
  readonly #rules: Rules;
  readonly #facts: AttemptFacts;
  #state: AttemptState = RUNNING;
  #silenceMs: number;

  constructor(rules: Rules, facts: AttemptFacts) {
    this.#rules = rules;
    this.#facts = facts;
    this.#silenceMs = rules.deadlines.silenceMs;
  }

  get state(): AttemptState {
    return this.#state;
  }

  /** A fact of the runtime about this attempt. */
  note(event: AttemptEvent, at: number): void {
    this.ledger.record(event, at);
  }

  /** A fact of the reply. */
  hear(event: ReplyEvent, at: number): void {
    if (this.#state.type !== 'running') return;
    this.ledger.record(event, at);
    this.reply.record(event);
    if (event.type === 'reply.failed') this.fail(event.failure);
    if (event.type === 'reply.finished') this.#finish(event);
  }

  /** The soonest moment to come back, and the extension to announce where the phase has changed the budget. */
  settle(): { readonly alarm: Alarm; readonly extension: AttemptEvent | undefined } {
    const alarm = nextAlarm(this.ledger, this.#rules);
    if (alarm.watchdog !== 'silence' || alarm.budgetMs <= this.#silenceMs) return { alarm, extension: undefined };
    const fromMs = this.#silenceMs;
    this.#silenceMs = alarm.budgetMs;
    return {
      alarm,
      extension: { type: 'deadline.extended', watchdog: 'silence', fromMs, toMs: alarm.budgetMs, because: alarm.phase },
    };
  }

  /** The alarm's time has come. Says `deadline.fired` where a budget has truly run out. */
  wake(now: number): AttemptEvent | undefined {
    if (this.#state.type !== 'running') return undefined;
    const fired = verdict(this.ledger, this.#rules, now);
    if (fired === undefined) return undefined;
    this.fail(deadlineFailure(fired, this.#facts.provider));
    return { type: 'deadline.fired', verdict: fired };
  }

  /** The body ended, and its reader did not call that an end. */
  bytesEnded(): void {
    const open = this.ledger.activeCount;
    const left = open === 0 ? '' : `, with ${open} item${open === 1 ? '' : 's'} still open`;
    this.fail({
      code: 'stream_ended_early',
      kind: 'protocol',
      retryable: true,
      atFault: 'provider',
      message: `The stream of ${this.#facts.provider} ended without its terminal event${left}.`,
      advice: 'If it repeats, look at the proxies on the way to the provider: one of them may cut long replies.',
    });
  }

  fail(failure: Failure): void {
    if (this.#state.type === 'running') this.#state = { type: 'failed', failure };
  }

  #finish(event: Extract<ReplyEvent, { type: 'reply.finished' }>): void {
    const failure = judgeReply({
      reply: this.reply,
      reason: event.reason,
      raw: event.raw,
      detail: event.detail,
      provider: this.#facts.provider,
      model: this.#facts.model,
      maxOutputTokens: this.#rules.maxOutputTokens,
      promptTokens: this.#rules.promptTokens,
      configEntry: this.#facts.configEntry,
    });
    this.#state =
      failure === undefined ? { type: 'finished', reason: event.reason, raw: event.raw } : { type: 'failed', failure };
  }
}
