import { afterEach, describe, expect, it, vi } from 'vitest';
import { CHAT_DONE, chatChunk, fakeProvider } from './fake-provider.js';
import type { Answer, FakeProvider } from './fake-provider.js';
import { CHAT, chatBody, chatHop, geminiBody, openGateway } from './open-gateway.js';
import type { Opened } from './open-gateway.js';

let provider: FakeProvider | undefined;
let opened: Opened | undefined;

afterEach(async () => {
  vi.restoreAllMocks();
  await opened?.close();
  await provider?.close();
});

const CHUNKS = 1_000;

/** Each chunk is an arrival of its own, and the provider itself uses no timer. */
const oneByOne: Answer = async (response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (let n = 0; n < CHUNKS; n += 1) {
    response.write(chatChunk({ content: `word ${n} ` }));
    await new Promise((resolve) => setImmediate(resolve));
  }
  response.end(chatChunk({}, 'stop') + CHAT_DONE);
};

/** How many timers are set in this process while the client reads a stream of that many chunks, and how much it read. */
async function timersOf(path: string, body: unknown): Promise<{ readonly timers: number; readonly events: number }> {
  provider = await fakeProvider(oneByOne);
  const main = { chain: [chatHop(provider.url)] as const };
  opened = await openGateway({ main });
  const set = vi.spyOn(globalThis, 'setTimeout');
  const text = await (await opened.post(path, body)).text();
  return { timers: set.mock.calls.length, events: text.split('data: ').length - 1 };
}

describe('between an event of the upstream and its write', () => {
  it('no timer is set when the bytes pass through', async () => {
    const { timers, events } = await timersOf(CHAT, chatBody({ stream: true }));
    expect(events).toBe(CHUNKS + 2);
    expect(timers).toBeGreaterThan(0);
    expect(timers).toBeLessThanOrEqual(20);
  });

  it('no timer is set when the stream is translated', async () => {
    const { timers, events } = await timersOf('/v1beta/models/main:streamGenerateContent?alt=sse', geminiBody());
    expect(events).toBeGreaterThan(CHUNKS / 2);
    expect(timers).toBeLessThanOrEqual(20);
  });
});
