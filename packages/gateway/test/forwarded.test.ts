import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { CHAT_HELLO, fakeProvider, stream } from './fake-provider.js';
import type { FakeProvider } from './fake-provider.js';
import { CHAT, chatBody, chatHop, openGateway } from './open-gateway.js';
import type { Opened } from './open-gateway.js';

let provider: FakeProvider | undefined;
let opened: Opened | undefined;

afterEach(async () => {
  await opened?.close();
  await provider?.close();
});

/** What a server answers to these bytes, until it closes. */
async function sendRaw(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.end(text, 'latin1');
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('latin1');
}

describe('header values that could smuggle others (S6)', () => {
  it.each([
    ['NUL', 'x-note: a\u0000b'],
    ['a lone CR', 'x-note: a\rset-cookie: b'],
    ['a line that folds', 'x-note: a\r\n b\u0000'],
  ])('from a client are refused: %s', async (_name, header) => {
    opened = await openGateway({});
    const { port } = opened.gateway;
    const answer = await sendRaw(
      port,
      `GET /v1/models HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${header}\r\nConnection: close\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  });

  it('from a configuration cannot break a response', async () => {
    provider = await fakeProvider(stream(...CHAT_HELLO));
    const hop = chatHop(provider.url);
    const chain = [{ ...hop, provider: { ...hop.provider, name: 'a\r\nset-cookie: x' } }] as const;
    opened = await openGateway({ main: { chain } });
    const response = await opened.post(CHAT, chatBody({ stream: true }));
    expect([response.headers.get('x-holdfast-provider'), response.headers.get('set-cookie')]).toEqual([
      'a??set-cookie: x',
      null,
    ]);
    await response.text();
  });
});

describe('headers in which a proxy names someone else (S6)', () => {
  it('count for nothing: the host that was asked decides', async () => {
    opened = await openGateway({});
    const { port } = opened.gateway;
    const forwarded = `X-Forwarded-Host: 127.0.0.1:${port}\r\nForwarded: host="127.0.0.1:${port}"\r\n`;
    const answer = await sendRaw(
      port,
      `GET /v1/models HTTP/1.1\r\nHost: evil.example\r\n${forwarded}Connection: close\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 403 /);
  });
});

describe('a request that names the whole address, as a proxy sends it', () => {
  it('is the same request', async () => {
    opened = await openGateway({});
    const { port } = opened.gateway;
    const host = `127.0.0.1:${port}`;
    const answer = await sendRaw(
      port,
      `GET http://${host}/v1/models?x=1 HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  });
});
