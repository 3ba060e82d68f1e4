import type { IncomingMessage, ServerResponse } from 'node:http';
import { DIALECTS } from 'holdfast/dialects';
import type { Dialect, DialectName } from 'holdfast/dialects';
import type { Failure } from 'holdfast/turn';
import { Alarm, monotonicMs, wallMs } from './clock.js';
import { readCredential } from './credentials.js';
import type { Keyring } from './credentials.js';
import type { Guard } from './guard.js';
import type { LagWatch } from './lag-watch.js';
import type { LogLine } from './log-line.js';
import type { Outcome } from './outcome.js';
import { Overhead } from './overhead.js';
import { Refusal } from './refusal.js';
import type { Found, Router } from './router.js';
import { sendFailure, sendRefusal } from './send.js';

/** A refused body may go on arriving for this long, so that its sender reads the answer and not a reset. */
const REFUSED_BODY_MS = 5_000;

export interface FrontDoorOptions {
  readonly guard: Guard;
  readonly keyring: Keyring;
  readonly router: Router;
  readonly lag: LagWatch;
  readonly upstreamNote: string | undefined;
  readonly log: ((line: LogLine) => void) | undefined;
}

/** Every request comes in here: host and origin first, then the route, the key, and last the handler. */
export class FrontDoor {
  readonly #options: FrontDoorOptions;
  #isClosing = false;

  constructor(options: FrontDoorOptions) {
    this.#options = options;
  }

  /** From here on only what runs already is served. */
  close(): void {
    this.#isClosing = true;
  }

  async receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const startedAt = monotonicMs();
    response.on('error', () => {}); // The client's connection broke; its close tells the handler.
    const { path, query } = splitUrl(request.url ?? '/');
    const found = this.#options.router.find(request.method ?? 'GET', path);
    const visit: Visit = { request, response, path, query, found, dialect: dialectOf(found) };
    this.#setHeaders(request, response);
    const outcome = await this.#answer(visit);
    if (!request.complete) dropLater(request);
    this.#log(visit, startedAt, outcome);
  }

  #log({ found, dialect }: Visit, startedAt: number, outcome: Outcome): void {
    const { log } = this.#options;
    if (log === undefined) return;
    const route = found.type === 'route' ? found.entry.name : 'none';
    const durationMs = Math.round(monotonicMs() - startedAt);
    try {
      log({ at: wallMs(), route, dialect: dialect.name, durationMs, ...outcome });
    } catch {
      // A log that cannot be written is no reason to fail requests.
    }
  }

  async #answer(visit: Visit): Promise<Outcome> {
    const { response, dialect } = visit;
    try {
      const answered = this.#refuse(visit) ?? (await this.#handle(visit));
      return answered instanceof Refusal ? sendRefusal(response, dialect, answered) : answered;
    } catch (error) {
      return { ...brokenInside(response, dialect), fault: placeOf(error) };
    }
  }

  #refuse({ request }: Visit): Refusal | undefined {
    const { guard, lag } = this.#options;
    const refusal = guard.check(request);
    if (refusal !== undefined) return refusal;
    if (this.#isClosing)
      return new Refusal(
        'overloaded',
        'This gateway is shutting down and takes no new requests. Send the request again in a moment.',
      );
    if (lag.isShedding())
      return new Refusal(
        'overloaded',
        'This gateway is too busy for new requests. Send the request again in a moment.',
      );
    return undefined;
  }

  async #handle(visit: Visit): Promise<Outcome | Refusal> {
    const { request, response, path, query, found, dialect } = visit;
    if (request.method === 'OPTIONS') return this.#sayOptions(visit);
    if (found.type === 'none') return unknownRoute(request.method ?? 'GET', path);
    if (found.type === 'method') {
      return new Refusal('method_not_allowed', `${request.method} is no method of ${clip(path)}. Use ${found.allow}.`, {
        allow: found.allow,
      });
    }
    const credential = readCredential(request, query);
    if (credential instanceof Refusal) return credential;
    const holder = found.entry.scope === 'public' ? 'public' : this.#options.keyring.admit(credential);
    if (holder instanceof Refusal) return holder;
    return found.entry.handle(
      { request, response, path, query, dialect, holder, overhead: new Overhead() },
      found.rest,
    );
  }

  /** Says what is possible. A page of an allowed origin learns that it may; nobody else gets a CORS header. */
  #sayOptions({ request, response, found, path }: Visit): Outcome | Refusal {
    if (found.type === 'none') return unknownRoute('OPTIONS', path);
    const allow = found.type === 'method' ? found.allow : 'OPTIONS';
    const isPreflight =
      this.#options.guard.allowedOrigin(request) !== undefined &&
      request.headers['access-control-request-method'] !== undefined;
    const preflight = {
      'access-control-allow-methods': allow,
      'access-control-allow-headers': request.headers['access-control-request-headers'] ?? '*',
    };
    response.writeHead(204, { allow, ...(isPreflight ? preflight : {}) }).end();
    return { status: 204 };
  }

  #setHeaders(request: IncomingMessage, response: ServerResponse): void {
    const { guard, upstreamNote } = this.#options;
    if (upstreamNote !== undefined) response.setHeader('x-holdfast-upstream', upstreamNote);
    const origin = guard.allowedOrigin(request);
    if (origin !== undefined) response.setHeader('access-control-allow-origin', origin).setHeader('vary', 'origin');
    if (this.#isClosing) response.setHeader('connection', 'close');
  }
}

interface Visit {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly found: Found;
  readonly dialect: Dialect;
}

const NO_QUERY = new URLSearchParams();

/** A proxy sends the whole address; whose it is was checked by its `Host`. */
function splitUrl(asked: string): { readonly path: string; readonly query: URLSearchParams } {
  const url = asked.replace(/^https?:\/\/[^/?#]*/i, '') || '/';
  const mark = url.indexOf('?');
  if (mark === -1) return { path: url, query: NO_QUERY };
  return { path: url.slice(0, mark), query: new URLSearchParams(url.slice(mark + 1)) };
}

function dialectOf(found: Found): Dialect {
  return dialectNamed(found.type === 'route' ? found.entry.dialect : found.dialect);
}

function dialectNamed(name: DialectName): Dialect {
  const dialect = DIALECTS[name];
  if (dialect === undefined) throw new TypeError(`The dialect ${name} does not exist.`);
  return dialect;
}

function unknownRoute(method: string, path: string): Refusal {
  const routes =
    'POST /v1/chat/completions, POST /v1beta/models/{model}:generateContent, POST /v1beta/models/{model}:streamGenerateContent and GET /v1/models';
  return new Refusal('not_found', `${method} ${clip(path)} is no route of this gateway. It serves ${routes}.`);
}

function clip(path: string): string {
  return path.length > 200 ? `${path.slice(0, 200)}…` : path;
}

/** A fault of this program. The client learns that and no detail; what had begun cannot end as if it were whole. */
function brokenInside(response: ServerResponse, dialect: Dialect): Outcome {
  if (response.headersSent) {
    response.destroy();
    return { status: 200, code: INTERNAL.code };
  }
  return sendFailure(response, dialect, { failure: INTERNAL });
}

/** Which kind of error and where, for whoever mends this program. Its message may quote a request, so it stays out. */
function placeOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const frame =
    error.stack
      ?.split('\n')
      .find((line) => line.startsWith('    at '))
      ?.trim() ?? '';
  return `${error.name} ${frame}`.slice(0, 300);
}

const INTERNAL: Failure = {
  code: 'gateway_internal',
  kind: 'protocol',
  retryable: false,
  atFault: 'holdfast',
  message: 'The gateway failed inside while it handled this request.',
  advice: 'Report it with the time of the request.',
};

function dropLater(request: IncomingMessage): void {
  const alarm = new Alarm(() => request.destroy());
  request.once('end', () => alarm.clear()).once('close', () => alarm.clear());
  alarm.set(REFUSED_BODY_MS);
  request.resume();
}
