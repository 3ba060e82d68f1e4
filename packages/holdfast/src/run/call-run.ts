import { RETRY_LIMITS } from '../policy/index.js';
import type { Decision, RetryLimits } from '../policy/index.js';
import { addUsage, MisuseError, NO_USAGE } from '../turn/index.js';
import type { AttemptId, CallId, Failure, FinishReason, Item, StampedEvent, TurnEvent, Usage } from '../turn/index.js';
import { DEADLINES } from '../watch/index.js';
import type { Deadlines, Pace } from '../watch/index.js';
import { AttemptPump } from './attempt-pump.js';
import type { Portion } from './attempt-pump.js';
import type { Batch, Call, CallOptions, CallResult } from './call-options.js';
import type { Clock } from './clock.js';
import { collectResult } from './collect-result.js';
import type { Hop } from './hop.js';
import { planAttempt, producerName } from './plan-attempt.js';
import type { PlannedAttempt } from './plan-attempt.js';
import { Recovery } from './recovery.js';
import { sleep } from './sleep.js';
import { Stamper } from './stamper.js';
import type { Transport } from './transport.js';

export interface CallPorts {
  readonly clock: Clock;
  readonly transport: Transport;
  readonly pace: Pace;
  /** From 0 up to but not including 1. */
  readonly random: () => number;
}

/** One call: attempts at the hops of its chain until one answers or nothing more can help. It performs, and judges nothing. */
export class CallRun implements Call {
  readonly id: CallId;
  readonly #options: CallOptions;
  readonly #ports: CallPorts;
  readonly #stamper: Stamper;
  readonly #recovery: Recovery;
  readonly #limits: RetryLimits;
  readonly #deadlines: Deadlines;
  readonly #startedAt: number;
  #usage: Usage = NO_USAGE;
  #hopIndex = 0;

  constructor(id: CallId, options: CallOptions, ports: CallPorts) {
    this.id = id;
    this.#options = options;
    this.#ports = ports;
    this.#stamper = new Stamper({ ...options.ids, call: id }, ports.clock);
    this.#limits = { ...RETRY_LIMITS, ...options.limits };
    this.#deadlines = { ...DEADLINES, ...options.deadlines };
    this.#recovery = new Recovery(this.#limits);
    this.#startedAt = ports.clock.now();
  }

  async *[Symbol.asyncIterator](): AsyncIterator<StampedEvent> {
    for await (const batch of this.batches()) yield* batch.events;
  }

  result(): Promise<CallResult> {
    return collectResult(this);
  }

  async *batches(): AsyncGenerator<Batch> {
    const { request, chain } = this.#options;
    const cap = request.maxOutputTokens ?? chain[0].maxOutputTokens;
    yield this.#say({ type: 'call.started', model: chain[0].model, maxOutputTokens: cap });
    let goOn = true;
    while (goOn) goOn = yield* this.#attempt();
  }

  /** One attempt and what follows from it. True where another one follows. */
  async *#attempt(): AsyncGenerator<Batch, boolean> {
    const hop = this.#hop();
    const planned = this.#plan(hop);
    if ('refusal' in planned) {
      yield this.#fail(planned.refusal, []);
      return false;
    }
    for (const text of this.#recovery.attempts === 1 ? planned.notices : []) {
      yield this.#say({ type: 'notice', level: 'info', code: 'request_adapted', text });
    }
    const pump = new AttemptPump(planned.plan, this.#ports.clock);
    for await (const portion of pump.run(this.#ports.transport, this.#options.signal)) {
      yield this.#batch(portion, planned.plan.id);
    }
    const { state, reply } = pump.attempt;
    this.#usage = addUsage(this.#usage, reply.usage);
    if (state.type !== 'failed') {
      const finish = state.type === 'finished' ? state.reason : 'unknown';
      this.#observePace(hop, pump);
      yield this.#end(planned.plan.id, finish, { items: reply.items, usage: reply.usage });
      return false;
    }
    return yield* this.#recover(state.failure, planned, pump);
  }

  async *#recover(failure: Failure, planned: PlannedAttempt, pump: AttemptPump): AsyncGenerator<Batch, boolean> {
    const { id, hop, rules, maxOutputTokens } = planned.plan;
    const { reply } = pump.attempt;
    pump.attempt.ledger.record({ type: 'attempt.failed', failure, usage: reply.usage }, this.#ports.clock.now());
    yield this.#say({ type: 'attempt.failed', failure, usage: reply.usage }, id);
    const decision = this.#stopped() ?? this.#recovery.next({
      failure,
      fingerprint: planned.fingerprint,
      elapsedMs: this.#ports.clock.now() - this.#startedAt,
      stuckWithShown: this.#options.canRetract === false && reply.shown,
      hasNextHop: this.#hopIndex + 1 < this.#options.chain.length,
      hop,
      cap: maxOutputTokens,
      promptTokens: rules.promptTokens,
      random: this.#ports.random(),
    });
    if (decision.type === 'end') {
      yield this.#fail(failure.kind === 'stopped' ? failure : decision.failure, reply.items);
      return false;
    }
    if (pump.attempt.ledger.itemsSeen > 0) yield this.#say({ type: 'attempt.retracted', reason: failure.code }, id);
    return yield* this.#perform(decision, failure, hop);
  }

  async *#perform(decision: Exclude<Decision, { type: 'end' }>, failure: Failure, hop: Hop): AsyncGenerator<Batch, boolean> {
    if (decision.type === 'fall_back') {
      this.#hopIndex += 1;
      const to = this.#hop();
      yield this.#say({ type: 'fallback.chosen', from: producerName(hop), to: producerName(to), reason: failure });
      return true;
    }
    const waitMs = decision.type === 'retry' ? decision.afterMs : 0;
    yield this.#say({
      type: 'retry.scheduled',
      reason: failure,
      waitMs,
      number: this.#recovery.attempts + 1,
      numberMax: this.#limits.attemptsMax,
      changes: changesOf(decision),
    });
    await sleep(this.#ports.clock, waitMs, this.#options.signal);
    const stopped = this.#stopped();
    if (stopped === undefined) return true;
    yield this.#fail(stopped.failure, []);
    return false;
  }

  /** A request that this hop's wire cannot express is refused before anything is sent. */
  #plan(hop: Hop): PlannedAttempt | { readonly refusal: Failure } {
    const number = this.#recovery.begin();
    try {
      return planAttempt({ id: this.id, options: this.#options, pace: this.#ports.pace }, hop, {
        number,
        numberMax: this.#limits.attemptsMax,
        notes: this.#recovery.notes,
        raisedCap: this.#recovery.raisedCap,
        deadlines: this.#deadlines,
        turnEndsAt: this.#startedAt + this.#deadlines.turnMs,
      });
    } catch (error) {
      if (!(error instanceof MisuseError)) throw error;
      return { refusal: { code: error.code, kind: 'request', retryable: false, atFault: 'caller', message: error.message } };
    }
  }

  #hop(): Hop {
    return this.#options.chain[this.#hopIndex] ?? this.#options.chain[0];
  }

  /** Stop beats everything that happens at the same time. */
  #stopped(): { readonly type: 'end'; readonly failure: Failure } | undefined {
    if (this.#options.signal?.aborted !== true) return undefined;
    const failure: Failure = { code: 'stopped', kind: 'stopped', retryable: false, atFault: 'caller', message: 'Stopped by the caller.' };
    return { type: 'end', failure };
  }

  #observePace(hop: Hop, pump: AttemptPump): void {
    const { ledger, reply } = pump.attempt;
    if (ledger.sentAt === undefined || ledger.progressAt === undefined) return;
    this.#ports.pace.observe(producerName(hop), reply.usage.outputTokens ?? ledger.outputTokens, ledger.progressAt - ledger.sentAt);
  }

  #end(attempt: AttemptId, finish: FinishReason, kept: { readonly items: readonly Item[]; readonly usage: Usage }): Batch {
    const at = this.#ports.clock.now();
    const { items, usage } = kept;
    return {
      bytes: undefined,
      events: [
        this.#stamper.stamp({ type: 'attempt.completed', finish, usage }, at, attempt),
        this.#stamper.stamp({ type: 'call.completed', finish, items, usage: this.#usage }, at, undefined),
      ],
    };
  }

  #fail(failure: Failure, items: readonly Item[]): Batch {
    const counted: Failure = { ...failure, attempts: this.#recovery.attempts };
    return this.#say({ type: 'call.failed', failure: counted, items, usage: this.#usage });
  }

  #say(event: TurnEvent, attempt?: AttemptId): Batch {
    return { bytes: undefined, events: [this.#stamper.stamp(event, this.#ports.clock.now(), attempt)] };
  }

  #batch(portion: Portion, attempt: AttemptId): Batch {
    return { bytes: portion.bytes, events: portion.events.map((event) => this.#stamper.stamp(event, portion.at, attempt)) };
  }
}

function changesOf(decision: Exclude<Decision, { type: 'end' | 'fall_back' }>): readonly string[] {
  if (decision.type === 'raise_cap') return [`output cap ${decision.maxOutputTokens}`];
  return decision.note === undefined ? [] : ['note at the tail'];
}
