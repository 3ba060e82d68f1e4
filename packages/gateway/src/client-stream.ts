import type { ServerResponse } from 'node:http';
import { cleanHeaders } from './clean-headers.js';
import { Alarm, monotonicMs } from './clock.js';
import type { GatewayLimits } from './limits.js';
import { isGone } from './is-gone.js';
import { untilRead } from './until-read.js';

export interface ClientStreamOptions {
  readonly response: ServerResponse;
  readonly limits: GatewayLimits;
  readonly keepAliveMs: number;
  readonly headersByMs: number;
  /** Asked once, when the headers go out. */
  readonly headers: () => Readonly<Record<string, string>>;
  /** The empty event of the client's dialect; `undefined` while an event is half written. */
  readonly keepAlive: () => string | undefined;
}

/**
 * The client's side of one streamed reply. The headers wait for the first bytes, so that an early failure is still
 * a real HTTP error, but never longer than `headersByMs`. One timer serves the whole stream: chunks wind nothing.
 */
export class ClientStream {
  readonly #options: ClientStreamOptions;
  readonly #response: ServerResponse;
  readonly #alarm: Alarm = new Alarm(() => this.#onSilence());
  #isCommitted = false;
  #wroteAt = 0;

  constructor(options: ClientStreamOptions) {
    this.#options = options;
    this.#response = options.response;
    this.#alarm.set(options.headersByMs);
  }

  get isCommitted(): boolean {
    return this.#isCommitted;
  }

  /** True once nothing that is written can arrive. */
  get isGone(): boolean {
    return isGone(this.#response);
  }

  write(chunk: Uint8Array | string): void {
    if (this.isGone) return;
    if (!this.#isCommitted) this.#commit();
    this.#response.write(chunk);
    this.#wroteAt = monotonicMs();
  }

  /** More than the client may leave unread: whoever feeds this stream waits for `drained()`. */
  isFull(): boolean {
    return this.#response.writableNeedDrain && this.#response.writableLength >= this.#options.limits.unreadBytesMax;
  }

  drained(): Promise<void> {
    return untilRead(this.#response, 'drain', this.#options.limits.unreadMs);
  }

  /** Nothing more is written by this stream's own clock. The answer may still be a whole one if nothing went out. */
  release(): void {
    this.#alarm.clear();
  }

  end(text: string): void {
    this.#alarm.clear();
    if (this.isGone) return;
    if (!this.#isCommitted) this.#commit();
    if (text === '') this.#response.end();
    else this.#response.end(text);
  }

  /** For a reply that can neither go on nor end grammatically: every client takes a reset for a failure. */
  destroy(): void {
    this.#alarm.clear();
    this.#response.destroy();
  }

  #commit(): void {
    this.#isCommitted = true;
    this.#response.writeHead(200, cleanHeaders(this.#options.headers()));
    this.#alarm.set(this.#options.keepAliveMs);
  }

  #onSilence(): void {
    if (this.isGone) return;
    const { keepAliveMs } = this.#options;
    const quietMs = this.#isCommitted ? monotonicMs() - this.#wroteAt : keepAliveMs;
    // A client that has not read what it has needs nothing new to stay awake.
    const keepAlive =
      quietMs < keepAliveMs || this.#response.writableLength > 0 ? undefined : this.#options.keepAlive();
    if (keepAlive !== undefined) this.write(keepAlive);
    this.#alarm.set(quietMs < keepAliveMs ? keepAliveMs - quietMs : keepAliveMs);
  }
}
