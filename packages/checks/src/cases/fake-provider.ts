import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { ScriptedAnswer, ScriptedRequest } from './case-file.js';
import type { WireDocument } from './wire-document.js';
import { bodyDocument } from './wire-document.js';

/** Between the last flush and a reset, so that the reset does not overtake bytes that were sent. */
const RESET_AFTER_MS = 10;

/** One request as the provider saw it. Times are of `performance.now()`. */
export interface SeenRequest {
  /** From 1, in the order of arrival. */
  readonly number: number;
  /** Which provider of the chain was asked. */
  readonly party: string;
  readonly path: string;
  readonly body: WireDocument;
  readonly at: number;
  readonly flushes: readonly SentFlush[];
  /** When our script for it was done. */
  readonly answeredAt: number | undefined;
  /** When the other side closed the connection before we had. */
  readonly closedByPeerAt: number | undefined;
}

export interface SentFlush {
  readonly at: number;
  readonly text: string;
}

interface OpenRequest extends SeenRequest {
  flushes: SentFlush[];
  answeredAt: number | undefined;
  closedByPeerAt: number | undefined;
}

/** Serves a script over a real socket: exact bytes, one write a flush, in the order in which requests arrive. */
export class FakeProvider {
  readonly #script: readonly ScriptedRequest[];
  readonly #dialect: string;
  readonly #answered: (number: number) => void;
  readonly #server: Server;
  readonly #requests: OpenRequest[] = [];
  readonly #over = new AbortController();
  #port = 0;

  private constructor(options: FakeProviderOptions) {
    this.#script = options.script;
    this.#dialect = options.dialect;
    this.#answered = options.answered ?? (() => undefined);
    this.#server = createServer({ keepAliveTimeout: 0, requestTimeout: 0, headersTimeout: 0 }, (request, response) => {
      this.#serve(request, response).catch(() => response.destroy());
    });
  }

  static async start(options: FakeProviderOptions): Promise<FakeProvider> {
    const provider = new FakeProvider(options);
    provider.#server.listen(0, '127.0.0.1');
    await once(provider.#server, 'listening');
    const address = provider.#server.address();
    provider.#port = typeof address === 'object' && address !== null ? address.port : 0;
    return provider;
  }

  get requests(): readonly SeenRequest[] {
    return this.#requests;
  }

  /** Where a provider of the chain is asked. Each has a path of its own. */
  urlOf(party: string): string {
    return `http://127.0.0.1:${this.#port}/${party}`;
  }

  /** Ends when no request is open any more, or after `mostMs`. */
  async settled(mostMs: number): Promise<void> {
    const until = performance.now() + mostMs;
    while (performance.now() < until && this.#requests.some(isOpen)) await sleep(5);
  }

  async close(): Promise<void> {
    this.#over.abort();
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const at = performance.now();
    request.socket.setNoDelay(true);
    const seen = this.#record(request, at);
    response.on('close', () => {
      if (seen.answeredAt === undefined) seen.closedByPeerAt = performance.now();
    });
    const raw = await textOf(request);
    const scripted = this.#script[seen.number - 1];
    const previous = this.#requests[seen.number - 2]?.body;
    Object.assign(seen, { body: bodyDocument(scripted?.dialect ?? this.#dialect, raw, previous) });
    if (scripted === undefined) {
      response.writeHead(400, { 'content-type': 'application/json' });
      response.end(
        '{"error":{"code":400,"message":"no answer is scripted for this request","status":"INVALID_ARGUMENT"}}',
      );
    } else {
      await this.#play(scripted.respond, response, seen);
    }
    if (seen.closedByPeerAt !== undefined) return;
    seen.answeredAt = performance.now();
    this.#answered(seen.number);
  }

  #record(request: IncomingMessage, at: number): OpenRequest {
    const path = request.url ?? '/';
    const seen: OpenRequest = {
      number: this.#requests.length + 1,
      party: path.split('/')[1] ?? '',
      path,
      body: bodyDocument(this.#dialect, ''),
      at,
      flushes: [],
      answeredAt: undefined,
      closedByPeerAt: undefined,
    };
    this.#requests.push(seen);
    return seen;
  }

  async #play(answer: ScriptedAnswer, response: ServerResponse, seen: OpenRequest): Promise<void> {
    await this.#pause(answer.headersDelayMs);
    response.writeHead(answer.status, answer.headers);
    response.flushHeaders();
    for (const flush of answer.flushes) {
      await this.#pause(flush.delayMs);
      if (seen.closedByPeerAt !== undefined) return;
      seen.flushes.push({ at: performance.now(), text: flush.bytes.toString('utf8') });
      response.write(flush.bytes);
    }
    await this.#end(answer, response, seen);
  }

  async #end(answer: ScriptedAnswer, response: ServerResponse, seen: OpenRequest): Promise<void> {
    if (answer.end === 'close') {
      response.end();
    } else if (answer.end === 'reset') {
      await this.#pause(RESET_AFTER_MS);
      seen.answeredAt = performance.now();
      response.socket?.resetAndDestroy();
    } else if (seen.closedByPeerAt === undefined && !this.#over.signal.aborted) {
      await once(response, 'close');
    }
  }

  /** A turn of the loop even for no delay: each flush is a write of its own. */
  async #pause(ms: number): Promise<void> {
    if (ms > 0) await sleep(ms, undefined, { signal: this.#over.signal });
    else await nextTurn();
  }
}

export interface FakeProviderOptions {
  readonly script: readonly ScriptedRequest[];
  readonly dialect: string;
  /** Called when the answer to the n-th request is complete. */
  readonly answered?: (number: number) => void;
}

function isOpen(request: SeenRequest): boolean {
  return request.answeredAt === undefined && request.closedByPeerAt === undefined;
}

async function textOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces).toString('utf8');
}
