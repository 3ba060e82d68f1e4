import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { ClientRequest } from 'holdfast/dialects';
import type { JsonObject } from 'holdfast/turn';
import { WIRE_LIMITS, depthWithin, isRecord, parseJson, stringOf } from 'holdfast/wire';
import { Clock } from '../clock.js';
import { perform } from '../reply/perform.js';
import type { Scenario } from '../scenario/scenario.js';
import { admit } from './admit.js';
import type { ReplyRoute } from './admit.js';
import { answerOf, wholeAnswer } from './answer.js';
import type { HttpAnswer } from './answer.js';
import { listModels } from './list-models.js';
import type { Settings } from './options.js';
import { bodyTooLarge, broken, jsonInvalid, routeUnknown } from './protocol-errors.js';
import { readBody } from './read-body.js';
import { readRoute } from './read-route.js';
import { SEEN_MAX } from './seen-request.js';
import type { OpenRequest } from './seen-request.js';

/** Answers requests, and remembers what was asked and how often each scenario answered. */
export class Desk {
  readonly requests: OpenRequest[] = [];
  readonly listed: readonly Scenario[];
  readonly #settings: Settings;
  readonly #clock: Clock;
  readonly #answers: Map<string, number> = new Map();
  readonly #visits: Set<Visit> = new Set();
  #count = 0;

  constructor(settings: Settings) {
    this.#settings = settings;
    this.#clock = new Clock(settings.timeScale);
    this.listed = settings.pinned === undefined ? [...settings.scenarios.values()] : [settings.pinned];
  }

  /** Ends what is open. */
  close(): void {
    for (const visit of this.#visits) this.#end(visit, 'server');
  }

  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://loopback');
    const hasGoogleKey = request.headers['x-goog-api-key'] !== undefined || url.searchParams.has('key');
    const route = readRoute(request.method ?? 'GET', url.pathname, hasGoogleKey);
    const visit = this.#open(response);
    try {
      if (route.type === 'reply') {
        await this.#reply({ request, url, route }, visit);
        return;
      }
      request.resume();
      const refusal =
        route.type === 'models'
          ? { status: 200, headers: {}, body: listModels(route.dialect, this.listed) }
          : routeUnknown(route.dialect, request.method ?? 'GET', url.pathname);
      await this.#send(visit, wholeAnswer(refusal));
    } catch {
      // A client that hangs up while it sends its body ends here too; it hears nothing any more.
      if (response.headersSent || visit.gone.aborted) response.destroy();
      else await this.#send(visit, wholeAnswer(broken(route.dialect)));
    }
  }

  /** Fires `gone` when the connection or the answer ends. */
  #open(response: ServerResponse): Visit {
    response.sendDate = false;
    const ending = new AbortController();
    const visit: Visit = { response, gone: ending.signal, end: () => ending.abort(), seen: undefined };
    this.#visits.add(visit);
    response.on('close', () => this.#end(visit, response.writableFinished ? 'server' : 'client'));
    return visit;
  }

  /** The first end counts. Timers stop with it. */
  #end(visit: Visit, by: 'server' | 'client'): void {
    this.#visits.delete(visit);
    visit.end();
    if (visit.seen === undefined || visit.seen.closedBy !== undefined) return;
    visit.seen.closedAtMs = this.#clock.nowMs();
    visit.seen.closedBy = by;
  }

  async #reply({ request, url, route }: Arrival, visit: Visit): Promise<void> {
    const text = await readBody(request);
    const body = text === undefined ? undefined : readJson(text);
    const client: ClientRequest = {
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      headers: flat(request.headers),
      body: body ?? {},
    };
    const seen = this.#see(client, url, route);
    visit.seen = seen;
    const answer = this.#answer({ client, route, seen, isTooLarge: text === undefined, isJson: body !== undefined });
    seen.status = answer.status;
    await this.#send(visit, answer);
  }

  #see(client: ClientRequest, url: URL, route: ReplyRoute): OpenRequest {
    this.#count += 1;
    const seen: OpenRequest = {
      n: this.#count,
      dialect: route.dialect,
      path: url.pathname + url.search,
      model: route.modelInPath ?? stringOf(client.body['model']) ?? '',
      headers: client.headers,
      body: client.body,
      scenario: undefined,
      status: undefined,
      atMs: this.#clock.nowMs(),
      closedAtMs: undefined,
      closedBy: undefined,
    };
    this.requests.push(seen);
    if (this.requests.length > SEEN_MAX) this.requests.shift();
    return seen;
  }

  #answer({ client, route, seen, isTooLarge, isJson }: Question): HttpAnswer {
    if (isTooLarge) return wholeAnswer(bodyTooLarge(route.dialect));
    if (!isJson) return wholeAnswer(jsonInvalid(route.dialect));
    const admitted = admit(client, route, this.#settings);
    if (!admitted.ok) return wholeAnswer(admitted.refusal);
    const { name } = admitted.value.scenario;
    const answer = (this.#answers.get(name) ?? 0) + 1;
    this.#answers.set(name, answer);
    seen.scenario = name;
    return answerOf(admitted.value, { seed: this.#settings.seed, answer });
  }

  async #send(visit: Visit, { status, headers, headersAfterMs, performance }: HttpAnswer): Promise<void> {
    const { response, gone } = visit;
    if (headersAfterMs === undefined) return;
    await this.#clock.wait(headersAfterMs, gone);
    if (gone.aborted) return;
    response.writeHead(status, headers);
    if (performance.writes.length !== 1) response.flushHeaders();
    await perform(response, performance, {
      clock: this.#clock,
      signal: gone,
      onReset: () => this.#end(visit, 'server'),
    });
  }
}

interface Visit {
  readonly response: ServerResponse;
  readonly gone: AbortSignal;
  readonly end: () => void;
  seen: OpenRequest | undefined;
}

interface Arrival {
  readonly request: IncomingMessage;
  readonly url: URL;
  readonly route: ReplyRoute;
}

interface Question {
  readonly client: ClientRequest;
  readonly route: ReplyRoute;
  readonly seen: OpenRequest;
  readonly isTooLarge: boolean;
  readonly isJson: boolean;
}

function readJson(text: string): JsonObject | undefined {
  const parsed = parseJson(text);
  if (!parsed.ok || !isRecord(parsed.value)) return undefined;
  return depthWithin(parsed.value, WIRE_LIMITS.jsonDepthMax) ? parsed.value : undefined;
}

function flat(headers: IncomingHttpHeaders): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
  );
}
