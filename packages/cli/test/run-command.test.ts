import { once } from 'node:events';
import { startSimulator } from '@holdfast/simulator';
import type { Simulator } from '@holdfast/simulator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startCli } from './start-cli.js';
import type { Running, StartOptions } from './start-cli.js';

let simulator: Simulator;

beforeAll(async () => {
  simulator = await startSimulator({ timeScale: 0 });
});

afterAll(async () => {
  await simulator.close();
});

/** Asks the simulator of this file as if it were Google. */
function ask(scenario: string, args: readonly string[] = [], options: StartOptions = {}): Running {
  const env = { GEMINI_API_KEY: 'any', GEMINI_BASE_URL: `${simulator.url}/v1beta`, ...options.env };
  return startCli(['run', 'Say hello.', '--model', `google/sim-${scenario}`, ...args], { ...options, env });
}

function requestsFor(scenario: string): number {
  return simulator.requests.filter((request) => request.scenario === scenario).length;
}

const PLAIN =
  'This answer comes from the simulator, not from a model. It arrives in pieces, at the pace of a real one, and it ends as the provider ends it.\n';

describe('one answer', () => {
  it('is all that standard output gets, and standard error stays empty', async () => {
    expect(await ask('plain').ended).toEqual({ code: 0, stdout: PLAIN, stderr: '' });
  });

  it('comes from the embedded simulator where there is no key, and that is said', async () => {
    expect(await startCli(['run', 'Say hello.']).ended).toEqual({
      code: 0,
      stdout: PLAIN,
      stderr: 'Upstream: the embedded simulator. The answer is a script, not a model.\n',
    });
  });

  it('is asked for with the prompt of standard input and every flag', async () => {
    const flags = ['--system', 'Be brief.', '--max-output-tokens', '900', '--temperature', '0.5'];
    const args = ['run', '-', '--model', 'google/sim-thinking', ...flags];
    const env = { GEMINI_API_KEY: 'any', GEMINI_BASE_URL: `${simulator.url}/v1beta` };
    const { code, stdout } = await startCli(args, { env, stdin: 'How fast are\ntwelve knots?' }).ended;
    expect([code, stdout]).toEqual([0, 'Twelve knots are about 22 kilometres an hour.\n']);
    expect(simulator.requests.at(-1)?.body).toMatchObject({
      contents: [{ role: 'user', parts: [{ text: 'How fast are\ntwelve knots?' }] }],
      systemInstruction: { parts: [{ text: 'Be brief.' }] },
      generationConfig: { maxOutputTokens: 900, temperature: 0.5 },
    });
  });

  it('is told event by event with --json, and the last line is the result', async () => {
    const { code, stdout, stderr } = await ask('thinking', ['--json']).ended;
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line): Record<string, unknown> => JSON.parse(line));
    const events = lines.slice(0, -1);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_event, index) => index + 1));
    expect([events[0]?.['type'], events.at(-1)?.['type']]).toEqual(['call.started', 'call.completed']);
    expect(lines.at(-1)).toMatchObject({
      type: 'result',
      status: 'completed',
      exitCode: 0,
      finish: 'stop',
      text: 'Twelve knots are about 22 kilometres an hour.',
      attempts: 1,
      provider: 'google',
      model: 'sim-thinking',
    });
  });

  it('goes on at the fallback of an alias, which is said', async () => {
    const args = ['run', 'Hi', '--model', 'main', '--alias', 'main=sim-overloaded,simulator-chat/sim-plain'];
    const { code, stdout, stderr } = await startCli(args).ended;
    expect([code, stdout]).toEqual([0, PLAIN]);
    expect(stderr).toContain('this call goes on at simulator-chat/sim-plain.');
  });
});

describe('the exit code', () => {
  it.each<[number, string, readonly string[], RegExp]>([
    [3, 'bad-key', [], /API key not valid.*\n.*\nupstream_auth_failed · 1 attempt\n$/],
    [3, 'quota-exhausted', [], /quota/],
    [4, 'http-400-signature', [], /thought_signature/],
    [4, 'unknown-model', [], /does not know the model "sim-unknown-model"/],
    [4, 'context-overflow', [], /context window/],
    [6, 'refusal', [], /refused or blocked/],
    [6, 'content-filter', [], /The answer above is not whole\.\n.*refused or blocked/],
    [7, 'overloaded', [], /Asking again .*\(attempt 2 of at most 8\)\.\n(.*\n)*.* · 4 attempts\n$/],
    [7, 'rate-limited-long', [], /3600 s of patience/],
    [8, 'prefill-hang', ['--deadline', 'prefill=200ms'], /prefill budget 0\.2 s/],
    [9, 'empty', [], /without any content/],
    [9, 'cap-cut-text', ['--max-output-tokens', '50'], /cut by the output cap/],
  ])('is %i for %s', async (code, scenario, args, words) => {
    const ended = await ask(scenario, args).ended;
    expect({ code: ended.code, stderr: ended.stderr }).toEqual({ code, stderr: expect.stringMatching(words) });
  });

  it('is 4 for a model that no provider here has, and nothing is sent', async () => {
    const before = simulator.requests.length;
    const env = { GEMINI_API_KEY: 'any', GEMINI_BASE_URL: `${simulator.url}/v1beta` };
    expect(await startCli(['run', 'Hi', '--model', 'mistral-9'], { env }).ended).toEqual({
      code: 4,
      stdout: '',
      stderr: 'The model "mistral-9" is at no provider that is set up here. Write PROVIDER/MODEL with one of google.\n',
    });
    expect(simulator.requests.length).toBe(before);
  });

  it('is in the result of --json as well, with the failure', async () => {
    const { code, stdout } = await ask('bad-key', ['--json']).ended;
    expect(code).toBe(3);
    expect(JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({
      type: 'result',
      status: 'failed',
      exitCode: 3,
      failure: { kind: 'auth', code: 'upstream_auth_failed' },
    });
  });
});

describe('a failure after text went into a pipe', () => {
  it('ends the call, since the text cannot be taken back', async () => {
    const before = requestsFor('cut-stream');
    const { code, stdout } = await ask('cut-stream').ended;
    expect(code).toBe(7);
    expect(stdout).toMatch(/^The answer begins well[^\n]*\n$/);
    expect(requestsFor('cut-stream') - before).toBe(1);
  });

  it('is tried again with --json, whose reader is told of the withdrawal', async () => {
    const before = requestsFor('error-after-text');
    const { code, stdout } = await ask('error-after-text', ['--json']).ended;
    expect(code).toBe(7);
    expect(stdout).toContain('"type":"attempt.retracted"');
    expect(requestsFor('error-after-text') - before).toBeGreaterThan(1);
  });
});

describe('a stop', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('by %s ends the call with %i, and the provider sees the connection close', async (signal, code) => {
    const running = ask('silent-text');
    await running.saw('stdout', 'The answer begins well and then');
    running.child.kill(signal);
    const ended = await running.ended;
    expect(ended).toMatchObject({
      code,
      stdout: 'The answer begins well and then\n',
      stderr: `The answer above is not whole.\nStopped by ${signal}.\n`,
    });
    await expect.poll(() => simulator.requests.at(-1)?.closedBy).toBe('client');
  });

  it('by a signal does not wait for a reader that takes nothing', async () => {
    const { child } = ask('cap-cut-text');
    const hasEnded = new Promise((resolve) => child.once('exit', resolve));
    await once(child.stdout ?? child, 'data');
    child.stdout?.pause();
    await expect.poll(() => simulator.requests.at(-1)?.closedBy, { timeout: 10_000 }).toBe('server');
    child.kill('SIGINT');
    expect(await hasEnded).toBe(130);
  });

  it('by a reader of standard output that went away is an orderly one', async () => {
    const running = ask('cap-cut-text');
    await running.saw('stdout', 'All of it');
    running.child.stdout?.destroy();
    expect(await running.ended).toMatchObject({
      code: 1,
      stderr: 'Standard output was closed by its reader, so the call was stopped.\n',
    });
  });
});
