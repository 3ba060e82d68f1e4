import type { Dialect, ReaderOptions, ReplyReader, WireRequest } from '../dialects/index.js';
import type { AttemptEvent, AttemptId, Failure, ReplyEvent, TurnEvent } from '../turn/index.js';
import { Attempt } from '../watch/index.js';
import type { Rules } from '../watch/index.js';
import { SseReader, WIRE_LIMITS } from '../wire/index.js';
import { Arrivals } from './arrivals.js';
import type { Arrival } from './arrivals.js';
import type { Clock } from './clock.js';
import type { Hop } from './hop.js';
import { STOPPED } from './stopped.js';
import { transportFailure } from './transport-failure.js';
import type { Exchange, Transport } from './transport.js';

const ERROR_BODY_BYTES_MAX = 64 * 1024;
/** An alarm that rings this late tells of a suspended process, not of a silent provider. */
const LATE_MS = 5_000;

/** Everything one attempt needs, decided before it starts. */
export interface AttemptPlan {
  readonly id: AttemptId;
  readonly hop: Hop;
  readonly dialect: Dialect;
  readonly wire: WireRequest;
  readonly body: string;
  readonly stream: boolean;
  readonly rules: Rules;
  readonly started: AttemptEvent;
  readonly maxOutputTokens: number | undefined;
}

/** What one arrival was worth. */
export interface Portion {
  readonly at: number;
  readonly bytes: Uint8Array | undefined;
  readonly events: readonly TurnEvent[];
}

interface ReadPortion extends Portion {
  readonly events: TurnEvent[];
}

/**
 * Carries one attempt from its request to its end: bytes to frames to events to the attempt's state. It owns the one
 * timer of the attempt and obeys the state; what follows from the end is not its business.
 */
export class AttemptPump {
  readonly attempt: Attempt;
  readonly #plan: AttemptPlan;
  readonly #clock: Clock;
  readonly #arrivals: Arrivals = new Arrivals();
  readonly #sse: SseReader = new SseReader();
  readonly #reader: ReplyReader;
  #exchange: Exchange | undefined;
  #head: Extract<Arrival, { type: 'head' }> | undefined;
  /** Bodies that are read whole: errors, replies that are not streams. */
  #whole: Uint8Array[] | undefined;
  #bytesSeen = 0;
  #handedBytes = 0;
  #changed = true;
  #signal: AbortSignal | undefined;
  #alarmAt = Infinity;
  #cancelAlarm: (() => void) | undefined;

  constructor(plan: AttemptPlan, clock: Clock) {
    this.#plan = plan;
    this.#clock = clock;
    const { hop } = plan;
    this.attempt = new Attempt(plan.rules, { provider: hop.provider.name, model: hop.model, configEntry: hop.configEntry });
    this.#reader = plan.dialect.newReplyReader(readerOptions(plan));
  }

  /** Sends the request, unless the caller has already said stop. */
  start(transport: Transport, signal: AbortSignal | undefined): Portion {
    const at = this.#clock.now();
    this.#signal = signal;
    this.attempt.note(this.#plan.started, at);
    if (signal?.aborted === true) {
      this.attempt.fail(STOPPED);
    } else {
      signal?.addEventListener('abort', this.#stop, { once: true });
      this.#exchange = transport.send({ provider: this.#plan.hop.provider, wire: this.#plan.wire, body: this.#plan.body }, this.#arrivals);
      this.#settle([]);
    }
    return { at, bytes: undefined, events: [this.#plan.started] };
  }

  /** The next portion, `undefined` once the attempt has ended; its state then says how. */
  async next(): Promise<Portion | undefined> {
    this.#exchange?.taken(this.#handedBytes);
    this.#handedBytes = 0;
    while (this.attempt.state.type === 'running') {
      const arrival = this.#arrivals.take();
      if (arrival === undefined) {
        await this.#arrivals.ready();
        continue;
      }
      if (this.#signal?.aborted === true) {
        this.attempt.fail(STOPPED);
        return undefined;
      }
      const portion = this.#read(arrival);
      if (this.attempt.state.type === 'running' && this.#mustSettle(portion.events)) this.#settle(portion.events);
      if (portion.bytes !== undefined || portion.events.length > 0) return portion;
    }
    return undefined;
  }

  /** Gives back timer and socket. A reply that has finished leaves its connection to the next request. */
  close(): void {
    this.#signal?.removeEventListener('abort', this.#stop);
    this.#cancelAlarm?.();
    if (this.attempt.state.type === 'finished') this.#exchange?.leave();
    else this.#exchange?.abort();
  }

  /** At once, though nobody may be reading: the socket must not wait for a reader. */
  readonly #stop = (): void => {
    this.#exchange?.abort();
    this.#arrivals.put({ type: 'stopped', at: this.#clock.now() });
  };

  #read(arrival: Arrival): ReadPortion {
    if (arrival.type !== 'bytes') return { at: arrival.at, bytes: undefined, events: this.#readFact(arrival) };
    this.#handedBytes = arrival.bytes.length;
    return { at: arrival.at, bytes: arrival.bytes, events: this.#readBytes(arrival.bytes, arrival.at) };
  }

  #readFact(arrival: Exclude<Arrival, { type: 'bytes' }>): TurnEvent[] {
    switch (arrival.type) {
      case 'sent':
        return this.#note({ type: 'attempt.sent' }, arrival.at);
      case 'head':
        return this.#readHead(arrival);
      case 'ended':
        return this.#readEnd(arrival.at);
      case 'broken':
        this.attempt.fail(this.#broken(arrival.error));
        return [];
      case 'resumed':
        this.attempt.ledger.resume(arrival.at);
        return [];
      case 'alarm':
        return this.#ring(arrival.at);
      case 'stopped':
        this.attempt.fail(STOPPED);
        return [];
    }
  }

  #note(event: AttemptEvent, at: number): TurnEvent[] {
    this.attempt.note(event, at);
    return [event];
  }

  #readHead(head: Extract<Arrival, { type: 'head' }>): TurnEvent[] {
    if (head.status < 200) return [];
    this.#head = head;
    if (head.status !== 200 || !this.#plan.stream || isForeignBody(head.headers['content-type'])) this.#whole = [];
    const requestId = head.headers['x-request-id'] ?? head.headers['request-id'];
    return this.#note({ type: 'attempt.accepted', status: head.status, requestId }, head.at);
  }

  #readBytes(bytes: Uint8Array, at: number): TurnEvent[] {
    this.attempt.ledger.hear(at);
    this.#bytesSeen += bytes.length;
    if (this.#bytesSeen > WIRE_LIMITS.replyBytesMax) {
      this.attempt.fail(replyTooLarge(this.#plan.hop.provider.name));
      return [];
    }
    if (this.#whole !== undefined) return this.#gather(bytes, at);
    const events: TurnEvent[] = [];
    for (const frame of this.#sse.push(bytes)) this.#hear(this.#reader.push(frame), at, events);
    return events;
  }

  /** A body that only makes sense whole. An error's is answered as soon as enough of it is there. */
  #gather(bytes: Uint8Array, at: number): TurnEvent[] {
    this.#whole?.push(bytes);
    const isError = this.#head?.status !== 200 || this.#plan.stream;
    return isError && this.#bytesSeen > ERROR_BODY_BYTES_MAX ? this.#readEnd(at) : [];
  }

  #readEnd(at: number): TurnEvent[] {
    const events: TurnEvent[] = [];
    if (this.#whole !== undefined) {
      this.#readWhole(Buffer.concat(this.#whole).toString('utf8'), at, events);
    } else {
      for (const frame of this.#sse.end()) this.#hear(this.#reader.push(frame), at, events);
      if (this.attempt.state.type === 'running') this.#hear(this.#reader.end(), at, events);
    }
    if (this.attempt.state.type === 'running') this.attempt.bytesEnded();
    return events;
  }

  #readWhole(body: string, at: number, events: TurnEvent[]): void {
    const { dialect, hop, stream } = this.#plan;
    const status = this.#head?.status ?? 0;
    if (status === 200 && !stream) return this.#hear(dialect.readReplyBody(body, readerOptions(this.#plan)), at, events);
    if (status === 200) return this.attempt.fail(wrongContentType(hop.provider.name, this.#head?.headers['content-type'], body));
    this.attempt.fail(
      dialect.readFailure({
        provider: hop.provider.name,
        model: hop.model,
        status,
        headers: this.#head?.headers ?? {},
        body: body.slice(0, ERROR_BODY_BYTES_MAX),
        at: this.#clock.epoch(),
      }),
    );
  }

  #hear(said: readonly ReplyEvent[], at: number, into: TurnEvent[]): void {
    for (const event of said) {
      if (this.attempt.state.type !== 'running') return;
      this.attempt.hear(event, at);
      into.push(event);
    }
  }

  /**
   * Deltas alone only move the alarm away, and a timer that rings too early asks again. So most portions need no
   * look at the budgets; the one after a change does, since it may end a phase.
   */
  #mustSettle(events: readonly TurnEvent[]): boolean {
    const mayHaveChanged = this.#changed || this.#alarmAt === Infinity || this.#exchange?.paused === true;
    this.#changed = !events.every((event) => event.type === 'item.delta');
    return mayHaveChanged || this.#changed;
  }

  /** Sets the timer only where the one that is set would ring too late; an early one just asks again. */
  #settle(events: TurnEvent[]): void {
    const { alarm, extension } = this.attempt.settle();
    if (extension !== undefined) events.push(extension);
    if (this.#exchange?.paused === true) this.attempt.ledger.pause();
    if (this.#alarmAt <= alarm.at) return;
    this.#cancelAlarm?.();
    this.#alarmAt = alarm.at;
    this.#cancelAlarm = this.#clock.alarm(alarm.at, () =>
      this.#clock.afterArrivals(() => this.#arrivals.put({ type: 'alarm', at: this.#clock.now() })),
    );
  }

  #ring(at: number): TurnEvent[] {
    const late = at - this.#alarmAt;
    this.#alarmAt = Infinity;
    if (this.#arrivals.hasMore) return []; // Something came in the meantime: hear it first.
    if (late > LATE_MS) {
      this.attempt.ledger.resume(at);
      return [{ type: 'notice', level: 'warning', code: 'clock_gap', text: `This process stood still for about ${Math.round(late / 1_000)} s; deadlines were set anew.` }];
    }
    const fired = this.attempt.wake(at);
    return fired === undefined ? [] : [fired];
  }

  #broken(error: unknown): Failure {
    const { provider } = this.#plan.hop;
    return transportFailure({ provider: provider.name, host: new URL(provider.baseUrl).host, answered: this.#head !== undefined, error });
  }
}

function readerOptions(plan: AttemptPlan): ReaderOptions {
  const { provider, model } = plan.hop;
  return {
    attempt: plan.id,
    vendor: provider.vendor,
    provider: provider.name,
    model,
    maxOutputTokens: plan.maxOutputTokens,
    quirks: provider.quirks,
  };
}

/** A page or a file where a stream was due. Servers that name no type, or plain text, are given the benefit. */
function isForeignBody(contentType: string | undefined): boolean {
  if (contentType === undefined) return false;
  return !/event-stream|json|text\/plain|octet-stream/i.test(contentType);
}

function wrongContentType(provider: string, contentType: string | undefined, body: string): Failure {
  const quote = body.trim().slice(0, 200).replaceAll(/\s+/g, ' ');
  return {
    code: 'wrong_content_type',
    kind: 'protocol',
    retryable: true,
    atFault: 'provider',
    message: `${provider} answered 200 with ${contentType ?? 'no content type'} where a stream was due${quote === '' ? '.' : `: "${quote}".`}`,
    advice: 'Check that the base URL names the API and not a web page or a proxy.',
  };
}

function replyTooLarge(provider: string): Failure {
  return {
    code: 'reply_too_large',
    kind: 'protocol',
    retryable: false,
    atFault: 'provider',
    message: `The reply of ${provider} passed the limit of ${WIRE_LIMITS.replyBytesMax / 1024 / 1024} MiB.`,
  };
}
