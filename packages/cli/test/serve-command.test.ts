import { createServer } from 'node:http';
import OpenAI from 'openai';
import { afterEach, describe, expect, it } from 'vitest';
import { startCli, startProcess } from './start-cli.js';
import type { Running, StartOptions } from './start-cli.js';

const running: Running[] = [];

afterEach(async () => {
  for (const { child } of running) child.kill('SIGKILL');
  await Promise.all(running.splice(0).map(({ ended }) => ended));
});

interface Served extends Running {
  readonly text: string;
  readonly url: string;
}

/** A command that listens, once it has said all that it says when it starts. */
async function serve(args: readonly string[], options: StartOptions = {}): Promise<Served> {
  const process = startCli(args, options);
  running.push(process);
  const text = await process.saw('stdout', 'Stop it with Ctrl+C.');
  return { ...process, text, url: /listening on (\S+)/.exec(text)?.[1] ?? '' };
}

/** The lines of the text between two of its own, as a person would copy them. */
function snippet(text: string, from: RegExp, to: RegExp): string {
  const lines = text.split('\n');
  const first = lines.findIndex((line) => from.test(line));
  const last = lines.findIndex((line, index) => index >= first && to.test(line));
  return lines.slice(first, last + 1).join('\n');
}

const curlOf = (text: string): string => snippet(text, /^ +curl /, /^ +-d /);
const sdkOf = (text: string): string => snippet(text, /^ +import OpenAI/, /^ +for await/);

describe('serve without any key', () => {
  it('says where it listens, that the simulator is upstream, and how to stop', async () => {
    const { text, url } = await serve(['serve', '--port', '0']);
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(text).toContain('Upstream: the embedded simulator. Its answers are scripts, not a model.\n');
    expect(text).toContain('set GEMINI_API_KEY or OPENAI_API_KEY and start again.\n');
  });

  it('prints a curl line that works as it stands', async () => {
    const { text } = await serve(['serve', '--port', '0']);
    const { code, stdout } = await startProcess('sh', ['-c', curlOf(text)]).ended;
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      object: 'chat.completion',
      choices: [{ finish_reason: 'stop', message: { content: expect.stringContaining('comes from the simulator') } }],
    });
  });

  it('prints an SDK program that works as it stands', async () => {
    const { text } = await serve(['serve', '--port', '0']);
    const ended = await startProcess(process.execPath, ['--input-type=module', '-e', sdkOf(text)]).ended;
    expect(ended).toMatchObject({ code: 0, stdout: expect.stringContaining('ends as the provider ends it.') });
  });

  it('says in every answer who is upstream, and lists the models', async () => {
    const { url } = await serve(['serve', '--port', '0', '--alias', 'main=sim-thinking']);
    const response = await fetch(`${url}/v1/models`);
    expect(response.headers.get('x-holdfast-upstream')).toBe('simulator');
    const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'none' });
    const ids = (await client.models.list()).data.map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining(['main', 'sim-plain', 'sim-tool-loop']));
    const { data, response: answered } = await client.chat.completions
      .create({ model: 'main', messages: [{ role: 'user', content: 'Hi' }] })
      .withResponse();
    expect(data.choices[0]?.message.content).toBe('Twelve knots are about 22 kilometres an hour.');
    expect(answered.headers.get('x-holdfast-upstream')).toBe('simulator');
  });

  it('writes one line for each request and no word of its content', async () => {
    const { url, saw } = await serve(['serve', '--port', '0']);
    await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'sim-plain', messages: [{ role: 'user', content: 'a secret word' }] }),
    });
    const log = await saw('stderr', 'chat.completions');
    expect(log).toMatch(
      /^\d\d:\d\d:\d\d {2}200 {2}chat\.completions {2}sim-plain -> simulator\/sim-plain {2}[\d.]+ s {2}call_/,
    );
    expect(log).not.toContain('secret');
  });

  it.each(['SIGINT', 'SIGTERM'] as const)('ends with 0 after %s when nothing runs', async (signal) => {
    const { child, ended } = await serve(['serve', '--port', '0']);
    child.kill(signal);
    expect((await ended).code).toBe(0);
  });

  it('lets a running reply end after a signal, and ends at once after a second one', async () => {
    const { child, ended, url } = await serve(['serve', '--port', '0', '--quiet']);
    const body = JSON.stringify({ model: 'sim-plain', messages: [{ role: 'user', content: 'Hi' }], stream: true });
    const headers = { 'content-type': 'application/json' };
    const reply = await fetch(`${url}/v1/chat/completions`, { method: 'POST', headers, body });
    child.kill('SIGTERM');
    expect(await reply.text()).toMatch(/data: \[DONE\]\n\n$/);
    expect((await ended).code).toBe(0);

    const second = await serve(['serve', '--port', '0', '--quiet']);
    const hanging = await fetch(`${second.url}/v1/chat/completions`, {
      method: 'POST',
      headers,
      body: body.replace('sim-plain', 'sim-silent-text'),
    });
    second.child.kill('SIGINT');
    await second.saw('stderr', 'Stopping: ');
    second.child.kill('SIGINT');
    expect((await second.ended).code).toBe(1);
    await expect(hanging.text()).rejects.toThrow('terminated');
  });
});

describe('serve with keys for its clients', () => {
  it('prints snippets that take the key from a variable, and works with it alone', async () => {
    const { text } = await serve(['serve', '--port', '0', '--key', 'k-1'], { env: { HOLDFAST_KEYS: 'k-2, k-3' } });
    expect(text).not.toContain('k-1');
    const answers = await Promise.all(
      ['k-1', 'k-2', 'wrong'].map(
        (key) => startProcess('sh', ['-c', curlOf(text)], { env: { HOLDFAST_KEY: key } }).ended,
      ),
    );
    expect(answers.map(({ stdout }): unknown => JSON.parse(stdout))).toEqual([
      expect.objectContaining({ object: 'chat.completion' }),
      expect.objectContaining({ object: 'chat.completion' }),
      { error: expect.objectContaining({ code: expect.anything() }) },
    ]);
  });
});

describe('serve with a provider', () => {
  it('names the provider and its address, and neither the simulator nor the key', async () => {
    const { text, url } = await serve(['serve', '--port', '0'], { env: { OPENAI_API_KEY: 'sk-never-shown' } });
    expect(text).toContain('Upstream: openai at https://api.openai.com/v1\n');
    expect(text).not.toMatch(/simulator|sk-never-shown/);
    expect((await fetch(`${url}/v1/models`)).headers.get('x-holdfast-upstream')).toBeNull();
  });
});

describe('serve that cannot start', () => {
  it('says that the port is in use', async () => {
    const { url } = await serve(['serve', '--port', '0']);
    const { port } = new URL(url);
    expect(await startCli(['serve', '--port', port]).ended).toEqual({
      code: 2,
      stdout: '',
      stderr: `Port ${port} on 127.0.0.1 is in use. Stop what uses it, or choose another port.\n`,
    });
  });

  it('refuses an address that others can reach while it has no keys', async () => {
    expect(await startCli(['serve', '--host', '0.0.0.0', '--port', '0']).ended).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/^The gateway does not listen on 0\.0\.0\.0 without keys and public hosts/),
    });
  });

  it('refuses an upstream that is its own address', async () => {
    const port = await freePort();
    const env = { OPENAI_API_KEY: 'any', OPENAI_BASE_URL: `http://localhost:${port}/v1` };
    expect(await startCli(['serve', '--port', String(port)], { env }).ended).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('which is this gateway itself'),
    });
  });
});

describe('simulate', () => {
  it('serves until a signal comes, with the scenario of the flag for every name', async () => {
    const { url, child, ended } = await serve([
      'simulate',
      '--port',
      '0',
      '--scenario',
      'thinking',
      '--time-scale',
      '0',
    ]);
    const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'any' });
    const reply = await client.chat.completions.create({ model: 'gpt-5', messages: [{ role: 'user', content: 'Hi' }] });
    expect(reply.choices[0]?.message.content).toBe('Twelve knots are about 22 kilometres an hour.');
    child.kill('SIGINT');
    expect((await ended).code).toBe(0);
  });
});

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}
