import { Agent, errors } from 'undici';
import type { Dispatcher } from 'undici';
import type { WireRequest } from '../dialects/index.js';
import type { Arrivals } from './arrivals.js';
import type { Clock } from './clock.js';
import type { Provider } from './hop.js';

/** Bytes that may wait for our consumer before we stop reading from the provider. */
const UNREAD_BYTES_MAX = 256 * 1024;

/** How long the body of a finished reply may take to end. */
const LEAVE_MS = 100;

/** One HTTP request in flight. It carries bytes and judges nothing. */
export interface Exchange {
  /** The consumer has taken that many bytes. */
  taken(bytes: number): void;
  /** True while reading is stopped because the consumer lags. */
  readonly paused: boolean;
  /** Ends it now; the socket is destroyed. Nothing arrives afterwards. */
  abort(): void;
  /** The reply is whole: its body may end within a moment, so that the connection can serve again, or is cut. */
  leave(): void;
}

export interface Outgoing {
  readonly provider: Provider;
  readonly wire: WireRequest;
  /** The body as it goes over the wire. */
  readonly body: string;
}

interface Address {
  readonly origin: string;
  readonly path: string;
  /** Of the base URL, such as `api-version=1`; sent with every request. */
  readonly query: string;
}

/**
 * Pooled connections whose own timers are all off: the watchdog alone decides when something has taken too long.
 * Redirects are not followed, so a credential goes to the configured host and nowhere else.
 */
export class Transport {
  readonly #agent: Agent;
  readonly #clock: Clock;
  readonly #addresses: Map<string, Address> = new Map();

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#agent = new Agent({
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: { timeout: 0, keepAlive: true, keepAliveInitialDelay: 30_000 },
      keepAliveTimeout: 30_000,
      keepAliveMaxTimeout: 300_000,
      pipelining: 1,
    });
  }

  send(outgoing: Outgoing, arrivals: Arrivals): Exchange {
    const flight = new Flight(arrivals, this.#clock);
    const { auth, baseUrl } = outgoing.provider;
    const address = this.#address(baseUrl);
    if (address === undefined) {
      flight.onResponseError(undefined, new errors.InvalidArgumentError('The base URL is none.'));
      return flight;
    }
    const { origin, path, query } = address;
    const { path: wirePath } = outgoing.wire;
    this.#agent.dispatch(
      {
        origin,
        path: `${path}${wirePath}${query === '' ? '' : `${wirePath.includes('?') ? '&' : '?'}${query}`}`,
        method: outgoing.wire.method,
        headers: {
          'content-type': 'application/json',
          accept: 'text/event-stream, application/json',
          'accept-encoding': 'identity',
          'user-agent': 'holdfast',
          ...outgoing.wire.headers,
          ...(auth === undefined ? {} : { [auth.header]: auth.value }),
        },
        body: outgoing.body,
      },
      flight,
    );
    return flight;
  }

  /** Base URLs are of configuration, so they are few. */
  #address(baseUrl: string): Address | undefined {
    const known = this.#addresses.get(baseUrl);
    if (known !== undefined) return known;
    if (!/^https?:/i.test(baseUrl) || !URL.canParse(baseUrl)) return undefined;
    const { origin, pathname, search } = new URL(baseUrl);
    const address = { origin, path: pathname.replace(/\/+$/, ''), query: search.slice(1) };
    this.#addresses.set(baseUrl, address);
    return address;
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }
}

const OVER = new Error('The attempt is over.');

class Flight implements Exchange, Dispatcher.DispatchHandler {
  readonly #arrivals: Arrivals;
  readonly #clock: Clock;
  #controller: Dispatcher.DispatchController | undefined;
  #cancelLeave: (() => void) | undefined;
  #unread = 0;
  #over = false;

  constructor(arrivals: Arrivals, clock: Clock) {
    this.#arrivals = arrivals;
    this.#clock = clock;
  }

  get paused(): boolean {
    return this.#controller?.paused ?? false;
  }

  taken(bytes: number): void {
    this.#unread -= bytes;
    if (this.#over || !this.paused || this.#unread > UNREAD_BYTES_MAX / 2) return;
    this.#controller?.resume();
    this.#arrivals.put({ type: 'resumed', at: this.#clock.now() });
  }

  abort(): void {
    if (this.#over) return;
    this.#over = true;
    this.#controller?.abort(OVER);
  }

  leave(): void {
    if (this.#over) return;
    this.#over = true;
    if (this.paused) this.#controller?.resume();
    this.#cancelLeave = this.#clock.alarm(this.#clock.now() + LEAVE_MS, () => this.#controller?.abort(OVER));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#over) controller.abort(OVER);
    else this.#arrivals.put({ type: 'sent', at: this.#clock.now() });
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (this.#over) return;
    this.#arrivals.put({ type: 'head', at: this.#clock.now(), status, headers: flatten(headers) });
  }

  onResponseData(controller: Dispatcher.DispatchController, bytes: Buffer): void {
    if (this.#over) return;
    this.#unread += bytes.length;
    if (this.#unread > UNREAD_BYTES_MAX) controller.pause();
    this.#arrivals.put({ type: 'bytes', at: this.#clock.now(), bytes });
  }

  onResponseEnd(): void {
    this.#cancelLeave?.();
    if (this.#over) return;
    this.#over = true;
    this.#arrivals.put({ type: 'ended', at: this.#clock.now() });
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: Error): void {
    this.#cancelLeave?.();
    if (this.#over) return;
    this.#over = true;
    this.#arrivals.put({ type: 'broken', at: this.#clock.now(), error });
  }
}

function flatten(headers: Record<string, string | string[] | undefined>): Record<string, string | undefined> {
  const flat: Record<string, string | undefined> = {};
  for (const name in headers) {
    const value = headers[name];
    flat[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : value;
  }
  return flat;
}
