import type { Dialect, ReaderOptions, ReplyReader, WireRequest } from '../dialects/index.js';
import type { AttemptEvent, AttemptId, Failure, ReplyEvent, TurnEvent } from '../turn/index.js';
import { Attempt } from '../watch/index.js';
import type { Rules } from '../watch/index.js';
import { quoteUpstream, SseReader, WIRE_LIMITS } from '../wire/index.js';
import { Arrivals } from './arrivals.js';
import type { Arrival } from './arrivals.js';
import { bodyText, isEncoded } from './body-text.js';
import type { Clock } from './clock.js';
import type { Hop } from './hop.js';
import type { Stop } from './stop.js';
import { STOPPED } from './stopped.js';
import { transportFailure } from './transport-failure.js';
import type { Exchange, Transport } from './transport.js';
import { textWithoutKey, withoutKey } from './without-key.js';

const ERROR_BODY_BYTES_MAX = 64 * 1024;
/** An alarm that rings this late tells of a suspended process, not of a silent provider. */
const LATE_MS = 5_000;
/** What happens this close in time is one portion: each hand-over to the reader costs more than most events. */
const TOGETHER_MS = 1;

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

/** What arrived together, and what it was worth. */
export interface Portion {
  readonly at: number;
  /** Bytes of a reply; those of an error are nobody's but ours. */
  readonly bytes: Uint8Array | undefined;
  readonly events: readonly TurnEvent[];
}

interface OpenPortion {
  at: number;
  bytes: Uint8Array | undefined;
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
  /** What comes is the reply that was asked for, and not an error or a page. */
  #isReply = false;
  /** Bodies that are read whole: errors, replies that are not streams. */
  #whole: Uint8Array[] | undefined;
  #bytesSeen = 0;
  #handedBytes = 0;
  #changed = true;
  readonly #stop: Stop;
  #alarmAt = Infinity;
  #cancelAlarm: (() => void) | undefined;

  constructor(plan: AttemptPlan, clock: Clock, stop: Stop) {
    this.#plan = plan;
    this.#clock = clock;
    this.#stop = stop;
    const { hop } = plan;
    this.attempt = new Attempt(plan.rules, {
      provider: hop.provider.name,
      model: hop.model,
      configEntry: hop.configEntry,
    });
    this.#reader = plan.dialect.newReplyReader(readerOptions(plan));
  }

  /** Sends the request, unless the caller has already said stop. */
  start(transport: Transport): Portion {
    const portion: OpenPortion = { at: this.#clock.now(), bytes: undefined, events: [this.#plan.started] };
    this.attempt.note(this.#plan.started, portion.at);
    if (this.#stop.isSaid) {
      this.attempt.fail(STOPPED);
      return portion;
    }
    this.#stop.listen(this.#stopNow);
    this.#exchange = transport.send(
      { provider: this.#plan.hop.provider, wire: this.#plan.wire, body: this.#plan.body },
      this.#arrivals,
    );
    this.#readInto(portion);
    if (this.attempt.state.type === 'running') this.#settle(portion.events);
    return portion;
  }

  /** The next portion, `undefined` once the attempt has ended; its state then says how. */
  async next(): Promise<Portion | undefined> {
    this.#exchange?.taken(this.#handedBytes);
    this.#handedBytes = 0;
    while (this.attempt.state.type === 'running') {
      if (!this.#arrivals.hasMore) await this.#arrivals.ready();
      if (this.#stop.isSaid) {
        this.attempt.fail(STOPPED);
        return undefined;
      }
      const portion: OpenPortion = { at: this.#arrivals.peek()?.at ?? this.#clock.now(), bytes: undefined, events: [] };
      this.#readInto(portion);
      if (this.attempt.state.type === 'running' && this.#mustSettle(portion.events)) this.#settle(portion.events);
      if (portion.bytes !== undefined || portion.events.length > 0) return portion;
    }
    return undefined;
  }

  /** Gives back timer and socket. A reply that has finished leaves its connection to the next request. */
  close(): void {
    this.#stop.forget();
    this.#cancelAlarm?.();
    if (this.attempt.state.type === 'finished') this.#exchange?.leave();
    else this.#exchange?.abort();
  }

  /** At once, though nobody may be reading: the socket must not wait for a reader. */
  readonly #stopNow = (): void => {
    this.#exchange?.abort();
    this.#arrivals.put({ type: 'stopped', at: this.#clock.now() });
  };

  /** Everything that arrived together. A portion has one piece of bytes, and what it was worth stands behind it. */
  #readInto(portion: OpenPortion): void {
    for (let next = this.#arrivals.peek(); next !== undefined; next = this.#arrivals.peek()) {
      if (this.attempt.state.type !== 'running' || next.at - portion.at > TOGETHER_MS) return;
      if (next.type === 'bytes' && portion.bytes !== undefined) return;
      const arrival = this.#arrivals.take() ?? next;
      if (arrival.type === 'bytes') this.#readBytes(arrival, portion);
      else this.#readFact(arrival, portion.events);
    }
  }

  #readFact(arrival: Exclude<Arrival, { type: 'bytes' }>, into: TurnEvent[]): void {
    switch (arrival.type) {
      case 'sent':
        return this.#note({ type: 'attempt.sent' }, arrival.at, into);
      case 'head':
        return this.#readHead(arrival, into);
      case 'ended':
        return this.#readEnd(arrival.at, into);
      case 'broken':
        return this.attempt.fail(this.#broken(arrival.error));
      case 'resumed':
        return this.attempt.ledger.resume(arrival.at);
      case 'alarm':
        return this.#ring(arrival.at, into);
      case 'stopped':
        return this.attempt.fail(STOPPED);
    }
  }

  #note(event: AttemptEvent, at: number, into: TurnEvent[]): void {
    this.attempt.note(event, at);
    into.push(event);
  }

  #readHead(head: Extract<Arrival, { type: 'head' }>, into: TurnEvent[]): void {
    if (head.status < 200) return;
    this.#head = head;
    const isForeign = this.#plan.stream && isForeignBody(head.headers['content-type']);
    this.#isReply = head.status === 200 && !isForeign && !isEncoded(head.headers['content-encoding']);
    if (!this.#isReply || !this.#plan.stream) this.#whole = [];
    const requestId = head.headers['x-request-id'] ?? head.headers['request-id'];
    this.#note({ type: 'attempt.accepted', status: head.status, requestId }, head.at, into);
  }

  #readBytes({ bytes, at }: Extract<Arrival, { type: 'bytes' }>, portion: OpenPortion): void {
    this.attempt.ledger.hear(at);
    this.#handedBytes += bytes.length;
    this.#bytesSeen += bytes.length;
    if (this.#bytesSeen > WIRE_LIMITS.replyBytesMax)
      return this.attempt.fail(replyTooLarge(this.#plan.hop.provider.name));
    if (this.#isReply) portion.bytes = bytes;
    if (this.#whole !== undefined) return this.#gather(bytes, at, portion.events);
    for (const frame of this.#sse.push(bytes)) this.#hear(this.#reader.push(frame), at, portion.events);
  }

  /** A body that only makes sense whole. An error's is answered as soon as enough of it is there. */
  #gather(bytes: Uint8Array, at: number, into: TurnEvent[]): void {
    this.#whole?.push(bytes);
    if (!this.#isReply && this.#bytesSeen > ERROR_BODY_BYTES_MAX) this.#readEnd(at, into);
  }

  #readEnd(at: number, into: TurnEvent[]): void {
    if (this.#whole !== undefined) {
      this.#readWhole(bodyText(this.#whole, this.#head?.headers['content-encoding']), at, into);
    } else {
      for (const frame of this.#sse.end()) this.#hear(this.#reader.push(frame), at, into);
      if (this.attempt.state.type === 'running') this.#hear(this.#reader.end(), at, into);
    }
    if (this.attempt.state.type === 'running') this.attempt.bytesEnded();
  }

  #readWhole(text: string, at: number, into: TurnEvent[]): void {
    const { dialect, hop, stream } = this.#plan;
    const status = this.#head?.status ?? 0;
    if (this.#isReply && !stream) return this.#hear(dialect.readReplyBody(text, readerOptions(this.#plan)), at, into);
    const body = textWithoutKey(text, hop.provider.auth);
    if (status === 200) return this.attempt.fail(notAReply(hop.provider.name, this.#head?.headers ?? {}, body));
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
      const told = event.type === 'reply.failed' ? this.#withoutKey(event) : event;
      this.attempt.hear(told, at);
      into.push(told);
    }
  }

  #withoutKey(event: Extract<ReplyEvent, { type: 'reply.failed' }>): ReplyEvent {
    return { ...event, failure: withoutKey(event.failure, this.#plan.hop.provider.auth) };
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

  #ring(at: number, into: TurnEvent[]): void {
    const late = at - this.#alarmAt;
    this.#alarmAt = Infinity;
    if (this.#arrivals.hasMore) return; // Something came in the meantime: hear it first.
    if (late > LATE_MS) {
      this.attempt.ledger.resume(at);
      into.push({
        type: 'notice',
        level: 'warning',
        code: 'clock_gap',
        text: `This process stood still for about ${Math.round(late / 1_000)} s; deadlines were set anew.`,
      });
    }
    const fired = this.attempt.wake(at); // The backstops are not set anew by a gap.
    if (fired !== undefined) into.push(fired);
  }

  #broken(error: unknown): Failure {
    const { provider } = this.#plan.hop;
    return transportFailure({
      provider: provider.name,
      host: URL.canParse(provider.baseUrl) ? new URL(provider.baseUrl).host : 'The base URL',
      answered: this.#head !== undefined,
      error,
    });
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

function notAReply(provider: string, headers: Extract<Arrival, { type: 'head' }>['headers'], body: string): Failure {
  const encoding = headers['content-encoding'];
  return isEncoded(encoding)
    ? encodedReply(provider, encoding)
    : wrongContentType(provider, headers['content-type'], body);
}

function encodedReply(provider: string, encoding: string): Failure {
  return {
    code: 'reply_encoded',
    kind: 'protocol',
    retryable: false,
    atFault: 'provider',
    message: `${provider} answered compressed (${encoding.slice(0, 40)}), which was not asked for and hides when each part arrives.`,
    advice: 'Switch compression off at that server or at the proxy before it.',
  };
}

function wrongContentType(provider: string, contentType: string | undefined, body: string): Failure {
  const quote = quoteUpstream(body).trim().slice(0, 200).replaceAll(/\s+/g, ' ');
  const type = contentType === undefined ? 'no content type' : quoteUpstream(contentType).slice(0, 100);
  return {
    code: 'wrong_content_type',
    kind: 'protocol',
    retryable: true,
    atFault: 'provider',
    message: `${provider} answered 200 with ${type} where a stream was due${quote === '' ? '.' : `: "${quote}".`}`,
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
