import { afterEach, describe, expect, it } from 'vitest';
import { CHAT_HELLO, chatChunk, cutAfter, fakeProvider, geminiChunk, json, stream } from './fake-provider.js';
import type { Answer, FakeProvider } from './fake-provider.js';
import { CHAT, chatBody, chatHop, eventsOf, geminiBody, geminiHop, openGateway } from './open-gateway.js';
import type { Opened } from './open-gateway.js';

let provider: FakeProvider | undefined;
let opened: Opened | undefined;

afterEach(async () => {
  await opened?.close();
  await provider?.close();
});

async function openChat(...answers: readonly Answer[]): Promise<Opened> {
  provider = await fakeProvider(...answers);
  opened = await openGateway({ main: { chain: [chatHop(provider.url)] } });
  return opened;
}

async function openGemini(...answers: readonly Answer[]): Promise<Opened> {
  provider = await fakeProvider(...answers);
  opened = await openGateway({ main: { chain: [geminiHop(provider.url)] } });
  return opened;
}

interface ChatError {
  readonly error: { readonly code: unknown; readonly message: string };
}
interface GeminiError {
  readonly error: { readonly code: number; readonly status: string; readonly message: string };
}

describe("an upstream that refuses the gateway's own key (I30)", () => {
  it.each([401, 403])('with %s is a 400 to a Chat client, sent once', async (status) => {
    const { post } = await openChat(json(status, { error: { message: 'bad key', code: 'invalid_api_key' } }));
    const response = await post(CHAT, chatBody({ stream: true }));
    const body = (await response.json()) as ChatError;
    expect([response.status, body.error.code]).toEqual([400, 'upstream_auth_failed']);
    expect(response.headers.get('x-should-retry')).toBe('false');
    expect(provider?.seen.length).toBe(1);
  });

  it('is a 400 to a Gemini client, in its shape', async () => {
    const { post } = await openGemini(
      json(403, { error: { code: 403, message: 'denied', status: 'PERMISSION_DENIED' } }),
    );
    const response = await post('/v1beta/models/main:generateContent', geminiBody());
    const body = (await response.json()) as GeminiError;
    expect([response.status, body.error.code, body.error.status]).toEqual([400, 400, 'INVALID_ARGUMENT']);
    expect(provider?.seen.length).toBe(1);
  });
});

describe('an upstream that is out of turns for us', () => {
  it('is a 429 with the time to wait once the chain is exhausted', async () => {
    const { post, log } = await openChat(
      json(429, { error: { message: 'slow down', code: 'rate_limit_exceeded' } }, { 'retry-after': '120' }),
    );
    const response = await post(CHAT, chatBody({ stream: true }));
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '120']);
    expect(response.headers.get('x-holdfast-attempts')).toBe('1');
    await response.text();
    await expect.poll(() => log.map((line) => [line.status, line.attempts])).toEqual([[429, 1]]);
  });
});

describe('an upstream that is down', () => {
  it('is asked again, and then a 503 that names it', async () => {
    const { post } = await openChat(json(503, { error: { message: 'down' } }));
    const response = await post(CHAT, chatBody());
    const body = (await response.json()) as ChatError;
    expect(response.status).toBe(503);
    expect(body.error.message).toContain('chat-provider');
    expect(provider?.seen.length).toBe(4);
  });

  it('with a page instead of an API is a 502, and nothing of the page is passed on', async () => {
    const { post } = await openChat((response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end(`<html>${'x\n\n'.repeat(60_000)}</html>`);
    });
    const response = await post(CHAT, chatBody({ stream: true }));
    expect(response.status).toBe(502);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(Object.keys((await response.json()) as object)).toEqual(['error']);
  });
});

describe('a reply that breaks after its first text (I29, I30)', () => {
  it('ends for a Chat client with an error event and the end mark, and is not asked for again', async () => {
    const first = chatChunk({ role: 'assistant', content: 'Hel' });
    const { post, log } = await openChat(cutAfter(first, 'data: {"half'));
    const response = await post(CHAT, chatBody({ stream: true }));
    const text = await response.text();
    expect(response.status).toBe(200);
    expect(text.startsWith(first)).toBe(true);
    expect(text).not.toContain('half');
    const events = eventsOf(text);
    expect(events.length).toBe(3);
    expect(events[1]).toHaveProperty('error');
    expect(events[2]).toBe('[DONE]');
    expect(text).not.toMatch(/"finish_reason":"/);
    expect(provider?.seen.length).toBe(1);
    await expect.poll(() => log[0]?.status).toBe(200);
    expect(log[0]?.code).toBeTypeOf('string');
  });

  it('ends for a Gemini client with an error object', async () => {
    const { post } = await openGemini(cutAfter(geminiChunk([{ text: 'Hel' }])));
    const text = await (await post('/v1beta/models/main:streamGenerateContent?alt=sse', geminiBody())).text();
    const events = eventsOf(text);
    expect(events.length).toBe(2);
    expect(events[1]).toHaveProperty('error.code');
    expect(text).not.toContain('finishReason');
  });

  it('ends for a Chat client before a Gemini provider with an error event', async () => {
    const { post } = await openGemini(cutAfter(geminiChunk([{ text: 'Hel' }])));
    const text = await (await post(CHAT, chatBody({ stream: true }))).text();
    expect(eventsOf(text).at(-2)).toHaveProperty('error');
    expect(text).not.toMatch(/"finish_reason":"/);
  });

  it("has the provider's own error event replaced by ours, which quotes it, and keeps the text before it", async () => {
    const first = chatChunk({ role: 'assistant', content: 'Hel' });
    const { post } = await openChat(
      stream(`${first}data: {"error":{"message":"too busy","code":503}}\n\ndata: [DONE]\n\n`),
    );
    const text = await (await post(CHAT, chatBody({ stream: true }))).text();
    expect(text.startsWith(first)).toBe(true);
    const events = eventsOf(text);
    expect(events.length).toBe(3);
    expect((events[1] as ChatError).error.message).toContain('chat-provider');
    expect((events[1] as ChatError).error.message).toContain('too busy');
  });

  it('without its terminal event is no clean end, finish reason withheld', async () => {
    const { post } = await openChat(stream(chatChunk({ role: 'assistant', content: 'Hel' })));
    const text = await (await post(CHAT, chatBody({ stream: true }))).text();
    expect(eventsOf(text).at(-2)).toHaveProperty('error');
  });

  it('inside a huge event can only be broken off, since no event of ours fits into it', async () => {
    const { post } = await openChat(
      cutAfter(chatChunk({ role: 'assistant', content: 'Hel' }), `data: {"x":"${'y'.repeat(200_000)}`),
    );
    const response = await post(CHAT, chatBody({ stream: true }));
    await expect(response.text()).rejects.toThrow('terminated');
  });
});

describe('a reply that breaks while it only thinks', () => {
  it('is asked for again in the same stream', async () => {
    const thinking = chatChunk({ role: 'assistant', reasoning_content: 'Hm.' });
    const { post } = await openChat(cutAfter(thinking, 'data: {"half'), stream(...CHAT_HELLO));
    const text = await (await post(CHAT, chatBody({ stream: true }))).text();
    expect(text).toBe(thinking + CHAT_HELLO.join(''));
    expect(provider?.seen.length).toBe(2);
  });

  it('and is then answered with an HTTP error has that error told in the stream, not its body', async () => {
    const thinking = chatChunk({ role: 'assistant', reasoning_content: 'Hm.' });
    const { post } = await openChat(
      cutAfter(thinking),
      json(400, '{"error":{"message":"no such field","code":"bad"}}\n\n'),
    );
    const text = await (await post(CHAT, chatBody({ stream: true }))).text();
    expect(text.startsWith(thinking)).toBe(true);
    expect(text.slice(thinking.length)).toMatch(/^data: /);
    const events = eventsOf(text.slice(thinking.length));
    expect(events.length).toBe(2);
    expect(events[0]).toHaveProperty('error');
  });
});

describe('a reply that breaks inside a huge event after it only thought', () => {
  it('can only be broken off, and nothing of another try is put into the half event', async () => {
    const call = { index: 0, id: 'c', type: 'function', function: { name: 'f', arguments: 'x'.repeat(200_000) } };
    const half = chatChunk({ tool_calls: [call] }).slice(0, 150_000);
    const { post, log } = await openChat(
      cutAfter(chatChunk({ role: 'assistant', reasoning_content: 'hm' }), half),
      stream(...CHAT_HELLO),
    );
    const response = await post(CHAT, chatBody({ stream: true }));
    await expect(response.text()).rejects.toThrow('terminated');
    await expect.poll(() => log.map(({ code, attempts }) => [code, attempts])).toEqual([['stream_dropped', 1]]);
    expect(provider?.seen.length).toBe(1);
  });
});

describe('a reply that ends without anything in it', () => {
  it('is a real HTTP error for a client of the same dialect too, after its one retry', async () => {
    const { post } = await openChat(stream(chatChunk({ role: 'assistant', content: '' }), chatChunk({}, 'stop')));
    const response = await post(CHAT, chatBody({ stream: true }));
    const body = (await response.json()) as ChatError;
    expect([response.status, body.error.code, provider?.seen.length]).toEqual([502, 'empty_completion', 2]);
  });
});

describe("a provider that echoes the gateway's own key", () => {
  const SHAPED = 'sk-test-abcdef1234567890abcdef';
  const page = `<html><p>${SHAPED} upstream-secret</p></html>`;
  const error = { error: { message: `${SHAPED} upstream-secret`, code: 'upstream-secret', type: 'x' } };

  it.each<[string, Answer]>([
    ['in an error answer', json(400, error)],
    ['in a page', (response) => void response.writeHead(200, { 'content-type': `text/html; x=${SHAPED}` }).end(page)],
    ['in an error inside its stream', stream(`data: ${JSON.stringify(error)}\n\n`)],
  ])('%s does not have it passed on', async (_, answer) => {
    const { post } = await openChat(answer);
    const text = await (await post(CHAT, chatBody({ stream: true }))).text();
    expect(text).toContain('[redacted]');
    expect(text).not.toContain(SHAPED);
    expect(text).not.toContain('upstream-secret');
  });
});

describe('an error inside a 200 before any content', () => {
  it('is a real HTTP error', async () => {
    const { post } = await openChat(stream('data: {"error":{"message":"no money","code":402}}\n\n'));
    const response = await post(CHAT, chatBody({ stream: true }));
    const body = (await response.json()) as ChatError;
    expect([response.status, body.error.code]).toEqual([400, 'upstream_billing']);
  });
});
