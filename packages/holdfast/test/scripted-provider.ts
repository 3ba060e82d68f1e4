import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

/** What the provider does with one request, in order. */
export type Step =
  | {
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string | Uint8Array;
    }
  | { readonly open: true }
  | { readonly send: string }
  | { readonly waitMs: number }
  | { readonly end: 'close' | 'reset' | 'hang' };

export interface Seen {
  readonly body: { readonly messages: readonly unknown[]; readonly [key: string]: unknown };
  readonly headers: IncomingMessage['headers'];
  /** The client's port: equal ports are one connection. */
  readonly port: number | undefined;
  /** Resolves when the connection of this request is gone. */
  readonly closed: Promise<void>;
}

/** A provider over a real socket that answers the n-th request with the n-th script, and the last one ever after. */
export interface ScriptedProvider {
  readonly url: string;
  readonly seen: readonly Seen[];
  close(): Promise<void>;
}

export async function scriptedProvider(...scripts: readonly (readonly Step[])[]): Promise<ScriptedProvider> {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    const closed = new Promise<void>((resolve) => {
      response.once('close', () => resolve());
    });
    request.on('data', (bytes: Buffer) => chunks.push(bytes));
    request.on('end', () => {
      seen.push({
        body: JSON.parse(Buffer.concat(chunks).toString()),
        headers: request.headers,
        port: request.socket.remotePort,
        closed,
      });
      const script = scripts[Math.min(seen.length, scripts.length) - 1] ?? [];
      play(script, response).catch(() => response.destroy());
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The provider has no port.');
  return {
    url: `http://127.0.0.1:${address.port}`,
    seen,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}

async function play(script: readonly Step[], response: ServerResponse): Promise<void> {
  for (const step of script) await perform(step, response);
}

async function perform(step: Step, response: ServerResponse): Promise<void> {
  if ('status' in step) {
    response.writeHead(step.status, step.headers ?? { 'content-type': 'application/json' }).end(step.body ?? '');
  } else if ('open' in step) {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
  } else if ('send' in step) {
    if (!response.write(step.send)) await drained(response);
  } else if ('waitMs' in step) {
    await wait(step.waitMs);
  } else {
    await end(step.end, response);
  }
}

async function end(how: 'close' | 'reset' | 'hang', response: ServerResponse): Promise<void> {
  if (how === 'close') response.end();
  if (how !== 'reset') return;
  await wait(20); // What was sent leaves the socket first.
  response.destroy();
}

async function drained(response: ServerResponse): Promise<void> {
  await new Promise<void>((resolve) => {
    const over = (): void => {
      response.off('drain', over).off('close', over);
      resolve();
    };
    response.on('drain', over).on('close', over);
  });
}

/** A Chat chunk with this delta, as one event. */
export function chunk(delta: object, finish: string | null = null): string {
  return `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
}

export const DONE = 'data: [DONE]\n\n';

/** A whole streamed answer. */
export function answer(text: string): readonly Step[] {
  return [
    { open: true },
    { send: chunk({ role: 'assistant', content: text }) + chunk({}, 'stop') + DONE },
    { end: 'close' },
  ];
}
