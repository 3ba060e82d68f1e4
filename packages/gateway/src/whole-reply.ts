import type { WriterOptions } from 'holdfast/dialects';
import type { Call } from 'holdfast/run';
import type { StampedEvent } from 'holdfast/turn';
import type { CallFacts } from './call-facts.js';
import type { Exchange } from './exchange.js';
import type { House } from './house.js';
import { isGone } from './is-gone.js';
import type { Outcome } from './outcome.js';
import type { RunningCall } from './running-calls.js';
import { sendFailure, sendWhole } from './send.js';
import { untilRead } from './until-read.js';

export interface WholeReplyOptions {
  readonly call: Call;
  readonly running: RunningCall;
  readonly facts: CallFacts;
  readonly exchange: Exchange;
  readonly house: House;
  readonly writerOptions: WriterOptions;
  /** Whether a whole body of this attempt is already what the client wants. */
  readonly isClients: (provider: string, model: string) => boolean;
}

/** A reply for a client that asked for no stream. Nothing is committed before the call is over: a status is a promise. */
export async function wholeReply(options: WholeReplyOptions): Promise<Outcome> {
  const { call, facts, exchange, house } = options;
  const reply = new CollectedReply(options);
  exchange.overhead.leave();
  for await (const batch of call.batches()) {
    if (batch.bytes !== undefined) reply.keep(batch.bytes);
    for (const event of batch.events) {
      facts.observe(event);
      reply.hear(event);
    }
  }
  exchange.overhead.back();
  const outcome = reply.send();
  await untilRead(exchange.response, 'finish', house.limits.unreadMs);
  return outcome;
}

class CollectedReply {
  readonly #options: WholeReplyOptions;
  #isVerbatim = false;
  /** The client's dialect has words of its own for a refusal, so it is told as a reply and not as an error. */
  #isRefused = false;
  #bytes: Uint8Array[] = [];
  #events: StampedEvent[] = [];

  constructor(options: WholeReplyOptions) {
    this.#options = options;
  }

  keep(bytes: Uint8Array): void {
    if (this.#isVerbatim) this.#bytes.push(bytes);
  }

  hear(event: StampedEvent): void {
    if (event.type === 'attempt.started') {
      this.#isVerbatim = this.#options.isClients(event.provider, event.model);
      this.#bytes = [];
      this.#events = [];
    }
    if (event.type === 'reply.finished') this.#isRefused = event.reason === 'content_filter';
    if (!this.#isVerbatim) this.#events.push(event);
  }

  send(): Outcome {
    const { exchange, facts, running, writerOptions } = this.#options;
    const { response, dialect } = exchange;
    const failure = facts.failure === undefined || this.#isRefused ? undefined : (running.ownReason ?? facts.failure);
    if (isGone(response)) return facts.outcome(499);
    const headers = facts.headers(exchange.overhead.ms());
    if (failure !== undefined)
      return facts.outcome(sendFailure(response, dialect, { failure, headers }).status, failure);
    const body = this.#isVerbatim ? joined(this.#bytes) : dialect.writeReplyBody(this.#events, writerOptions);
    sendWhole(response, { status: 200, headers, body });
    return facts.outcome(200);
  }
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const [first] = pieces;
  return first !== undefined && pieces.length === 1 ? first : Buffer.concat(pieces);
}
