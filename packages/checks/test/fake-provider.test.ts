import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { afterEach, describe, expect, it } from 'vitest';
import type { ScriptedAnswer, ScriptedRequest } from '../src/cases/case-file.js';
import { FakeProvider } from '../src/cases/fake-provider.js';

const opened: FakeProvider[] = [];
afterEach(async () => {
  for (const provider of opened.splice(0)) await provider.close();
});

function answer(given: Partial<ScriptedAnswer>): ScriptedRequest {
  const respond: ScriptedAnswer = {
    status: 200,
    headers: { 'content-type': 'text/event-stream' },
    headersDelayMs: 0,
    flushes: [],
    end: 'close',
    ...given,
  };
  return { provider: undefined, role: undefined, dialect: undefined, expectRequest: [], respond };
}

function flush(text: string, delayMs = 0): { readonly bytes: Buffer; readonly delayMs: number } {
  return { bytes: Buffer.from(text), delayMs };
}

async function started(script: readonly ScriptedRequest[], answered?: (number: number) => void): Promise<FakeProvider> {
  const provider = await FakeProvider.start({
    script,
    dialect: 'openai-chat',
    ...(answered === undefined ? {} : { answered }),
  });
  opened.push(provider);
  return provider;
}

async function ask(provider: FakeProvider, body = '{}', party = 'a'): Promise<Awaited<ReturnType<typeof request>>> {
  return request(`${provider.urlOf(party)}/v1/chat`, { method: 'POST', body });
}

describe('a provider with a script', () => {
  it('writes each flush as it is given, in its own packet, after its delay', async () => {
    const provider = await started([answer({ flushes: [flush('data: "\xe4\xb8', 0), flush('data: 2\n\n', 60)] })]);
    const { body } = await ask(provider);
    const arrived: { readonly text: string; readonly at: number }[] = [];
    for await (const piece of body) arrived.push({ text: Buffer.from(piece).toString(), at: performance.now() });
    expect(arrived.map((piece) => piece.text)).toEqual(['data: "\xe4\xb8', 'data: 2\n\n']);
    expect((arrived[1]?.at ?? 0) - (arrived[0]?.at ?? 0)).toBeGreaterThan(40);
  });

  it('holds the status line back', async () => {
    const provider = await started([answer({ headersDelayMs: 80 })]);
    const before = performance.now();
    await ask(provider);
    expect(performance.now() - before).toBeGreaterThan(70);
  });

  it('sends status and headers before the first flush', async () => {
    const provider = await started([answer({ status: 418, headers: { 'retry-after': '7' }, end: 'hang' })]);
    const { statusCode, headers } = await ask(provider);
    expect([statusCode, headers['retry-after']]).toEqual([418, '7']);
  });

  it('destroys the connection on a reset, after what was sent has arrived', async () => {
    const provider = await started([answer({ flushes: [flush('data: 1\n\n')], end: 'reset' })]);
    const { body } = await ask(provider);
    let seen = '';
    const read = (async () => {
      for await (const piece of body) seen += String(piece);
    })();
    await expect(read).rejects.toThrow(/terminated|closed|reset|ECONNRESET/);
    expect(seen).toBe('data: 1\n\n');
  });

  it('keeps a hanging answer open, and notes when the other side closes it', async () => {
    const provider = await started([answer({ end: 'hang' })]);
    const { body } = await ask(provider);
    await sleep(30);
    expect(provider.requests[0]?.closedByPeerAt).toBeUndefined();
    body.on('error', () => undefined).destroy();
    await provider.settled(2_000);
    expect(provider.requests[0]?.closedByPeerAt).toBeGreaterThan(provider.requests[0]?.at ?? 0);
  });

  it('answers requests in the order of their arrival and keeps what they said', async () => {
    const done: number[] = [];
    const provider = await started([answer({ flushes: [flush('1')] }), answer({ flushes: [flush('2')] })], (number) =>
      done.push(number),
    );
    const texts = [];
    for (const party of ['a', 'b']) texts.push(await (await ask(provider, `{"from":"${party}"}`, party)).body.text());
    await provider.settled(1_000);
    expect(texts).toEqual(['1', '2']);
    expect(provider.requests.map((seen) => [seen.party, seen.body.values[0]])).toEqual([
      ['a', { from: 'a' }],
      ['b', { from: 'b' }],
    ]);
    expect(provider.requests[1]?.body.previous?.values).toEqual([{ from: 'a' }]);
    expect(done).toEqual([1, 2]);
  });

  it('refuses a request that is not in the script, and counts it', async () => {
    const provider = await started([]);
    expect((await ask(provider)).statusCode).toBe(400);
    expect(provider.requests).toHaveLength(1);
  });
});
