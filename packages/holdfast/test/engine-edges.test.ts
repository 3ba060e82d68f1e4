import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { Engine } from '../src/run/index.js';
import type { CallOptions } from '../src/run/index.js';
import { UNKNOWN_PRODUCER } from '../src/turn/index.js';
import type { StampedEvent } from '../src/turn/index.js';
import { chunk, DONE } from './scripted-provider.js';

const servers: Server[] = [];
const engines: Engine[] = [];

afterEach(async () => {
  await Promise.all(engines.splice(0).map((engine) => engine.close()));
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

type Kind = 'answers' | 'hangs' | 'fails';

/** Its address, and the paths that were asked for. */
async function serve(kind: Kind): Promise<{ readonly url: string; readonly seen: string[] }> {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(request.url ?? '');
    response.writeHead(kind === 'fails' ? 503 : 200, { 'content-type': 'text/event-stream' });
    if (kind === 'hangs') response.flushHeaders();
    else response.end(chunk({ role: 'assistant', content: 'Hello.' }) + chunk({}, 'stop') + DONE);
  });
  servers.push(server);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

function open(): Engine {
  const engine = new Engine({ random: () => 0.999 });
  engines.push(engine);
  return engine;
}

function to(baseUrl: string, over: Partial<CallOptions> = {}): CallOptions {
  const wire = { dialect: 'openai-chat', auth: undefined, quirks: {} } as const;
  const unknown = {
    maxOutputTokens: undefined,
    outputLimit: undefined,
    contextWindow: undefined,
    configEntry: undefined,
  } as const;
  const provider = { name: 'acme', vendor: 'acme', baseUrl, ...wire };
  return {
    chain: [{ provider, model: 'm', capabilities: UNKNOWN_PRODUCER, ...unknown }],
    request: { messages: [{ role: 'user', parts: [{ type: 'text', text: 'go' }] }] },
    ...over,
  };
}

describe('a base URL', () => {
  it.each([
    ['/v1', '/v1/chat/completions'],
    ['/v1/', '/v1/chat/completions'],
    ['//', '/chat/completions'],
    ['/a/b?api-version=3', '/a/b/chat/completions?api-version=3'],
  ])('that ends in %s asks for %s', async (end, path) => {
    const { url, seen } = await serve('answers');
    await open()
      .call(to(`${url}${end}`))
      .result();
    expect(seen).toEqual([path]);
  });

  it.each(['', 'nonsense', 'ftp://host/v1', 'http://'])('that is "%s" fails the call once', async (baseUrl) => {
    await expect(open().call(to(baseUrl)).result()).rejects.toMatchObject({
      failure: { code: 'request_unsendable', retryable: false, atFault: 'operator', attempts: 1 },
    });
  });
});

describe('a call that has run', () => {
  it('does not run again', async () => {
    const { url, seen } = await serve('answers');
    const call = open().call(to(url));
    await call.result();
    await expect(call.result()).rejects.toThrow('iterated already');
    expect(seen).toHaveLength(1);
  });
});

describe('a stop in the moment in which the reply finishes (I28)', () => {
  it('ends the call as stopped', async () => {
    const { url } = await serve('answers');
    const call = open().call(to(url));
    let last: StampedEvent | undefined;
    for await (const event of call) {
      last = event;
      if (event.type === 'reply.finished') call.stop();
    }
    expect(last).toMatchObject({ type: 'call.failed', failure: { code: 'stopped' } });
  });
});

describe('an engine that is closed', () => {
  it('ends a reply under way as stopped and does not ask again', async () => {
    const { url, seen } = await serve('hangs');
    const engine = open();
    const types: string[] = [];
    for await (const { type } of engine.call(to(url))) {
      types.push(type);
      if (type === 'attempt.accepted') setTimeout(() => void engine.close(), 50);
    }
    expect(types.filter((type) => type === 'attempt.started')).toHaveLength(1);
    expect([types.at(-1), seen.length]).toEqual(['call.failed', 1]);
  });

  it('ends the wait before a retry', async () => {
    const { url, seen } = await serve('fails');
    const engine = open();
    const call = engine.call(to(url, { limits: { backoffBaseMs: 30_000, backoffMaxMs: 30_000 } }));
    const types: string[] = [];
    const startedAt = performance.now();
    for await (const { type } of call) {
      types.push(type);
      if (type === 'retry.scheduled') setTimeout(() => void engine.close(), 50);
    }
    expect([types.at(-1), seen.length]).toEqual(['call.failed', 1]);
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  });
});
