import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { CHAT_DONE, CHAT_HELLO, chatChunk, fakeProvider, geminiChunk, json, pause } from './fake-provider.js';
import type { Answer, FakeProvider } from './fake-provider.js';
import { CHAT, chatBody, chatHop, eventsOf, geminiBody, geminiHop, openGateway } from './open-gateway.js';
import type { Opened } from './open-gateway.js';

let provider: FakeProvider | undefined;
let opened: Opened | undefined;

afterEach(async () => {
  await opened?.close();
  await provider?.close();
});

const slowly =
  (waitMs: number, ...writes: readonly string[]): Answer =>
  async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.flushHeaders();
    for (const write of writes) {
      await pause(waitMs);
      response.write(write);
    }
    response.end();
  };

describe('a provider that stays silent', () => {
  it('has the headers go out in time, then the empty event of the dialect, and the reply after that', async () => {
    provider = await fakeProvider(slowly(700, CHAT_HELLO.join('')));
    opened = await openGateway({ main: { chain: [chatHop(provider.url)] } }, { headersByMs: 150, keepAliveMs: 150 });
    const startedAt = performance.now();
    const response = await opened.post(CHAT, chatBody({ stream: true }));
    expect(performance.now() - startedAt).toBeLessThan(650);
    const text = await response.text();
    expect(text.endsWith(CHAT_HELLO.join(''))).toBe(true);
    const early = eventsOf(text.slice(0, -CHAT_HELLO.join('').length));
    expect(early.length).toBeGreaterThan(0);
    for (const event of early) expect(event).toMatchObject({ choices: [{ delta: {}, finish_reason: null }] });
  });

  it('keeps a Gemini client awake with an empty thought', async () => {
    provider = await fakeProvider(slowly(500, geminiChunk([{ text: 'Hi' }]), geminiChunk([{ text: '' }], 'STOP')));
    opened = await openGateway({ main: { chain: [geminiHop(provider.url)] } }, { headersByMs: 100, keepAliveMs: 100 });
    const text = await (await opened.post('/v1/models/main:streamGenerateContent?alt=sse', geminiBody())).text();
    const empty = eventsOf(text).filter((event) => JSON.stringify(event).includes('{"thought":true,"text":""}'));
    expect(empty.length).toBeGreaterThan(2);
  });

  it('has nothing said into the middle of an event', async () => {
    const [first = '', ...rest] = CHAT_HELLO;
    const half = first.slice(0, 40);
    provider = await fakeProvider(slowly(400, chatChunk({ content: 'A' }), half, first.slice(40), rest.join('')));
    opened = await openGateway({ main: { chain: [chatHop(provider.url)] } }, { keepAliveMs: 100 });
    const text = await (await opened.post(CHAT, chatBody({ stream: true }))).text();
    expect(text).toContain(first);
    expect(eventsOf(text).length).toBeGreaterThan(CHAT_HELLO.length + 1);
  });

  it('inside an event too large to be held has nothing said into it either', async () => {
    const large = chatChunk({ content: 'x'.repeat(200_000) });
    const rest = CHAT_HELLO.join('');
    provider = await fakeProvider(
      slowly(400, chatChunk({ content: 'A' }), large.slice(0, 150_000), large.slice(150_000) + rest),
    );
    opened = await openGateway({ main: { chain: [chatHop(provider.url)] } }, { keepAliveMs: 100 });
    const text = await (await opened.post(CHAT, chatBody({ stream: true }))).text();
    expect(text.endsWith(large + rest)).toBe(true);
  });

  it('and fails after the headers went out has its failure told as an error event', async () => {
    provider = await fakeProvider(async (response, seen) => {
      await pause(400);
      await json(400, { error: { message: 'no', code: 'bad' } })(response, seen);
    });
    opened = await openGateway({ main: { chain: [chatHop(provider.url)] } }, { headersByMs: 100 });
    const response = await opened.post(CHAT, chatBody({ stream: true }));
    expect(response.status).toBe(200);
    const events = eventsOf(await response.text());
    expect(events.at(-2)).toHaveProperty('error.code', 'upstream_request_invalid');
    expect(events.at(-1)).toBe('[DONE]');
  });

  it('and answers with a page after that has nothing of the page passed on', async () => {
    provider = await fakeProvider(async (response) => {
      await pause(400);
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html>\n\n</html>\n\n');
    });
    opened = await openGateway({ main: { chain: [chatHop(provider.url)] } }, { headersByMs: 100 });
    const text = await (await opened.post(CHAT, chatBody({ stream: true }))).text();
    expect(text.replaceAll(/^data: .*\n\n/gm, '')).toBe('');
    expect(eventsOf(text).at(-2)).toHaveProperty('error');
  });

  it('has a client without a stream wait for a status that is true', async () => {
    provider = await fakeProvider(async (response, seen) => {
      await pause(400);
      await json(400, { error: { message: 'no', code: 'bad' } })(response, seen);
    });
    opened = await openGateway({ main: { chain: [chatHop(provider.url)] } }, { headersByMs: 100 });
    expect((await opened.post(CHAT, chatBody())).status).toBe(400);
  });
});

describe('a client that goes away (I31)', () => {
  it.each([true, false])('has its upstream request ended at once, stream: %s', async (isStream) => {
    provider = await fakeProvider(slowly(100, ...Array.from({ length: 100 }, () => chatChunk({ content: 'x' }))));
    opened = await openGateway({ main: { chain: [chatHop(provider.url)] } });
    const stop = new AbortController();
    const sent = fetch(`${opened.gateway.url}${CHAT}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(chatBody({ stream: isStream })),
      signal: stop.signal,
    }).then((response) => response.text());
    await expect.poll(() => provider?.seen.length).toBe(1);
    await pause(300);
    const leftAt = performance.now();
    stop.abort();
    await expect(sent).rejects.toThrow('aborted');
    await provider.seen[0]?.closed;
    expect(performance.now() - leftAt).toBeLessThan(1_000);
    const { log } = opened;
    await expect.poll(() => log.map((line) => [line.status, line.code])).toEqual([[499, 'stopped']]);
    expect(log[0]?.usage).toBeTypeOf('object');
  });
});

describe('a client that goes away with a second request waiting for its turn (I31)', () => {
  it('has the upstream requests of both ended', async () => {
    provider = await fakeProvider((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
    });
    opened = await openGateway({ main: { chain: [chatHop(provider.url)] } });
    const { port } = opened.gateway;
    const body = JSON.stringify(chatBody({ stream: true }));
    const request = `POST ${CHAT} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
    const client = connect(port, '127.0.0.1');
    client.write(request + request);
    await expect.poll(() => provider?.seen.length).toBe(2);
    const leftAt = performance.now();
    client.destroy();
    await Promise.all(provider.seen.map(({ closed }) => closed));
    expect(performance.now() - leftAt).toBeLessThan(1_000);
    const { log } = opened;
    await expect.poll(() => log.map((line) => line.status)).toEqual([499, 499]);
  });
});

function untilWritable(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.on('drain', done).on('close', done);
  });
}

describe('a client that does not read (I32)', () => {
  const FILLER = chatChunk({ content: 'x'.repeat(16 * 1024) });
  const CHUNKS = 3_200; // About 50 MB.

  /** Writes as fast as it is let, and tells how far it came. */
  function flood(): { readonly answer: Answer; readonly written: () => number } {
    let written = 0;
    const answer: Answer = async (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (let chunk = 0; chunk < CHUNKS && !response.destroyed; chunk += 1) {
        if (!response.write(FILLER)) await untilWritable(response);
        written += FILLER.length;
      }
      response.end(chatChunk({}, 'stop') + CHAT_DONE);
    };
    return { answer, written: () => written };
  }

  it('pauses the upstream, and gets everything once it reads again', async () => {
    const { answer, written } = flood();
    provider = await fakeProvider(answer);
    opened = await openGateway({ main: { chain: [chatHop(provider.url)] } });
    const before = process.memoryUsage().arrayBuffers;
    const socket = openRaw(opened.gateway.port);
    socket.pause();
    await expect.poll(written).toBeGreaterThan(0);
    let last = -1;
    while (written() !== last) {
      last = written();
      await pause(300);
    }
    // The buffers of three sockets and of the kernel lie between; none of it grows with the reply.
    expect(written()).toBeLessThan(25 * 1024 * 1024);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(25 * 1024 * 1024);
    let received = 0;
    socket.on('data', (chunk: Buffer) => (received += chunk.length));
    socket.resume();
    await new Promise((resolve) => socket.once('end', resolve));
    expect(received).toBeGreaterThan(CHUNKS * FILLER.length);
  });

  it('is cut after its time, and its upstream request with it', async () => {
    const { answer, written } = flood();
    provider = await fakeProvider(answer);
    opened = await openGateway({ main: { chain: [chatHop(provider.url)] } }, { limits: { unreadMs: 300 } });
    const socket = openRaw(opened.gateway.port);
    socket.pause();
    await expect.poll(() => provider?.seen.length).toBe(1);
    await provider.seen[0]?.closed;
    expect(written()).toBeLessThan(CHUNKS * FILLER.length);
    const { log } = opened;
    await expect.poll(() => log[0]?.status).toBe(499);
    socket.destroy();
  });

  function openRaw(port: number): ReturnType<typeof connect> {
    const body = JSON.stringify(chatBody({ stream: true }));
    const socket = connect(port, '127.0.0.1');
    socket.write(
      `POST ${CHAT} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    );
    return socket;
  }
});

describe('a gateway that is closed', () => {
  it('lets a running reply end, and takes no new request', async () => {
    provider = await fakeProvider(slowly(150, ...CHAT_HELLO));
    opened = await openGateway({ main: { chain: [chatHop(provider.url)] } });
    const { gateway, post } = opened;
    const response = await post(CHAT, chatBody({ stream: true }));
    const closing = gateway.close();
    expect(await response.text()).toBe(CHAT_HELLO.join(''));
    await closing;
    await expect(fetch(`${gateway.url}/healthz`)).rejects.toThrow('fetch failed');
  });

  it('ends a reply that does not end with an honest error event', async () => {
    provider = await fakeProvider(slowly(100, ...Array.from({ length: 200 }, () => chatChunk({ content: 'x' }))));
    opened = await openGateway({ main: { chain: [chatHop(provider.url)] } }, { limits: { drainMs: 300 } });
    const response = await opened.post(CHAT, chatBody({ stream: true }));
    const text = response.text();
    await opened.gateway.close();
    const events = eventsOf(await text);
    expect(events.at(-2)).toHaveProperty('error.code', 'gateway_closing');
  });
});
