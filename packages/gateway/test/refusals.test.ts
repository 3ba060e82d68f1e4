import { afterEach, describe, expect, it } from 'vitest';
import { chatChunk, CHAT_DONE, fakeProvider, geminiChunk, json, stream } from './fake-provider.js';
import type { Answer, FakeProvider } from './fake-provider.js';
import { CHAT, chatBody, chatHop, eventsOf, geminiBody, geminiHop, openGateway } from './open-gateway.js';
import type { Opened } from './open-gateway.js';

let provider: FakeProvider | undefined;
let opened: Opened | undefined;

afterEach(async () => {
  await opened?.close();
  await provider?.close();
});

async function serve(answer: Answer): Promise<FakeProvider> {
  provider = await fakeProvider(answer);
  return provider;
}

const REFUSED = [
  chatChunk({ role: 'assistant', refusal: 'I can’t help with that.' }),
  chatChunk({}, 'stop'),
  CHAT_DONE,
];
const BLOCKED = stream(geminiChunk([{ text: 'Half an answer' }]), geminiChunk([{ text: '' }], 'SAFETY'));

describe('a refusal, which every dialect has words for', () => {
  it('reaches a client of the same dialect byte for byte, and is logged as what it is', async () => {
    const { url } = await serve(stream(...REFUSED));
    opened = await openGateway({ main: { chain: [chatHop(url)] } });
    const response = await opened.post(CHAT, chatBody({ stream: true }));
    expect(await response.text()).toBe(REFUSED.join(''));
    expect(opened.log).toMatchObject([{ status: 200, code: 'content_refused', attempts: 1 }]);
  });

  it('reaches a client of another dialect as its own finish reason', async () => {
    const { url } = await serve(BLOCKED);
    opened = await openGateway({ main: { chain: [geminiHop(url)] } });
    const text = await (await opened.post(CHAT, chatBody({ stream: true }))).text();
    expect(text).toContain('"content":"Half an answer"');
    expect(eventsOf(text).filter((event) => JSON.stringify(event).includes('content_filter'))).toHaveLength(1);
    expect(text).not.toContain('"error"');
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
  });

  it('is a whole reply for a client that asked for one', async () => {
    const { url } = await serve(BLOCKED);
    opened = await openGateway({ main: { chain: [geminiHop(url)] } });
    const response = await opened.post(CHAT, chatBody());
    expect([response.status, await response.json()]).toMatchObject([
      200,
      { choices: [{ finish_reason: 'content_filter', message: { content: 'Half an answer' } }] },
    ]);
  });

  it('that comes as an error answer stays an error', async () => {
    const { url } = await serve(json(400, { error: { code: 'content_filter', message: 'The prompt was filtered.' } }));
    opened = await openGateway({ main: { chain: [chatHop(url)] } });
    const response = await opened.post('/v1beta/models/main:generateContent', geminiBody());
    expect(response.status).toBe(400);
  });
});
