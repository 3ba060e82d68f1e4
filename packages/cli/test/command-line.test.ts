import { readFileSync } from 'node:fs';
import { SCENARIOS } from '@holdfast/simulator';
import { describe, expect, it } from 'vitest';
import { startCli } from './start-cli.js';
import type { Ended } from './start-cli.js';

function run(...args: readonly string[]): Promise<Ended> {
  return startCli(args).ended;
}

describe('the command without work to do', () => {
  it('prints the version of its package', async () => {
    const manifest: unknown = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
    expect({ manifest, ...(await run('--version')) }).toMatchObject({
      manifest: { version: '0.1.0' },
      code: 0,
      stdout: '0.1.0\n',
      stderr: '',
    });
  });

  it('prints its help with examples', async () => {
    const { code, stdout, stderr } = await run('--help');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const word of ['serve', 'run', 'simulate', 'holdfast run "Say hello."', 'GEMINI_API_KEY']) {
      expect(stdout).toContain(word);
    }
  });

  it('prints the help of each command', async () => {
    for (const command of ['serve', 'run', 'simulate']) {
      expect(await run(command, '--help')).toMatchObject({
        code: 0,
        stdout: expect.stringContaining(`holdfast ${command}`),
      });
    }
  });

  it('lists every built-in scenario with its sentence', async () => {
    const { code, stdout } = await run('simulate', '--list');
    expect(code).toBe(0);
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => line.split(/ {2,}/)),
    ).toEqual(SCENARIOS.map(({ name, about }) => [name, about]));
  });
});

describe('a command line that is wrong', () => {
  it.each<[readonly string[], string]>([
    [[], 'No command is named. See holdfast --help.\n'],
    [['srve'], "Unknown command 'srve'. Did you mean serve?\n"],
    [['--verbos'], "Unknown option '--verbos'. Did you mean --version?\n"],
    [['serve', '--prot', '1'], "Unknown option '--prot'. Did you mean --port?\n"],
    [['run', '--temperature'], "Option '--temperature <number>' argument missing. See holdfast --help.\n"],
    [
      ['run', 'two', 'words'],
      "Too many arguments for 'run'. Expected 1 argument but got 2. Put a text of several words in quotes. See holdfast --help.\n",
    ],
    [
      ['run'],
      'There is no prompt. Write it in quotes, as in holdfast run "Say hello.", or give - to read it from standard input.\n',
    ],
    [['run', ' '], 'The prompt is empty. Write what the model should do.\n'],
    [['run', '-'], 'The prompt is empty. Write what the model should do.\n'],
    [['serve', '--port', '70000'], '--port is "70000". Give a whole number from 0 to 65535.\n'],
    [
      ['serve', '--allow-origin', 'https://app.example.com/'],
      '--allow-origin is "https://app.example.com/". Give scheme, host and port as a browser sends them, such as https://app.example.com.\n',
    ],
    [['simulate', '--time-scale', 'fast'], '--time-scale is "fast". Give a number from 0 to 1000.\n'],
    [
      ['simulate', '--scenario', 'no/such.json'],
      'There is no scenario file no/such.json. See holdfast simulate --list for the built-in ones.\n',
    ],
    [
      ['simulate', '--scenario', 'plane'],
      'There is no scenario "plane", and no file of that name. See holdfast simulate --list for the built-in ones.\n',
    ],
  ])('%j: one sentence and exit code 2', async (args, stderr) => {
    expect(await run(...args)).toEqual({ code: 2, stdout: '', stderr });
  });

  it('names a scenario file that is no JSON, and the field of one that is no scenario', async () => {
    expect(await run('simulate', '--scenario', 'LICENSE')).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/^The scenario file LICENSE is no JSON/),
    });
    expect(await run('simulate', '--scenario', 'package.json')).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/^The scenario file package\.json is not valid: .*"private"/),
    });
  });
});
