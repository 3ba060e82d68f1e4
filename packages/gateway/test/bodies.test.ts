import { connect } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { GatewayOptions } from '@holdfast/gateway';
import { CHAT_HELLO, fakeProvider, stream } from './fake-provider.js';
import type { FakeProvider } from './fake-provider.js';
import { CHAT, chatBody, chatHop, geminiBody, openGateway, rawRequest } from './open-gateway.js';
import type { Opened, RawResponse } from './open-gateway.js';

let provider: FakeProvider;
let opened: Opened;

beforeAll(async () => {
  provider = await fakeProvider(stream(...CHAT_HELLO));
});
afterEach(() => opened.close());
afterAll(() => provider.close());

interface Sending {
  readonly headers?: Record<string, string>;
  readonly options?: Partial<GatewayOptions>;
  readonly path?: string;
}

async function send(
  body: string | Uint8Array,
  { headers = {}, options = {}, path = CHAT }: Sending = {},
): Promise<RawResponse> {
  opened = await openGateway({ main: { chain: [chatHop(provider.url)] } }, options);
  return rawRequest(`${opened.gateway.url}${path}`, 'POST', {
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });
}

const errorOf = (answer: RawResponse): unknown => {
  const { error } = JSON.parse(answer.text) as { error: { code: unknown; message: string } };
  return [answer.status, error.code, error.message];
};
const GOOD = JSON.stringify(chatBody({ stream: true }));

describe('a compressed body', () => {
  it.each([
    ['gzip', gzipSync(GOOD)],
    ['br', brotliCompressSync(GOOD)],
    ['deflate', deflateSync(GOOD)],
  ])('in %s is read', async (encoding, body) => {
    const answer = await send(body, { headers: { 'content-encoding': encoding } });
    expect([answer.status, answer.text]).toEqual([200, CHAT_HELLO.join('')]);
  });

  it('that is corrupt is refused', async () => {
    const answer = await send(Buffer.from('no gzip at all'), { headers: { 'content-encoding': 'gzip' } });
    expect(errorOf(answer)).toEqual([
      400,
      'request_invalid',
      expect.stringContaining('cannot be decompressed') as string,
    ]);
  });

  it('that is cut is refused', async () => {
    const whole = gzipSync(GOOD);
    const answer = await send(whole.subarray(0, whole.length - 6), { headers: { 'content-encoding': 'gzip' } });
    expect(answer.status).toBe(400);
  });

  it('in an encoding that is not spoken is refused with those that are', async () => {
    const answer = await send(GOOD, { headers: { 'content-encoding': 'zstd' } });
    expect([answer.status, answer.headers['accept-encoding']]).toEqual([415, 'gzip, br, deflate']);
  });

  it('that swells beyond twenty times its size is refused long before its end', async () => {
    const bomb = gzipSync(Buffer.alloc(20 * 1024 * 1024, ' '));
    const answer = await send(bomb, { headers: { 'content-encoding': 'gzip' } });
    expect(errorOf(answer)).toEqual([413, 'body_too_large', expect.any(String) as string]);
  });
});

describe('a body that is too large', () => {
  const options = { limits: { bodyBytesMax: 1_000 } };
  const large = JSON.stringify(chatBody({ padding: 'x'.repeat(2_000) }));

  it('is refused by its announced length', async () => {
    const answer = await send(large, { headers: { 'content-length': String(large.length) }, options });
    expect(errorOf(answer)).toEqual([
      413,
      'body_too_large',
      "The body is larger than 1000 bytes. Send less, or raise the gateway's body limit.",
    ]);
  });

  it('is refused where it announces none', async () => {
    const answer = await send(large, { headers: { 'transfer-encoding': 'chunked' }, options });
    expect(answer.status).toBe(413);
  });

  it('is refused by its size after decompression', async () => {
    const answer = await send(gzipSync(large), { headers: { 'content-encoding': 'gzip' }, options });
    expect(answer.status).toBe(413);
  });

  it('is refused to a Gemini client in its shape', async () => {
    const answer = await send(large, { options, path: '/v1beta/models/main:generateContent' });
    expect(errorOf(answer)).toMatchObject([413, 413, expect.any(String)]);
  });
});

describe('a body that stops coming', () => {
  it('is given up after its time, and the client is told', async () => {
    opened = await openGateway({ main: { chain: [chatHop(provider.url)] } }, { limits: { bodyMs: 200 } });
    const socket = connect(opened.gateway.port, '127.0.0.1');
    socket.write(
      `POST ${CHAT} HTTP/1.1\r\nhost: 127.0.0.1:${opened.gateway.port}\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"mo`,
    );
    const head = await new Promise<string>((resolve) =>
      socket.once('data', (chunk) => resolve(chunk.toString('utf8'))),
    );
    expect(head).toMatch(/^HTTP\/1\.1 408 /);
    socket.destroy();
  });
});

describe('a body that is no good request', () => {
  it.each([
    ['{"model":', 'it ends too early, at position 9'],
    ['{"model" "main"}', 'there is an error at position 9 (line 1, column 10)'],
    [`{"a":${'['.repeat(70)}${']'.repeat(70)}}`, 'nests deeper than 64 levels'],
    ['"text"', 'not an object'],
  ])('%s is refused in Chat with its place', async (body, words) => {
    expect(errorOf(await send(body))).toEqual([400, 'request_invalid', expect.stringContaining(words) as string]);
  });

  it('is refused to a Gemini client in its shape', async () => {
    const answer = await send('{"contents":', { path: '/v1beta/models/main:generateContent' });
    expect(JSON.parse(answer.text)).toMatchObject({ error: { code: 400, status: 'INVALID_ARGUMENT' } });
  });

  it.each([
    [CHAT, chatBody({ messages: 'hi' }), 'messages'],
    ['/v1beta/models/main:generateContent', geminiBody({ contents: 'hi' }), 'contents'],
  ])('has the wrong field named: %s', async (path, body, field) => {
    const before = provider.seen.length;
    const answer = await send(JSON.stringify(body), { path });
    expect(errorOf(answer)).toEqual([400, expect.anything(), expect.stringContaining(field) as string]);
    expect(provider.seen.length).toBe(before);
  });
});
