import { createServer, request } from 'node:http';
import { SCENARIOS, startSimulator } from '@holdfast/simulator';
import type { Scenario, SeenRequest, Simulator } from '@holdfast/simulator';
import { MisuseError } from 'holdfast/turn';
import { describe, expect, it } from 'vitest';
import { ask, bodyFor, jsonOf } from './ask.js';
import type { Heard, Served } from './ask.js';

const DIALECTS: readonly Served[] = ['gemini', 'openai-chat'];

async function complaintOf(start: Promise<Simulator>): Promise<string> {
  try {
    await (await start).close();
  } catch (problem) {
    if (problem instanceof MisuseError) return `${problem.code}: ${problem.message}`;
    throw problem;
  }
  return 'started';
}

async function until(holds: () => boolean): Promise<void> {
  const endAt = performance.now() + 10_000;
  while (!holds() && performance.now() < endAt) await new Promise((resolve) => setTimeout(resolve, 10));
}

describe('options that cannot be served', () => {
  it.each([
    [
      { host: '0.0.0.0' },
      'host_not_loopback: The simulator does not listen on "0.0.0.0", since it accepts every key. Choose 127.0.0.1, ::1 or localhost.',
    ],
    [
      { host: 'example.com' },
      'host_not_loopback: The simulator does not listen on "example.com", since it accepts every key. Choose 127.0.0.1, ::1 or localhost.',
    ],
    [{ port: 70_000 }, "port_invalid: The simulator's port 70000 does not exist. Choose a number from 0 to 65535."],
    [{ timeScale: -1 }, 'time_scale_invalid: The time scale -1 is out of range. Choose a number from 0 to 1000.'],
    [
      { timeScale: Number.NaN },
      'time_scale_invalid: The time scale NaN is out of range. Choose a number from 0 to 1000.',
    ],
    [{ seed: 0.5 }, "seed_invalid: The simulator's seed 0.5 is no whole number. Choose one, such as 1."],
    [
      { scenario: 'plane' },
      `scenario_unknown: There is no scenario "plane". Choose one of: ${SCENARIOS.map(({ name }) => name).join(', ')}.`,
    ],
  ])('are refused in one sentence: %o', async (options, complaint) => {
    expect(await complaintOf(startSimulator(options))).toBe(complaint);
  });

  it('are refused where the port is taken', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const address = other.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const complaint = await complaintOf(startSimulator({ port }));
    other.close();
    expect(complaint).toBe(`port_in_use: Port ${port} is already in use. Choose another one, or 0 for any free one.`);
  });
});

describe('the same seed and the same requests', () => {
  const names = ['thinking', 'tool-loop', 'tool-loop-unsigned', 'rate-limited', 'error-after-text', 'cut-stream'];

  const played = async (seed: number, dialect: Served): Promise<readonly string[]> => {
    const simulator = await startSimulator({ timeScale: 0, seed });
    const heard: Heard[] = [];
    for (const name of [...names, ...names]) {
      for (const stream of [true, false])
        heard.push(await ask(simulator.url, { dialect, model: `sim-${name}`, stream }));
    }
    await simulator.close();
    return heard.map(({ headers, bytes }) => `${JSON.stringify(headers)}\n${bytes.toString('utf8')}`);
  };

  it.each(DIALECTS)('give the same bytes on %s, and another seed gives others', async (dialect) => {
    const first = await played(7, dialect);
    expect(await played(7, dialect)).toEqual(first);
    expect(await played(8, dialect)).not.toEqual(first);
  });
});

describe('the time scale', () => {
  it('shortens 200 seconds of silence inside a call, whose start the Chat wire shows before', async () => {
    const simulator = await startSimulator({ timeScale: 0.005 });
    const { gapMs } = await ask(simulator.url, { dialect: 'openai-chat', model: 'sim-silent-tool' });
    const start = await ask(simulator.url, {
      dialect: 'openai-chat',
      model: 'sim-silent-tool',
      enough: (bytes) => bytes.includes('"name":"save_note"'),
    });
    await simulator.close();
    expect(gapMs).toBeGreaterThan(900);
    expect(gapMs).toBeLessThan(5_000);
    expect(start.tookMs).toBeLessThan(900);
  });

  it('keeps the whole call back on the Gemini wire', async () => {
    const simulator = await startSimulator({ timeScale: 0.005 });
    const { gapMs, bytes } = await ask(simulator.url, { dialect: 'gemini', model: 'sim-silent-tool' });
    await simulator.close();
    expect(gapMs).toBeGreaterThan(900);
    expect(bytes.length).toBeGreaterThan(14_000);
  });

  it('holds the pace of a model at 1', async () => {
    const simulator = await startSimulator();
    const { tookMs, firstByteMs } = await ask(simulator.url, { dialect: 'gemini', model: 'sim-plain' });
    await simulator.close();
    expect(firstByteMs).toBeGreaterThan(250);
    expect(tookMs).toBeGreaterThan(600);
    expect(tookMs).toBeLessThan(8_000);
  });

  it('covers silence before the headers', async () => {
    const simulator = await startSimulator({ timeScale: 0.005 });
    const heard = await ask(simulator.url, { dialect: 'gemini', model: 'sim-slow-headers' });
    await simulator.close();
    expect(heard.firstByteMs).toBeGreaterThan(450);
  });
});

describe('a request that was seen', () => {
  it('tells what came, what answered and who ended it', async () => {
    const simulator = await startSimulator({ timeScale: 0 });
    const question = { dialect: 'openai-chat', model: 'sim-plain' } as const;
    await ask(simulator.url, question);
    await until(() => simulator.requests[0]?.closedBy !== undefined);
    const [seen] = simulator.requests;
    await simulator.close();
    expect(seen).toEqual({
      n: 1,
      dialect: 'openai-chat',
      path: '/v1/chat/completions',
      model: 'sim-plain',
      headers: expect.objectContaining({ authorization: 'Bearer any' }),
      body: bodyFor(question),
      scenario: 'plain',
      status: 200,
      atMs: expect.any(Number),
      closedAtMs: expect.any(Number),
      closedBy: 'server',
    } satisfies { [K in keyof SeenRequest]: unknown });
  });

  it.each([
    ['stall-after-start', 'client'],
    ['slow-prefill', 'client'],
    ['cut-stream', 'server'],
    ['missing-terminal', 'server'],
  ])('was ended, for %s, by the %s', async (name, closedBy) => {
    const simulator = await startSimulator({ timeScale: name === 'slow-prefill' ? 1 : 0 });
    await ask(simulator.url, { dialect: 'gemini', model: `sim-${name}`, idleMs: 300 });
    await until(() => simulator.requests[0]?.closedBy !== undefined);
    const [seen] = simulator.requests;
    await simulator.close();
    expect(seen?.closedBy).toBe(closedBy);
    expect((seen?.closedAtMs ?? 0) - (seen?.atMs ?? 0)).toBeLessThan(5_000);
  });

  it('is one of a thousand at most', async () => {
    const simulator = await startSimulator({ timeScale: 0 });
    for (let n = 0; n < 1_003; n += 1) await ask(simulator.url, { dialect: 'gemini', model: 'sim-internal' });
    const numbers = simulator.requests.map(({ n }) => n);
    await simulator.close();
    expect([numbers.length, numbers[0], numbers.at(-1)]).toEqual([1_000, 4, 1_003]);
  });
});

describe('a client that does not read', () => {
  const endless: Scenario = {
    name: 'flood',
    about: 'More bytes than any socket buffers.',
    rounds: [{ answer: { steps: Array.from({ length: 100 }, () => ({ say: 'x'.repeat(1_000_000), chunks: 1 })) } }],
  };

  it('pauses the simulator instead of filling its memory', async () => {
    const simulator = await startSimulator({ timeScale: 0, scenario: endless });
    const sending = request(`${simulator.url}/v1/chat/completions`, {
      method: 'POST',
      agent: false,
      headers: { authorization: 'Bearer any', 'content-type': 'application/json' },
    });
    sending.end(JSON.stringify(bodyFor({ dialect: 'openai-chat', model: 'any' })));
    const response = await new Promise<{ pause(): void }>((resolve) => sending.on('response', resolve));
    response.pause();
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    const stillOpen = simulator.requests[0]?.closedBy;
    sending.on('error', () => undefined);
    sending.destroy();
    await until(() => simulator.requests[0]?.closedBy !== undefined);
    const closedBy = simulator.requests[0]?.closedBy;
    await simulator.close();
    expect([stillOpen, closedBy]).toEqual([undefined, 'client']);
  });
});

describe('a pinned scenario', () => {
  it('answers for every model name', async () => {
    const simulator = await startSimulator({ timeScale: 0, scenario: 'refusal' });
    const heard = await ask(simulator.url, { dialect: 'openai-chat', model: 'gpt-9' });
    const { models } = simulator;
    await simulator.close();
    expect([heard.status, heard.bytes.toString('utf8'), models]).toEqual([
      200,
      expect.stringContaining("can't help"),
      ['sim-refusal'],
    ]);
  });
});

describe('the list of models', () => {
  it('is in the shape of the provider whose key asks', async () => {
    const simulator = await startSimulator({ timeScale: 0 });
    const list = async (path: string, headers: Record<string, string>): Promise<unknown> =>
      (await fetch(simulator.url + path, { headers })).json();
    const chat = await list('/v1/models', { authorization: 'Bearer any' });
    const google = await list('/v1beta/models', {});
    const googleOnV1 = await list('/v1/models', { 'x-goog-api-key': 'any' });
    const { models } = simulator;
    await simulator.close();
    expect(chat).toMatchObject({ object: 'list', data: models.map((id) => ({ id, object: 'model' })) });
    expect(google).toMatchObject({ models: models.map((name) => ({ name: `models/${name}` })) });
    expect(googleOnV1).toEqual(google);
  });
});

describe('closing', () => {
  it('ends what is open and lets the port go', async () => {
    const simulator = await startSimulator();
    const heard = ask(simulator.url, { dialect: 'gemini', model: 'sim-prefill-hang' });
    await until(() => simulator.requests.length === 1);
    const { port } = new URL(simulator.url);
    await simulator.close();
    const again = await startSimulator({ port: Number(port) });
    await again.close();
    expect([(await heard).end, simulator.requests[0]?.closedBy]).toEqual(['reset', 'server']);
  });
});

describe('a scenario of your own', () => {
  it('replaces a built-in one of its name and speaks by its conditions', async () => {
    const mine: Scenario = {
      name: 'plain',
      about: 'Mine.',
      rounds: [
        {
          when: { dialect: 'gemini', stream: false },
          answer: { error: { status: 418, code: 'TEAPOT', message: 'Short and stout.' } },
        },
        {
          when: { request: { from: 3 } },
          answer: { status: 200, headers: { 'x-mine': 'yes' }, body: { third: true } },
        },
        { answer: { steps: [{ say: 'I am {{model}}.' }] } },
      ],
    };
    const simulator = await startSimulator({ timeScale: 0, scenarios: [mine] });
    const teapot = await ask(simulator.url, { dialect: 'gemini', model: 'sim-plain', stream: false });
    const second = await ask(simulator.url, { dialect: 'gemini', model: 'sim-plain' });
    const third = await ask(simulator.url, { dialect: 'openai-chat', model: 'sim-plain' });
    await simulator.close();
    expect([teapot.status, jsonOf(teapot)]).toEqual([
      418,
      { error: { code: 418, message: 'Short and stout.', status: 'TEAPOT' } },
    ]);
    expect(second.bytes.toString('utf8').replaceAll(/[^a-zA-Z.-]/g, '')).toContain('sim-plain');
    expect([third.headers['x-mine'], jsonOf(third)]).toEqual(['yes', { third: true }]);
  });
});
