import { afterEach, describe, expect, it } from 'vitest';
import { chatHop, openGateway } from './open-gateway.js';
import type { Opened } from './open-gateway.js';

let opened: Opened | undefined;
afterEach(async () => {
  await opened?.close();
});

async function get(path: string, headers: Record<string, string> = {}): Promise<unknown> {
  const chain = [chatHop('http://127.0.0.1:9')] as const;
  opened = await openGateway({ main: { chain }, 'vendor/small:free': { chain } });
  const response = await fetch(`${opened.gateway.url}${path}`, { headers });
  return response.json();
}

const GEMINI_MAIN = {
  name: 'models/main',
  displayName: 'main',
  inputTokenLimit: 1_000_000,
  outputTokenLimit: 64_000,
  supportedGenerationMethods: ['generateContent', 'streamGenerateContent'],
};
const OPENAI_MAIN = { id: 'main', object: 'model', created: 0, owned_by: 'test' };

describe('the list of models', () => {
  it('has the shape of OpenAI under /v1', async () => {
    expect(await get('/v1/models')).toEqual({
      object: 'list',
      data: [OPENAI_MAIN, { ...OPENAI_MAIN, id: 'vendor/small:free' }],
    });
  });

  it("has Google's shape under /v1beta, and under /v1 for Google's own clients", async () => {
    const list = {
      models: [GEMINI_MAIN, { ...GEMINI_MAIN, name: 'models/vendor/small:free', displayName: 'vendor/small:free' }],
    };
    expect(await get('/v1beta/models')).toEqual(list);
    await opened?.close();
    expect(await get('/v1/models', { 'x-goog-api-key': 'any' })).toEqual(list);
  });
});

describe('one model', () => {
  it.each([
    ['/v1/models/main', OPENAI_MAIN],
    ['/v1/models/vendor%2Fsmall%3Afree', { ...OPENAI_MAIN, id: 'vendor/small:free' }],
    ['/v1/models/vendor/small:free', { ...OPENAI_MAIN, id: 'vendor/small:free' }],
    ['/v1beta/models/main', GEMINI_MAIN],
  ])('%s is shown in the shape of its path', async (path, model) => {
    expect(await get(path)).toEqual(model);
  });
});
