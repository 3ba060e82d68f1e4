import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One request as the upstream saw it. */
export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: unknown;
  /** Resolves when the connection of this request is gone. */
  readonly closed: Promise<void>;
}

export type Answer = (response: ServerResponse, seen: Seen) => void | Promise<void>;

export interface FakeProvider {
  readonly url: string;
  readonly seen: Seen[];
  close(): Promise<void>;
}

/** A provider that answers its n-th request with the n-th answer, and every later one with the last. */
export async function fakeProvider(...answers: readonly Answer[]): Promise<FakeProvider> {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(Buffer.from(chunk));
      const text = Buffer.concat(chunks).toString('utf8');
      const one: Seen = {
        method: request.method ?? '',
        url: request.url ?? '',
        headers: request.headers,
        body: text === '' ? undefined : JSON.parse(text),
        closed: new Promise((resolve) => response.once('close', resolve)),
      };
      seen.push(one);
      const answer = answers[Math.min(seen.length, answers.length) - 1];
      await answer?.(response, one);
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** These writes, one flush each, and then the end. */
export function stream(...writes: readonly string[]): Answer {
  return async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const write of writes) {
      response.write(write);
      await pause(5);
    }
    response.end();
  };
}

/** These writes, and then the connection breaks. */
export function cutAfter(...writes: readonly string[]): Answer {
  return async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const write of writes) {
      response.write(write);
      await pause(30);
    }
    response.destroy();
  };
}

export function json(status: number, body: unknown, headers: Record<string, string> = {}): Answer {
  return (response) => {
    response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(typeof body === 'string' ? body : JSON.stringify(body));
  };
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

export const chatChunk = (delta: unknown, finish: string | null = null, more: object = {}): string =>
  `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'up', choices: [{ index: 0, delta, finish_reason: finish }], ...more })}\n\n`;
export const CHAT_DONE = 'data: [DONE]\n\n';
export const CHAT_HELLO: readonly string[] = [
  chatChunk({ role: 'assistant', content: '' }, null, { system_fingerprint: 'fp_1' }),
  chatChunk({ content: 'Hé' }, null, { x_unknown: { kept: true } }),
  chatChunk({ content: 'llo' }),
  chatChunk({}, 'stop'),
  CHAT_DONE,
];

export const geminiChunk = (parts: readonly unknown[], finish?: string, more: object = {}): string =>
  `data: ${JSON.stringify({ candidates: [{ content: { role: 'model', parts }, index: 0, ...(finish === undefined ? {} : { finishReason: finish }) }], ...more })}\r\n\r\n`;
export const GEMINI_HELLO: readonly string[] = [
  geminiChunk([{ text: 'Hé' }], undefined, { xUnknown: 1 }),
  geminiChunk([{ text: 'llo' }], 'STOP', {
    usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 2, totalTokenCount: 5 },
  }),
];
