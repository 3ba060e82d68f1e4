import { afterEach, describe, expect, it } from 'vitest';
import { CHAT_DONE, CHAT_HELLO, chatChunk, fakeProvider, GEMINI_HELLO, json, stream } from './fake-provider.js';
import type { Answer, FakeProvider } from './fake-provider.js';
import { CHAT, chatBody, chatHop, geminiBody, geminiHop, openGateway } from './open-gateway.js';
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

describe('a streaming Chat client before a Chat provider', () => {
  it("gets the provider's own bytes", async () => {
    const { post } = await openChat(stream(...CHAT_HELLO));
    const response = await post(CHAT, chatBody({ stream: true }));
    expect(await response.text()).toBe(CHAT_HELLO.join(''));
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-cache');
    expect(response.headers.get('x-accel-buffering')).toBe('no');
  });

  it('has its body forwarded with the model changed and everything else as it was', async () => {
    const { post } = await openChat(stream(...CHAT_HELLO));
    await (await post(CHAT, chatBody({ stream: true, unknown_field: { a: [1] }, temperature: 0.5 }))).text();
    expect(provider?.seen[0]?.body).toEqual({
      ...chatBody({ stream: true, unknown_field: { a: [1] }, temperature: 0.5 }),
      model: 'up-model',
    });
  });

  it('never has its own key sent upstream, nor its cookies', async () => {
    const { post } = await openChat(stream(...CHAT_HELLO));
    await (
      await post(`${CHAT}?key=client-secret`, chatBody({ stream: true }), {
        'x-api-key': 'client-secret',
        cookie: 'a=client-secret',
      })
    ).text();
    const seen = provider?.seen[0];
    expect(seen?.headers['authorization']).toBe('Bearer upstream-secret');
    expect(JSON.stringify([seen?.url, seen?.headers])).not.toContain('client-secret');
  });

  it('learns from the headers who answered, and the log has the same (S26)', async () => {
    const { post, log } = await openChat(stream(...CHAT_HELLO));
    const response = await post(CHAT, chatBody({ stream: true }));
    await response.text();
    expect(response.headers.get('x-holdfast-call')).toMatch(/^call_/);
    expect(response.headers.get('x-holdfast-attempts')).toBe('1');
    expect(response.headers.get('x-holdfast-provider')).toBe('chat-provider');
    expect(response.headers.get('x-holdfast-model')).toBe('up-model');
    expect(response.headers.get('x-holdfast-fallback')).toBe(null);
    expect(Number(response.headers.get('x-holdfast-overhead-ms'))).toBeGreaterThan(0);
    await expect
      .poll(() => log)
      .toEqual([
        {
          at: expect.any(Number) as number,
          route: 'chat.completions',
          status: 200,
          durationMs: expect.any(Number) as number,
          dialect: 'openai-chat',
          call: response.headers.get('x-holdfast-call'),
          model: 'main',
          provider: 'chat-provider',
          upstreamModel: 'up-model',
          attempts: 1,
          usage: expect.any(Object) as object,
        },
      ]);
  });

  it('gets the last bytes too where the provider leaves out the last empty line', async () => {
    const whole = CHAT_HELLO.join('').trimEnd();
    const { post } = await openChat(stream(whole));
    expect(await (await post(CHAT, chatBody({ stream: true }))).text()).toBe(whole);
  });

  it('gets the same bytes when the provider cuts them anywhere', async () => {
    const whole = CHAT_HELLO.join('');
    const bytes = Array.from({ length: Math.ceil(whole.length / 17) }, (_, index) =>
      whole.slice(index * 17, index * 17 + 17),
    );
    const { post } = await openChat(stream(...bytes));
    expect(await (await post(CHAT, chatBody({ stream: true }))).text()).toBe(whole);
  });
});

describe('a Chat client without a stream before a Chat provider', () => {
  const reply =
    '{ "id":"x", "object":"chat.completion", "created":1, "model":"up","unknown":{"kept":[1]}, "choices":[{"index":0,"message":{"role":"assistant","content":"Hi"},"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":1,"total_tokens":4}}';

  it("gets the provider's own bytes, spaces and unknown fields included", async () => {
    const { post } = await openChat(json(200, reply));
    const response = await post(CHAT, chatBody());
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(response.headers.get('x-holdfast-attempts')).toBe('1');
    expect(await response.text()).toBe(reply);
  });

  it('gets the reply of the attempt that stood, not of the one before (I8)', async () => {
    const { post } = await openChat(json(503, { error: { message: 'busy' } }), json(200, reply));
    const response = await post(CHAT, chatBody());
    expect(response.headers.get('x-holdfast-attempts')).toBe('2');
    expect(await response.text()).toBe(reply);
  });
});

describe('a Gemini client before a Gemini provider', () => {
  it.each(['/v1beta', '/v1'])("gets the provider's own bytes under %s", async (version) => {
    const { post } = await openGemini(stream(...GEMINI_HELLO));
    const response = await post(`${version}/models/main:streamGenerateContent?alt=sse`, geminiBody());
    expect(await response.text()).toBe(GEMINI_HELLO.join(''));
    expect(provider?.seen[0]?.url).toBe('/v1beta/models/up-model:streamGenerateContent?alt=sse');
  });

  it('has unknown fields of its body kept', async () => {
    const { post } = await openGemini(stream(...GEMINI_HELLO));
    await (await post('/v1beta/models/main:streamGenerateContent?alt=sse', geminiBody({ xUnknown: { a: 1 } }))).text();
    expect(provider?.seen[0]?.body).toMatchObject(geminiBody({ xUnknown: { a: 1 } }));
  });

  it('that asks for no stream gets the whole body as it came', async () => {
    const reply =
      '{"candidates":[{"content":{"role":"model","parts":[{"text":"Hi","xUnknown":1}]},"finishReason":"STOP","index":0}] }';
    const { post } = await openGemini(json(200, reply));
    expect(await (await post('/v1beta/models/main:generateContent', geminiBody())).text()).toBe(reply);
    expect(provider?.seen[0]?.url).toBe('/v1beta/models/up-model:generateContent');
  });

  it('that asks for a stream without alt=sse gets one JSON array', async () => {
    const { post } = await openGemini(stream(...GEMINI_HELLO));
    const response = await post('/v1beta/models/main:streamGenerateContent', geminiBody());
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    const chunks = (await response.json()) as { candidates: { content: { parts: { text: string }[] } }[] }[];
    expect(chunks.flatMap((chunk) => chunk.candidates[0]?.content.parts.map((part) => part.text) ?? []).join('')).toBe(
      'Héllo',
    );
  });
});

describe('a provider that thinks, spends its cap, and is asked once more', () => {
  it('has only one end shown to the client, and the retry goes out in the same stream', async () => {
    const thinking = chatChunk({ role: 'assistant', reasoning_content: 'Hm.' });
    const cap = {
      usage: {
        prompt_tokens: 3,
        completion_tokens: 1000,
        total_tokens: 1003,
        completion_tokens_details: { reasoning_tokens: 1000 },
      },
    };
    const spent = stream(thinking, chatChunk({}, 'length', cap), CHAT_DONE);
    const { post } = await openChat(spent, stream(...CHAT_HELLO));
    const text = await (await post(CHAT, chatBody({ stream: true, max_tokens: 1000 }))).text();
    expect(text).toBe(thinking + CHAT_HELLO.join(''));
    expect(provider?.seen.length).toBe(2);
  });
});
