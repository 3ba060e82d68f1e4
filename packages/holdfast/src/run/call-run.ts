import { RETRY_LIMITS } from '../policy/index.js';
import type { Decision, RetryLimits } from '../policy/index.js';
import { addUsage, MisuseError, NO_USAGE } from '../turn/index.js';
import type { AttemptId, CallId, Failure, Item, StampedEvent, TurnEvent, Usage } from '../turn/index.js';
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
import { Stop } from './stop.js';
import { STOPPED } from './stopped.js';
import type { Transport } from './transport.js';

export interface CallPorts {
  readonly clock: Clock;
  readonly transport: Transport;
  readonly pace: Pace;
  /** From 0 up to but not including 1. */
  readonly random: () => number;
  /** The calls between two attempts, which have no connection whose end could tell them that the engine closes. */
  readonly waiting: Set<Stop>;
}

/** What is said once an attempt has ended, and how long to wait for the next; `undefined` where none follows. */
interface Conclusion {
  readonly said: readonly StampedEvent[];
  readonly waitMs: number | undefined;
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
  readonly #stop: Stop = new Stop();
  readonly #told: string[] = [];
  #usage: Usage = NO_USAGE;
  #hopIndex = 0;
  #isTaken = false;

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
    for await (const batch of this.batches()) {
      for (const event of batch.events) yield event;
    }
  }

  result(): Promise<CallResult> {
    return collectResult(this);
  }

  stop(): void {
    this.#stop.say();
  }

  /** One generator and no other between an arrival and its reader, and few batches: on this path every layer costs. */
  async *batches(): AsyncGenerator<Batch> {
    if (this.#isTaken) {
      throw new MisuseError(
        'call_taken',
        'This call has been iterated already, and it runs once. Make another with Engine.call() to ask again.',
      );
    }
    this.#isTaken = true;
    const { signal } = this.#options;
    if (signal?.aborted === true) this.#stop.say();
    signal?.addEventListener('abort', this.#stop.say, { once: true });
    try {
      let said: StampedEvent[] = [this.#begin()];
      for (;;) {
        const planned = this.#plan(this.#hop());
        if ('refusal' in planned) return yield batchOf([...said, this.#fail(planned.refusal, [])]);
        for (const text of this.#untold(planned.notices))
          said.push(this.#say({ type: 'notice', level: 'info', code: 'request_adapted', text }));
        const pump = new AttemptPump(planned.plan, this.#ports.clock, this.#stop);
        try {
          yield this.#batch(pump.start(this.#ports.transport), planned.plan.id, said);
          for (let portion = await pump.next(); portion !== undefined; portion = await pump.next()) {
            yield this.#batch(portion, planned.plan.id, []);
          }
        } finally {
          pump.close();
        }
        const conclusion = this.#conclude(planned, pump);
        yield batchOf(conclusion.said);
        if (conclusion.waitMs === undefined) return;
        await this.#wait(conclusion.waitMs);
        if (this.#stop.isSaid) return yield batchOf([this.#fail(STOPPED, [])]);
        said = [];
      }
    } finally {
      signal?.removeEventListener('abort', this.#stop.say);
    }
  }

  async #wait(ms: number): Promise<void> {
    const { clock, waiting } = this.#ports;
    waiting.add(this.#stop);
    await sleep(clock, ms, this.#stop);
    waiting.delete(this.#stop);
  }

  #begin(): StampedEvent {
    const { request, chain } = this.#options;
    return this.#say({
      type: 'call.started',
      model: chain[0].model,
      maxOutputTokens: request.maxOutputTokens ?? chain[0].maxOutputTokens,
    });
  }

  #conclude(planned: PlannedAttempt, pump: AttemptPump): Conclusion {
    const { state, reply } = pump.attempt;
    const { id, hop } = planned.plan;
    this.#usage = addUsage(this.#usage, reply.usage);
    if (state.type === 'failed') return this.#recover(state.failure, planned, pump);
    if (this.#stop.isSaid) return this.#recover(STOPPED, planned, pump);
    const finish = state.type === 'finished' ? state.reason : 'unknown';
    const { items, usage } = reply;
    this.#observePace(hop, pump);
    const completed = this.#say({ type: 'attempt.completed', finish, usage }, id);
    return {
      said: [completed, this.#say({ type: 'call.completed', finish, items, usage: this.#usage })],
      waitMs: undefined,
    };
  }

  #recover(failure: Failure, planned: PlannedAttempt, pump: AttemptPump): Conclusion {
    const { id, hop } = planned.plan;
    const { ledger, reply } = pump.attempt;
    const failed: TurnEvent = { type: 'attempt.failed', failure, usage: reply.usage };
    ledger.record(failed, this.#ports.clock.now());
    const said = [this.#say(failed, id)];
    const decision = this.#decide(failure, planned, pump);
    if (decision.type === 'end')
      return { said: [...said, this.#fail(decision.failure, reply.items)], waitMs: undefined };
    if (ledger.itemsSeen > 0) said.push(this.#say({ type: 'attempt.retracted', reason: failure.code }, id));
    if (decision.type === 'fall_back') {
      this.#hopIndex += 1;
      said.push(
        this.#say({ type: 'fallback.chosen', from: producerName(hop), to: producerName(this.#hop()), reason: failure }),
      );
      return { said, waitMs: 0 };
    }
    const waitMs = decision.type === 'retry' ? decision.afterMs : 0;
    const number = this.#recovery.attempts + 1;
    const retry: TurnEvent = {
      type: 'retry.scheduled',
      reason: failure,
      waitMs,
      number,
      numberMax: this.#limits.attemptsMax,
      changes: changesOf(decision),
    };
    return { said: [...said, this.#say(retry)], waitMs };
  }

  /** Stop beats everything that happens at the same time. */
  #decide(failure: Failure, planned: PlannedAttempt, pump: AttemptPump): Decision {
    if (this.#stop.isSaid || failure.kind === 'stopped') return { type: 'end', failure: STOPPED };
    const { hop, rules, maxOutputTokens } = planned.plan;
    return this.#recovery.next({
      failure,
      fingerprint: planned.fingerprint,
      elapsedMs: this.#ports.clock.now() - this.#startedAt,
      stuckWithShown: this.#options.canRetract === false && pump.attempt.reply.shown,
      hadOutput: pump.attempt.ledger.itemsSeen > 0,
      hasNextHop: this.#hopIndex + 1 < this.#options.chain.length,
      hop,
      cap: maxOutputTokens,
      promptTokens: rules.promptTokens,
      random: this.#ports.random(),
    });
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
      return {
        refusal: { code: error.code, kind: 'request', retryable: false, atFault: 'caller', message: error.message },
      };
    }
  }

  /** What an earlier attempt has already said is not said again. */
  #untold(notices: readonly string[]): readonly string[] {
    const fresh = notices.filter((text) => !this.#told.includes(text));
    this.#told.push(...fresh);
    return fresh;
  }

  #hop(): Hop {
    return this.#options.chain[this.#hopIndex] ?? this.#options.chain[0];
  }

  #observePace(hop: Hop, pump: AttemptPump): void {
    const { ledger, reply } = pump.attempt;
    if (ledger.firstProgressAt === undefined || ledger.progressAt === undefined) return;
    this.#ports.pace.observe(
      producerName(hop),
      reply.usage.outputTokens ?? ledger.outputTokens,
      ledger.progressAt - ledger.firstProgressAt,
    );
  }

  #fail(failure: Failure, items: readonly Item[]): StampedEvent {
    const counted: Failure = { ...failure, attempts: this.#recovery.attempts };
    return this.#say({ type: 'call.failed', failure: counted, items, usage: this.#usage });
  }

  #say(event: TurnEvent, attempt?: AttemptId): StampedEvent {
    return this.#stamper.stamp(event, this.#ports.clock.now(), attempt);
  }

  #batch(portion: Portion, attempt: AttemptId, events: StampedEvent[]): Batch {
    for (const event of portion.events) events.push(this.#stamper.stamp(event, portion.at, attempt));
    return { bytes: portion.bytes, events };
  }
}

function batchOf(events: readonly StampedEvent[]): Batch {
  return { bytes: undefined, events };
}

function changesOf(decision: Exclude<Decision, { type: 'end' | 'fall_back' }>): readonly string[] {
  if (decision.type === 'raise_cap') return [`an output cap of ${decision.maxOutputTokens}`];
  return decision.note === undefined ? [] : ['a note at the tail'];
}
