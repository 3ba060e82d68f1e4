import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { HOUSE, startProcess } from './start-cli.js';

const FOLDER = join(HOUSE, 'examples');
const EXAMPLES = readdirSync(FOLDER).filter((name) => name.endsWith('.mjs'));

/** What each prints, where a page of the docs shows it. */
const PRINTED: Readonly<Record<string, RegExp>> = {
  '01-silent-tool.mjs':
    /^([\d:.]{9} .*\n)*[\d:.]{9} silence is normal here \(buffered_item\): up to 600 s\n[\d:.]{9} writing write_file\n[\d:.]{9} whole after all: tool_calls\n$/,
  '02-gateway-openai-sdk.mjs': /^(round \d: write_file, \d+ characters\n){4}Done after 3 rounds with 4 results\.\n$/,
  '03-stall-is-named.mjs': /watchdog: 'silence',\s+anchor: 'item_started',\s+phase: 'buffered_item'/,
  '04-tool-loop.mjs': /^(write_file with \d+ characters\n){4}Done after 3 rounds with 4 results\.\n$/,
};

describe('the examples', () => {
  it('are all known here', () => {
    expect(EXAMPLES).toEqual(Object.keys(PRINTED));
  });

  it.each(EXAMPLES)('%s finds its own result right', async (name) => {
    const { code, stdout, stderr } = await startProcess(process.execPath, [join(FOLDER, name)]).ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(PRINTED[name] ?? /$^/);
  });
});
