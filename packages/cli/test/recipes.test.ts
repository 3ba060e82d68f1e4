import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startSimulator } from '@holdfast/simulator';
import type { Simulator } from '@holdfast/simulator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HOUSE, startCli, startProcess } from './start-cli.js';
import type { Ended, Running } from './start-cli.js';

/** The pages' own gateway has the embedded simulator, which takes its time. This one has a simulator without waits. */
let simulator: Simulator;
let gateway: Running;
let url = '';

beforeAll(async () => {
  simulator = await startSimulator({ timeScale: 0 });
  const aliases = ['sim-plain', 'sim-tool-loop'].flatMap((model) => ['--alias', `${model}=google/${model}`]);
  gateway = startCli(['serve', '--port', '0', '--quiet', ...aliases], {
    env: { GEMINI_API_KEY: 'any', GEMINI_BASE_URL: `${simulator.url}/v1beta` },
  });
  const text = await gateway.saw('stdout', 'Stop it with Ctrl+C.');
  url = /listening on (\S+)/.exec(text)?.[1] ?? '';
});

afterAll(async () => {
  gateway.child.kill('SIGTERM');
  await gateway.ended;
  await simulator.close();
});

/** Runs each program of a page at the address of this test. */
async function play(page: string): Promise<readonly Ended[]> {
  const text = readFileSync(join(HOUSE, 'docs/recipes', page), 'utf8');
  const ended: Ended[] = [];
  for (const [, program = ''] of text.matchAll(/```js\n(.*?)```/gs)) {
    expect(program).toContain('http://127.0.0.1:4141');
    const here = program.replaceAll('http://127.0.0.1:4141', url).replaceAll("'MODEL'", "'sim-plain'");
    ended.push(await startProcess(process.execPath, ['--input-type=module', '-e', here]).ended);
  }
  return ended;
}

describe('a recipe', () => {
  it.each(['openai-sdk.md', 'google-genai-sdk.md'])('%s runs its tool loop to the end', async (page) => {
    const loop = /^(write_file with \d+ characters\n){4}Done after 3 rounds with 4 results\.\n$/;
    expect(await play(page)).toEqual([{ code: 0, stdout: expect.stringMatching(loop), stderr: '' }]);
  });

  it('point-an-sdk-at-the-gateway.md prints an answer with either SDK', async () => {
    const answered = { code: 0, stdout: expect.stringMatching(/ends as the provider ends it\.$/), stderr: '' };
    expect(await play('point-an-sdk-at-the-gateway.md')).toEqual([answered, answered]);
  });
});
