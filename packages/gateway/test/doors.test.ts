import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startGateway } from '@holdfast/gateway';
import type { Gateway, GatewayOptions } from '@holdfast/gateway';
import { CHAT_HELLO, fakeProvider, pause, stream } from './fake-provider.js';
import type { FakeProvider } from './fake-provider.js';
import { CHAT, chatBody, chatHop, geminiBody, geminiHop, openGateway, rawRequest, tableOf } from './open-gateway.js';
import type { Opened } from './open-gateway.js';

let provider: FakeProvider;
let opened: Opened | undefined;

beforeAll(async () => {
  provider = await fakeProvider(stream(...CHAT_HELLO));
});
afterEach(async () => {
  await opened?.close();
  opened = undefined;
});
afterAll(() => provider.close());

async function open(options: Partial<GatewayOptions> = {}): Promise<Gateway> {
  opened = await openGateway(
    { main: { chain: [chatHop(provider.url)] }, gem: { chain: [geminiHop(provider.url)] } },
    options,
  );
  return opened.gateway;
}

const JSON_TYPE = { 'content-type': 'application/json' };
const ROUTES: readonly (readonly [string, string])[] = [
  ['POST', CHAT],
  ['POST', '/v1beta/models/gem:generateContent'],
  ['POST', '/v1/models/gem:streamGenerateContent'],
  ['GET', '/v1/models'],
  ['GET', '/v1/models/main'],
  ['GET', '/v1beta/models'],
  ['GET', '/healthz'],
  ['GET', '/nowhere'],
];

interface AnyError {
  readonly error: { readonly code: unknown; readonly message: string; readonly status?: string };
}
const errorOf = (text: string): AnyError['error'] => (JSON.parse(text) as AnyError).error;

describe('a request with a forged host (S3)', () => {
  it.each(ROUTES)('is refused: %s %s', async (method, path) => {
    const gateway = await open();
    const before = provider.seen.length;
    for (const host of ['evil.example', `evil.example:${gateway.port}`, '127.0.0.1', `127.0.0.1:${gateway.port + 1}`]) {
      const answer = await rawRequest(`${gateway.url}${path}`, method, {
        headers: { ...JSON_TYPE, host },
        body: method === 'POST' ? '{}' : '',
      });
      expect([host, answer.status]).toEqual([host, 403]);
    }
    expect(provider.seen.length).toBe(before);
  });

  it('is let in under a public host, whatever its case', async () => {
    const gateway = await open({ publicHosts: ['Gate.example:8443'] });
    const answer = await rawRequest(`${gateway.url}/healthz`, 'GET', { headers: { host: 'gate.EXAMPLE:8443' } });
    expect([answer.status, answer.text]).toEqual([200, 'ok\n']);
  });
});

describe('a request from a web page (S4)', () => {
  it.each(ROUTES)('of another origin is refused: %s %s', async (method, path) => {
    const gateway = await open();
    const before = provider.seen.length;
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: `http://localhost.evil.example:${gateway.port}` },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ]) {
      const answer = await rawRequest(`${gateway.url}${path}`, method, {
        headers: { ...JSON_TYPE, ...headers },
        body: method === 'POST' ? '{}' : '',
      });
      expect([headers, answer.status, answer.headers['access-control-allow-origin']]).toEqual([
        headers,
        403,
        undefined,
      ]);
    }
    expect(provider.seen.length).toBe(before);
  });

  it('of its own origin is let in', async () => {
    const gateway = await open();
    const answer = await rawRequest(`${gateway.url}/v1/models`, 'GET', {
      headers: { origin: gateway.url, 'sec-fetch-site': 'same-origin' },
    });
    expect(answer.status).toBe(200);
  });

  it('of an allowed origin is let in, may ask first, and may read the answer', async () => {
    const gateway = await open({ allowedOrigins: ['https://app.example'] });
    const headers = {
      origin: 'https://app.example',
      'sec-fetch-site': 'cross-site',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type',
    };
    const asked = await rawRequest(`${gateway.url}${CHAT}`, 'OPTIONS', { headers });
    expect([
      asked.status,
      asked.headers['access-control-allow-origin'],
      asked.headers['access-control-allow-headers'],
    ]).toEqual([204, 'https://app.example', 'content-type']);
    const answer = await rawRequest(`${gateway.url}/v1/models`, 'GET', { headers: { origin: 'https://app.example' } });
    expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([200, 'https://app.example']);
    const near = await rawRequest(`${gateway.url}/v1/models`, 'GET', {
      headers: { origin: 'https://app.example.evil' },
    });
    expect(near.status).toBe(403);
  });
});

describe('a body that is not sent as JSON (S4)', () => {
  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/jsonx',
    'application/json; charset=utf-16',
    undefined,
  ])('but as %s is refused', async (type) => {
    const gateway = await open();
    const answer = await rawRequest(`${gateway.url}${CHAT}`, 'POST', {
      headers: type === undefined ? {} : { 'content-type': type },
      body: JSON.stringify(chatBody()),
    });
    expect([answer.status, errorOf(answer.text).code]).toEqual([415, 'unsupported_media_type']);
  });

  it('is taken with a charset that says UTF-8', async () => {
    await open();
    const response = await opened?.post(CHAT, chatBody({ stream: true }), {
      'content-type': 'Application/JSON; charset="UTF-8"',
    });
    expect(response?.status).toBe(200);
    await response?.text();
  });
});

describe('a gateway with keys', () => {
  const options = { keys: ['first-key', 'second-key'] };
  const carriers = (key: string): readonly (readonly [string, Record<string, string>])[] => [
    ['', { authorization: `Bearer ${key}` }],
    ['', { 'x-api-key': key }],
    ['', { 'x-goog-api-key': key }],
    [`?key=${key}`, {}],
  ];

  it('lets a known key in, whatever carries it', async () => {
    const gateway = await open(options);
    for (const key of options.keys) {
      for (const [query, headers] of carriers(key)) {
        const answer = await rawRequest(`${gateway.url}/v1/models${query}`, 'GET', { headers });
        expect([headers, query, answer.status]).toEqual([headers, query, 200]);
      }
    }
  });

  it.each(ROUTES.filter(([, path]) => path !== '/healthz' && path !== '/nowhere'))(
    'refuses no key and a wrong one: %s %s',
    async (method, path) => {
      const gateway = await open(options);
      const before = provider.seen.length;
      for (const [query, headers] of [['', {}] as const, ...carriers('wrong-key'), ...carriers('first-ke')]) {
        const body = method === 'POST' ? JSON.stringify(chatBody()) : '';
        const answer = await rawRequest(`${gateway.url}${path}${query}`, method, {
          headers: { ...JSON_TYPE, ...headers },
          body,
        });
        expect([headers, query, answer.status]).toEqual([headers, query, 401]);
        expect(answer.text).not.toContain('wrong-key');
      }
      expect(provider.seen.length).toBe(before);
    },
  );

  it('needs none for its health', async () => {
    const gateway = await open(options);
    expect((await rawRequest(`${gateway.url}/healthz`, 'GET')).status).toBe(200);
  });

  it('says so in the dialect of the route', async () => {
    const gateway = await open(options);
    const gemini = await rawRequest(`${gateway.url}/v1beta/models/gem:generateContent`, 'POST', {
      headers: JSON_TYPE,
      body: '{}',
    });
    expect(errorOf(gemini.text)).toMatchObject({ code: 401, status: 'UNAUTHENTICATED' });
    const chat = await rawRequest(`${gateway.url}${CHAT}`, 'POST', { headers: JSON_TYPE, body: '{}' });
    expect(errorOf(chat.text)).toMatchObject({ code: 'unauthorized' });
  });

  it('takes only so many requests at a time under one key', async () => {
    const slow = await fakeProvider(async (response) => {
      await pause(400);
      response.destroy();
    });
    opened = await openGateway(
      { main: { chain: [chatHop(slow.url)], limits: { transientMax: 0 } } },
      { ...options, limits: { streamsPerKeyMax: 1 } },
    );
    const send = (key: string): Promise<Response> => (opened as Opened).post(CHAT, chatBody(), { 'x-api-key': key });
    const first = send('first-key');
    await expect.poll(() => slow.seen.length).toBe(1);
    const [second, other] = await Promise.all([send('first-key'), send('second-key')]);
    expect([second.status, other.status]).toEqual([429, 503]);
    expect((await first).status).toBe(503);
    expect((await send('first-key')).status).toBe(503);
    await slow.close();
  });
});

describe('a request with two different credentials (S8)', () => {
  it.each([
    ['', { authorization: 'Bearer a', 'x-api-key': 'b' }],
    ['?key=b', { 'x-goog-api-key': 'a' }],
    ['?key=a&key=b', {}],
    ['', { 'x-api-key': ['a', 'b'] }],
  ] as const)('is refused: %s %j', async (query, headers) => {
    const gateway = await open();
    const answer = await rawRequest(`${gateway.url}/v1/models${query}`, 'GET', {
      headers: headers as Record<string, string | string[]>,
    });
    expect([answer.status, errorOf(answer.text).code]).toEqual([400, 'request_invalid']);
  });

  it('is let in when they are the same one', async () => {
    const gateway = await open();
    const answer = await rawRequest(`${gateway.url}/v1/models?key=a`, 'GET', {
      headers: { authorization: 'bearer a', 'x-api-key': 'a' },
    });
    expect(answer.status).toBe(200);
  });
});

describe('a path or method that is not served', () => {
  it.each([
    ['POST /v1/chat/completion', 404, 'not_found'],
    [`GET ${CHAT}`, 405, 'method_not_allowed'],
    ['DELETE /v1/models', 405, 'method_not_allowed'],
    ['GET /v1/models/nope', 404, 'model_not_found'],
  ])('%s is %s', async (route, status, code) => {
    const gateway = await open();
    const [method = '', path = ''] = route.split(' ');
    const answer = await rawRequest(`${gateway.url}${path}`, method);
    expect([answer.status, errorOf(answer.text).code]).toEqual([status, code]);
    expect(answer.headers['allow'] === undefined).toBe(status !== 405);
  });

  it('is answered in Gemini where it looks like Gemini', async () => {
    const gateway = await open();
    const answer = await rawRequest(`${gateway.url}/v1beta/models/gem:countTokens`, 'POST', {
      headers: JSON_TYPE,
      body: '{}',
    });
    expect([answer.status, errorOf(answer.text).status]).toEqual([404, 'NOT_FOUND']);
  });

  it('says what is served to OPTIONS, and nothing but headers to HEAD', async () => {
    const gateway = await open();
    const options = await rawRequest(`${gateway.url}${CHAT}`, 'OPTIONS');
    expect([options.status, options.headers['allow']]).toEqual([204, 'POST, OPTIONS']);
    const head = await rawRequest(`${gateway.url}/v1/models`, 'HEAD');
    expect([head.status, head.text]).toEqual([200, '']);
  });
});

describe('a model name that is not ours', () => {
  it('is our own 404 in Chat, with the closest name', async () => {
    await open();
    const response = await opened?.post(CHAT, chatBody({ model: 'mian', stream: true }));
    expect(response?.status).toBe(404);
    expect(errorOf((await response?.text()) ?? '')).toMatchObject({
      code: 'model_not_found',
      message: expect.stringContaining(
        'The model "mian" is none of this gateway\'s. Did you mean "main"? GET /v1/models lists them all.',
      ) as string,
    });
  });

  it('is our own 404 in Gemini', async () => {
    await open();
    const response = await opened?.post('/v1beta/models/unheard-of:generateContent', geminiBody());
    expect([response?.status, errorOf((await response?.text()) ?? '').status]).toEqual([404, 'NOT_FOUND']);
  });
});

describe('a gateway that may not start (S1)', () => {
  const routes = tableOf({});

  it.each([
    [{ host: '0.0.0.0' }, 'keys and public hosts'],
    [{ host: '0.0.0.0', keys: ['k'] }, 'public hosts'],
    [{ host: '::', publicHosts: ['gate.example'] }, 'keys'],
    [{ host: 'gate.example', keys: [] }, 'keys and public hosts'],
  ])('%j does not, and says what is missing: %s', async (options, missing) => {
    await expect(startGateway({ routes, ...options })).rejects.toMatchObject({
      name: 'MisuseError',
      code: 'bind_needs_keys',
      message: `The gateway does not listen on ${options.host} without ${missing}: others could reach it. Give it both keys and public hosts (--key and --public-host on the command line), or listen on 127.0.0.1.`,
    });
  });

  it('starts on another address with keys and public hosts', async () => {
    const gateway = await startGateway({ routes, host: '0.0.0.0', keys: ['k'], publicHosts: ['gate.example'] });
    expect((await rawRequest(`http://127.0.0.1:${gateway.port}/healthz`, 'GET')).status).toBe(200);
    await gateway.close();
  });

  it('names the port that is in use', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    await expect(startGateway({ routes, port })).rejects.toMatchObject({
      code: 'port_in_use',
      message: `Port ${port} on 127.0.0.1 is in use. Stop what uses it, or choose another port.`,
    });
    await new Promise((resolve) => other.close(resolve));
  });

  it.each([
    [{ limits: { bodyMs: 0 } }, 'limit_invalid'],
    [{ limits: { unreadMs: Infinity } }, 'limit_invalid'],
    [{ keepAliveMs: 30_001 }, 'time_out_of_range'],
    [{ headersByMs: 0 }, 'time_out_of_range'],
    [{ keys: [''] }, 'key_empty'],
    [{ deadlines: { silenceMs: 0 } }, 'deadline_invalid'],
  ])('does not with %j', async (options, code) => {
    await expect(startGateway({ routes, ...options })).rejects.toMatchObject({ name: 'MisuseError', code });
  });
});

describe('connections', () => {
  it('beyond the limit of an address are told so and closed, and the others go on', async () => {
    const gateway = await open({ limits: { connectionsPerAddressMax: 2 } });
    const held = [connect(gateway.port, '127.0.0.1'), connect(gateway.port, '127.0.0.1')];
    await Promise.all(held.map((socket) => new Promise((resolve) => socket.once('connect', resolve))));
    const answer = await rawRequest(`${gateway.url}/healthz`, 'GET');
    expect(answer.status).toBe(503);
    held[0]?.destroy();
    await expect.poll(async () => (await rawRequest(`${gateway.url}/healthz`, 'GET')).status).toBe(200);
    held[1]?.destroy();
  });

  it('whose headers do not come are closed with a 408', async () => {
    const gateway = await open({ limits: { headersMs: 200 } });
    const socket = connect(gateway.port, '127.0.0.1');
    socket.write('POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\n');
    const chunks: Buffer[] = [];
    socket.on('data', (chunk) => chunks.push(chunk));
    await new Promise((resolve) => socket.once('close', resolve));
    expect(Buffer.concat(chunks).toString('utf8')).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
  });

  it('with headers beyond the limit get a 431', async () => {
    const gateway = await open();
    const answer = await rawRequest(`${gateway.url}/healthz`, 'GET', { headers: { 'x-long': 'y'.repeat(17 * 1024) } });
    expect([answer.status, errorOf(answer.text).message]).toEqual([
      431,
      'The headers of the request are too large. Send fewer or shorter ones.',
    ]);
  });
});

describe('an event loop that is late for long', () => {
  it('sheds new work with a 503 and takes it again later', async () => {
    const gateway = await open({ limits: { lagMs: 30, lagForMs: 100 } });
    const block = (): void => {
      const until = performance.now() + 80;
      while (performance.now() < until);
    };
    for (let turn = 0; turn < 12; turn += 1) {
      block();
      await new Promise((resolve) => setImmediate(resolve));
    }
    const shed = rawRequest(`${gateway.url}/v1/models`, 'GET');
    block();
    const answer = await shed;
    expect([answer.status, answer.headers['retry-after']]).toEqual([503, '1']);
    await expect
      .poll(async () => (await rawRequest(`${gateway.url}/v1/models`, 'GET')).status, { timeout: 10_000 })
      .toBe(200);
  });
});
