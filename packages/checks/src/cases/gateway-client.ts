import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import type { ClientRequest, IncomingMessage } from 'node:http';
import type { JsonObject } from 'holdfast/turn';
import type { ClientRequestScript } from './case-file.js';

/** One answer as it arrived. Times are of `performance.now()`. */
export interface ReceivedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly raw: string;
  readonly isStream: boolean;
  /** Longest pause between bytes after the first ones. */
  readonly gapMs: number;
  readonly endedAt: number;
  /** The connection broke, or was cut, before the body had ended. */
  readonly isCut: boolean;
  readonly gaveUp: boolean;
}

/** A client of the gateway over a real socket, of the kind that waits only so long. */
export class GatewayClient {
  readonly #url: string;
  readonly #script: ClientRequestScript;
  /** By how much the client's patience is widened. */
  readonly #slack: number;
  #open: ClientRequest | undefined;
  #gone = false;

  constructor(url: string, script: ClientRequestScript, slack: number) {
    this.#url = url;
    this.#script = script;
    this.#slack = slack;
  }

  /** The client goes away: its socket is destroyed. */
  disconnect(): void {
    this.#gone = true;
    this.#open?.destroy();
  }

  get isGone(): boolean {
    return this.#gone;
  }

  async send(body: JsonObject): Promise<ReceivedAnswer> {
    const text = JSON.stringify(body);
    const outgoing = httpRequest(new URL(this.#script.path, this.#url), {
      method: this.#script.method,
      headers: {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(text),
        ...this.#dialectHeaders(),
      },
      agent: false,
    });
    this.#open = outgoing;
    outgoing.end(text);
    const failed = once(outgoing, 'error').then(() => undefined);
    const answered = once(outgoing, 'response').then(([response]) => response as IncomingMessage);
    const response = await Promise.race([answered, failed]).catch(() => undefined);
    if (response === undefined) return nothing();
    outgoing.on('error', () => undefined);
    return this.#receive(response);
  }

  #dialectHeaders(): Record<string, string> {
    return this.#script.dialect === 'anthropic' ? { 'anthropic-version': '2023-06-01' } : {};
  }

  async #receive(response: IncomingMessage): Promise<ReceivedAnswer> {
    const body = new ReceivedBody(response, (this.#script.idleLimitMs ?? Number.POSITIVE_INFINITY) * this.#slack);
    await body.whole;
    return {
      status: response.statusCode ?? 0,
      headers: flatten(response.headers),
      raw: body.raw,
      isStream: response.headers['content-type']?.startsWith('text/event-stream') ?? false,
      gapMs: body.gapMs,
      endedAt: performance.now(),
      isCut: !response.complete,
      gaveUp: body.gaveUp,
    };
  }
}

class ReceivedBody {
  readonly whole: Promise<void>;
  readonly #pieces: Buffer[] = [];
  #lastAt: number | undefined;
  #gapMs = 0;
  #gaveUp = false;

  constructor(response: IncomingMessage, idleLimitMs: number) {
    let idle: NodeJS.Timeout | undefined;
    const wait = (): void => {
      clearTimeout(idle);
      if (!Number.isFinite(idleLimitMs)) return;
      idle = setTimeout(() => {
        this.#gaveUp = true;
        response.destroy();
      }, idleLimitMs);
    };
    wait();
    response.on('data', (piece: Buffer) => {
      this.#hear(piece);
      wait();
    });
    response.on('error', () => undefined);
    this.whole = once(response, 'close').then(
      () => clearTimeout(idle),
      () => clearTimeout(idle),
    );
  }

  get raw(): string {
    return Buffer.concat(this.#pieces).toString('utf8');
  }

  get gapMs(): number {
    return this.#gapMs;
  }

  get gaveUp(): boolean {
    return this.#gaveUp;
  }

  #hear(piece: Buffer): void {
    const now = performance.now();
    if (this.#lastAt !== undefined) this.#gapMs = Math.max(this.#gapMs, now - this.#lastAt);
    this.#lastAt = now;
    this.#pieces.push(piece);
  }
}

function nothing(): ReceivedAnswer {
  return {
    status: 0,
    headers: {},
    raw: '',
    isStream: false,
    gapMs: 0,
    endedAt: performance.now(),
    isCut: true,
    gaveUp: false,
  };
}

function flatten(headers: IncomingMessage['headers']): Record<string, string | undefined> {
  const flat: Record<string, string | undefined> = {};
  for (const [name, value] of Object.entries(headers)) flat[name] = Array.isArray(value) ? value.join(', ') : value;
  return flat;
}
