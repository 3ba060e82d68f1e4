import { UNKNOWN_PRODUCER } from 'holdfast/turn';
import { afterEach, describe, expect, it } from 'vitest';
import {
  CHAT_HELLO,
  chatChunk,
  CHAT_DONE,
  fakeProvider,
  geminiChunk,
  GEMINI_HELLO,
  json,
  stream,
} from './fake-provider.js';
import type { Answer, FakeProvider } from './fake-provider.js';
import { CHAT, chatBody, chatHop, eventsOf, geminiBody, geminiHop, openGateway } from './open-gateway.js';
import type { Opened } from './open-gateway.js';

let providers: FakeProvider[] = [];
let opened: Opened | undefined;

afterEach(async () => {
  await opened?.close();
  await Promise.all(providers.map((provider) => provider.close()));
  providers = [];
});

async function provide(...answers: readonly Answer[]): Promise<FakeProvider> {
  const provider = await fakeProvider(...answers);
  providers.push(provider);
  return provider;
}

interface ChatChunk {
  readonly choices: readonly {
    readonly delta: { readonly content?: string; readonly tool_calls?: unknown[] };
    readonly finish_reason: string | null;
  }[];
}
const contentOf = (events: readonly unknown[]): string =>
  events.map((event) => (event === '[DONE]' ? '' : ((event as ChatChunk).choices[0]?.delta.content ?? ''))).join('');
const finishesOf = (events: readonly unknown[]): unknown[] =>
  events.flatMap((event) => (event === '[DONE]' ? [] : ((event as ChatChunk).choices[0]?.finish_reason ?? [])));

describe('a Chat client before a Gemini provider (I29)', () => {
  it('gets a Chat stream with one finish and the end mark', async () => {
    const provider = await provide(stream(...GEMINI_HELLO));
    opened = await openGateway({ main: { chain: [geminiHop(provider.url)] } });
    const response = await opened.post(CHAT, chatBody({ stream: true }));
    const text = await response.text();
    const events = eventsOf(text);
    expect(contentOf(events)).toBe('Héllo');
    expect(finishesOf(events)).toEqual(['stop']);
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
    expect(response.headers.get('x-holdfast-provider')).toBe('gemini-provider');
  });

  it('gets parallel calls with indexes of their own and the signature on the first', async () => {
    const call = (city: string, more: object = {}): string =>
      geminiChunk([{ functionCall: { name: 'get_weather', args: { city } }, ...more }]);
    const provider = await provide(
      stream(call('Oslo', { thoughtSignature: 'c2lnMQ==' }), call('Rome'), geminiChunk([{ text: '' }], 'STOP')),
    );
    opened = await openGateway({ main: { chain: [geminiHop(provider.url)] } });
    const text = await (await opened.post(CHAT, chatBody({ stream: true }))).text();
    const calls = eventsOf(text).flatMap((event) =>
      event === '[DONE]' ? [] : ((event as ChatChunk).choices[0]?.delta.tool_calls ?? []),
    );
    const indexes = new Set(calls.map((one) => (one as { index: number }).index));
    expect([...indexes]).toEqual([0, 1]);
    expect(text).toContain('c2lnMQ==');
    expect(finishesOf(eventsOf(text))).toEqual(['tool_calls']);
  });

  it('learns of a call that its provider announces before it writes it', async () => {
    let release = (): void => {};
    const seen = new Promise<void>((resolve) => (release = resolve));
    const provider = await provide(async (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(geminiChunk([{ functionCall: { name: 'get_weather', willContinue: true } }]));
      await seen;
      const city = { jsonPath: '$.city', stringValue: 'Oslo' };
      response.end(geminiChunk([{ functionCall: { partialArgs: [city] } }], 'STOP'));
    });
    const capabilities = { ...UNKNOWN_PRODUCER, itemStart: 'before_arguments', argumentDeltas: true } as const;
    // Neither a keep-alive nor a longer deadline comes that would show what waits.
    opened = await openGateway(
      { main: { chain: [geminiHop(provider.url, { capabilities })] } },
      { keepAliveMs: 30_000, headersByMs: 30_000 },
    );
    const { body } = await opened.post(CHAT, chatBody({ stream: true }));
    let text = '';
    for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
      text += Buffer.from(chunk).toString('utf8');
      if (text.includes('get_weather')) release();
    }
    expect(text.match(/get_weather/g)).toHaveLength(1);
    expect(text).toContain(String.raw`{\"city\":\"Oslo\"}`);
  });

  it('that asks for no stream gets one Chat completion', async () => {
    const provider = await provide(stream(...GEMINI_HELLO));
    opened = await openGateway({ main: { chain: [geminiHop(provider.url)] } });
    const body: unknown = await (await opened.post(CHAT, chatBody())).json();
    expect(body).toMatchObject({
      object: 'chat.completion',
      model: 'main',
      choices: [{ message: { role: 'assistant', content: 'Héllo' }, finish_reason: 'stop' }],
    });
    expect(provider.seen[0]?.url).toBe('/v1beta/models/up-model:streamGenerateContent?alt=sse');
  });
});

describe('a Gemini client before a Chat provider (I29)', () => {
  it('gets a Gemini stream', async () => {
    const provider = await provide(stream(...CHAT_HELLO));
    opened = await openGateway({ main: { chain: [chatHop(provider.url)] } });
    const response = await opened.post('/v1beta/models/main:streamGenerateContent?alt=sse', geminiBody());
    const chunks = eventsOf(await response.text()) as {
      candidates: { content: { parts: { text?: string }[] }; finishReason?: string }[];
    }[];
    expect(chunks.map((chunk) => chunk.candidates[0]?.content.parts[0]?.text ?? '').join('')).toBe('Héllo');
    expect(chunks.map((chunk) => chunk.candidates[0]?.finishReason).filter((reason) => reason !== undefined)).toEqual([
      'STOP',
    ]);
  });

  it('that asks for no stream gets one Gemini reply with the call in it', async () => {
    const call = {
      tool_calls: [
        { index: 0, id: 'call_1', type: 'function', function: { name: 'get_weather', arguments: '{"city":"Oslo"}' } },
      ],
    };
    const provider = await provide(stream(chatChunk(call), chatChunk({}, 'tool_calls'), CHAT_DONE));
    opened = await openGateway({ main: { chain: [chatHop(provider.url)] } });
    const body: unknown = await (await opened.post('/v1/models/main:generateContent', geminiBody())).json();
    expect(body).toMatchObject({
      candidates: [
        {
          content: { parts: [{ functionCall: { id: 'call_1', name: 'get_weather', args: { city: 'Oslo' } } }] },
          finishReason: 'STOP',
        },
      ],
    });
  });
});

describe('a chain whose first provider is down', () => {
  it('answers a Chat client from the Gemini fallback, in Chat, and says so', async () => {
    const down = await provide(json(503, { error: { message: 'busy' } }));
    const up = await provide(stream(...GEMINI_HELLO));
    opened = await openGateway({
      main: { chain: [chatHop(down.url), geminiHop(up.url)], limits: { transientMax: 1 } },
    });
    const response = await opened.post(CHAT, chatBody({ stream: true }));
    expect(contentOf(eventsOf(await response.text()))).toBe('Héllo');
    expect(response.headers.get('x-holdfast-attempts')).toBe('3');
    expect(response.headers.get('x-holdfast-fallback')).toContain('gemini-provider');
    expect([down.seen.length, up.seen.length]).toEqual([2, 1]);
  });

  it('answers a Gemini client without a stream from the Chat fallback, in Gemini', async () => {
    const down = await provide(json(503, { error: { message: 'busy' } }));
    const up = await provide(
      json(200, {
        id: 'x',
        object: 'chat.completion',
        created: 1,
        model: 'up',
        choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
      }),
    );
    opened = await openGateway({
      main: { chain: [geminiHop(down.url), chatHop(up.url)], limits: { transientMax: 0 } },
    });
    const body: unknown = await (await opened.post('/v1beta/models/main:generateContent', geminiBody())).json();
    expect(body).toMatchObject({ candidates: [{ content: { parts: [{ text: 'Hi' }] }, finishReason: 'STOP' }] });
  });
});

describe('any client of a gateway whose upstream is a stand-in', () => {
  it('reads so in the headers of every answer', async () => {
    const provider = await provide(stream(...CHAT_HELLO));
    opened = await openGateway({ main: { chain: [chatHop(provider.url)] } }, { upstreamNote: 'simulator' });
    const answers = await Promise.all([
      opened.post(CHAT, chatBody({ stream: true })),
      opened.post(CHAT, chatBody({ model: 'nope' })),
      fetch(`${opened.gateway.url}/v1/models`),
    ]);
    expect(answers.map((answer) => answer.headers.get('x-holdfast-upstream'))).toEqual([
      'simulator',
      'simulator',
      'simulator',
    ]);
    await Promise.all(answers.map((answer) => answer.text()));
  });
});
