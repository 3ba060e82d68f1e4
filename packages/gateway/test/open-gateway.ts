import { request } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { Engine } from 'holdfast/run';
import type { Hop } from 'holdfast/run';
import { UNKNOWN_PRODUCER } from 'holdfast/turn';
import { startGateway } from '@holdfast/gateway';
import type { Gateway, GatewayOptions, LogLine, Route, RouteTable } from '@holdfast/gateway';

export interface Opened {
  readonly gateway: Gateway;
  readonly log: LogLine[];
  /** POST with a JSON body. */
  readonly post: (path: string, body: unknown, headers?: Record<string, string>) => Promise<Response>;
  close(): Promise<void>;
}

/** Retries at once, so that a test does not wait for them. */
const QUICK = { backoffBaseMs: 1, backoffMaxMs: 2 };

export async function openGateway(
  routes: Readonly<Record<string, Route>>,
  options: Partial<GatewayOptions> = {},
): Promise<Opened> {
  const log: LogLine[] = [];
  const engine = new Engine();
  const gateway = await startGateway({
    routes: tableOf(routes),
    engine,
    retryLimits: QUICK,
    log: (line) => log.push(line),
    ...options,
  });
  return {
    gateway,
    log,
    post: (path, body, headers = {}) =>
      fetch(`${gateway.url}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    close: async () => {
      await gateway.close();
      await engine.close();
    },
  };
}

export function tableOf(routes: Readonly<Record<string, Route>>): RouteTable {
  return {
    resolve: (model) => (Object.hasOwn(routes, model) ? routes[model] : undefined),
    list: () =>
      Object.keys(routes).map((id) => ({ id, ownedBy: 'test', contextWindow: 1_000_000, outputLimit: 64_000 })),
  };
}

export function chatHop(baseUrl: string, more: Partial<Hop> = {}): Hop {
  return hop(
    {
      name: 'chat-provider',
      vendor: 'openai',
      dialect: 'openai-chat',
      baseUrl: `${baseUrl}/v1`,
      auth: { header: 'authorization', value: 'Bearer upstream-secret' },
      quirks: {},
    },
    more,
  );
}

export function geminiHop(baseUrl: string, more: Partial<Hop> = {}): Hop {
  return hop(
    {
      name: 'gemini-provider',
      vendor: 'google',
      dialect: 'gemini',
      baseUrl: `${baseUrl}/v1beta`,
      auth: { header: 'x-goog-api-key', value: 'upstream-secret' },
      quirks: {},
    },
    more,
  );
}

function hop(provider: Hop['provider'], more: Partial<Hop>): Hop {
  return {
    provider,
    model: 'up-model',
    capabilities: { ...UNKNOWN_PRODUCER, reasoningDeltas: true },
    maxOutputTokens: undefined,
    outputLimit: undefined,
    contextWindow: undefined,
    configEntry: undefined,
    ...more,
  };
}

export const CHAT = '/v1/chat/completions';
export const chatBody = (more: object = {}): object => ({
  model: 'main',
  messages: [{ role: 'user', content: 'hi' }],
  ...more,
});
export const geminiBody = (more: object = {}): object => ({
  contents: [{ role: 'user', parts: [{ text: 'hi' }] }],
  ...more,
});

export interface RawResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** A request with exactly these headers, which `fetch` would not send. */
export function rawRequest(
  url: string,
  method: string,
  options: { headers?: Record<string, string | string[]>; body?: string | Uint8Array } = {},
): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers: options.headers ?? {}, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(chunks).toString('utf8'),
        }),
      );
    });
    sent.on('error', reject);
    sent.end(options.body);
  });
}

/** The JSON values of a stream of server-sent events, with `[DONE]` as a string. */
export function eventsOf(text: string): unknown[] {
  return text
    .split(/\r?\n\r?\n/)
    .filter((event) => event.startsWith('data:'))
    .map((event) => event.slice('data:'.length).trim())
    .map((data): unknown => (data === '[DONE]' ? data : JSON.parse(data)));
}
