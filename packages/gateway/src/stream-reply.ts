import type { ReadRequest, ReplyWriter } from 'holdfast/dialects';
import type { Batch, Call } from 'holdfast/run';
import type { Failure, StampedEvent } from 'holdfast/turn';
import { beforeFailure } from './before-failure.js';
import type { CallFacts } from './call-facts.js';
import { ClientStream } from './client-stream.js';
import type { Exchange } from './exchange.js';
import type { House } from './house.js';
import type { Outcome } from './outcome.js';
import { PassThrough } from './pass-through.js';
import type { RunningCall } from './running-calls.js';
import { sendFailure } from './send.js';
import { untilRead } from './until-read.js';

export interface StreamReplyOptions {
  readonly call: Call;
  readonly running: RunningCall;
  readonly facts: CallFacts;
  readonly read: ReadRequest;
  readonly exchange: Exchange;
  readonly house: House;
  readonly writer: ReplyWriter;
  /** Whether the bytes of this attempt are already in the client's dialect. */
  readonly speaksClients: (provider: string, model: string) => boolean;
}

/** One streamed reply: events in, the client's dialect out. */
export async function streamReply(options: StreamReplyOptions): Promise<Outcome> {
  return new StreamedReply(options).run();
}

class StreamedReply {
  readonly #options: StreamReplyOptions;
  readonly #client: ClientStream;
  readonly #pass: PassThrough;
  #isPassing = false;
  /** Ready for the client, and kept while it may still turn out to be a failure that is no stream. */
  #ready: Uint8Array[] = [];
  #readyBytes = 0;
  /** The writer's words, likewise. */
  #text = '';
  /** The end that waits for the verdict on the attempt; a writer says nothing more after it. */
  #end: StampedEvent | undefined;
  /** The model has shown a sign of its own in this attempt: what comes is a reply and no page or error. */
  #hasBegun = false;
  /** The reply has named its end, which is shown only once the attempt stands. */
  #isEnding = false;
  /** The model or a filter said no, in words that the client's dialect has for it: an end, and no error of the stream. */
  #isRefused = false;
  #outcome: Outcome | undefined;

  constructor(options: StreamReplyOptions) {
    const { exchange, house, facts, read, writer } = options;
    this.#options = options;
    this.#pass = new PassThrough(house.limits.heldEventBytesMax);
    this.#client = new ClientStream({
      response: exchange.response,
      limits: house.limits,
      keepAliveMs: house.keepAliveMs,
      headersByMs: house.headersByMs,
      headers: () => ({ ...STREAM_HEADERS, ...contentType(read.framing), ...facts.headers(exchange.overhead.ms()) }),
      keepAlive: () => (this.#pass.isInsideEvent ? undefined : writer.keepAlive()),
    });
  }

  async run(): Promise<Outcome> {
    const { call, facts, exchange, house } = this.#options;
    exchange.overhead.leave();
    try {
      for await (const batch of call.batches()) {
        if (!this.#client.isCommitted) exchange.overhead.back();
        this.#take(batch);
        if (this.#client.isFull()) await this.#client.drained();
        if (!this.#client.isCommitted) exchange.overhead.leave();
      }
    } finally {
      this.#client.release();
    }
    await untilRead(exchange.response, 'finish', house.limits.unreadMs);
    return this.#outcome ?? facts.outcome(499);
  }

  #take(batch: Batch): void {
    if (this.#isPassing && batch.bytes !== undefined) this.#makeReady(this.#pass.take(batch.bytes));
    for (const event of batch.events) {
      this.#options.facts.observe(event);
      this.#hear(event);
    }
    this.#text += this.#options.writer.flush?.() ?? '';
    this.#flush();
  }

  #hear(event: StampedEvent): void {
    switch (event.type) {
      case 'item.started':
      case 'item.delta':
      case 'item.completed':
        this.#hasBegun = true;
        this.#isEnding = false;
        this.#write(event);
        return;
      case 'reply.ending':
        this.#isEnding = true;
        return;
      case 'reply.finished':
        this.#isEnding = true;
        this.#end = event;
        return;
      case 'reply.failed':
        this.#keepBeforeFailure();
        return;
      case 'attempt.started':
        this.#begin(event.provider, event.model);
        this.#text += this.#options.writer.write(event);
        return;
      case 'attempt.completed':
        this.#settle();
        return;
      case 'attempt.failed':
        this.#failAttempt(event);
        return;
      case 'call.completed':
        this.#write(event);
        this.#complete();
        return;
      case 'call.failed':
        if (this.#isRefused) this.#complete();
        else this.#fail(event.failure);
        return;
      case 'usage.reported':
      case 'wire.kept_alive':
      case 'attempt.sent':
      case 'attempt.accepted':
      case 'attempt.retracted':
      case 'deadline.extended':
      case 'deadline.fired':
      case 'call.started':
      case 'retry.scheduled':
      case 'fallback.chosen':
      case 'notice':
        this.#write(event);
        return;
    }
  }

  #failAttempt(event: Extract<StampedEvent, { type: 'attempt.failed' }>): void {
    if (event.failure.kind === 'content' && this.#end !== undefined) {
      this.#settle();
      this.#isRefused = true;
      return;
    }
    // Half an event is with the client: no other attempt and no error can follow it.
    if (this.#pass.isInsideEvent) this.#options.running.end(event.failure);
    this.#keepBeforeFailure();
    this.#pass.rest();
    this.#end = undefined;
    this.#write(event);
  }

  #begin(provider: string, model: string): void {
    const { read, speaksClients } = this.#options;
    this.#isPassing = read.framing === 'sse' && speaksClients(provider, model);
    this.#hasBegun = false;
    this.#isEnding = false;
  }

  #write(event: StampedEvent): void {
    if (!this.#isPassing) this.#text += this.#options.writer.write(event);
  }

  #makeReady(chunks: readonly Uint8Array[]): void {
    for (const chunk of chunks) {
      this.#ready.push(chunk);
      this.#readyBytes += chunk.length;
    }
  }

  /** What this attempt has ready may hold a provider's error or an end that is none. */
  #keepBeforeFailure(): void {
    if (this.#ready.length === 0) return;
    const kept = this.#hasBegun ? beforeFailure(Buffer.concat(this.#ready)) : new Uint8Array();
    this.#ready = kept.length === 0 ? [] : [kept];
    this.#readyBytes = kept.length;
    this.#isEnding = false;
  }

  /** The attempt stands: its end may be shown. */
  #settle(): void {
    this.#isEnding = false;
    this.#hasBegun = true;
    if (this.#isPassing) this.#makeReady(this.#pass.rest());
    if (this.#end !== undefined) this.#write(this.#end);
    this.#end = undefined;
  }

  #flush(): void {
    if (this.#outcome !== undefined) return;
    if (!this.#mayShow()) return;
    for (const chunk of this.#ready) this.#client.write(chunk);
    if (this.#text !== '') this.#client.write(this.#text);
    this.#ready = [];
    this.#readyBytes = 0;
    this.#text = '';
  }

  #mayShow(): boolean {
    if (this.#isEnding && this.#isPassing) return false;
    return this.#hasBegun || this.#readyBytes > this.#options.house.limits.unreadBytesMax;
  }

  #complete(): void {
    this.#flush();
    this.#client.end('');
    this.#outcome = this.#options.facts.outcome(
      this.#client.isGone && !this.#options.exchange.response.writableFinished ? 499 : 200,
    );
  }

  #fail(cause: Failure): void {
    const { exchange, facts, running, writer } = this.#options;
    const failure = running.ownReason ?? cause;
    this.#flush();
    this.#client.release();
    if (this.#client.isGone) {
      this.#outcome = facts.outcome(499, failure);
    } else if (!this.#client.isCommitted) {
      const sent = sendFailure(exchange.response, exchange.dialect, {
        failure,
        headers: facts.headers(exchange.overhead.ms()),
      });
      this.#outcome = facts.outcome(sent.status, failure);
    } else {
      if (this.#pass.isInsideEvent) this.#client.destroy();
      else this.#client.end(writer.fail(failure));
      this.#outcome = facts.outcome(200, failure);
    }
  }
}

const STREAM_HEADERS: Readonly<Record<string, string>> = { 'cache-control': 'no-cache', 'x-accel-buffering': 'no' };

function contentType(framing: ReadRequest['framing']): Record<string, string> {
  return { 'content-type': framing === 'sse' ? 'text/event-stream; charset=utf-8' : 'application/json; charset=utf-8' };
}
