import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fixturesCommand } from '@holdfast/checks';

const ANSWER =
  'data: {"candidates":[{"content":{"parts":[{"text":"Grüße"}],"role":"model"},"index":0}]}\r\n\r\n' +
  'data: {"candidates":[{"content":{"parts":[{"functionCall":{"name":"go","args":{"to":"Ω"}},"thoughtSignature":"c2ln"}],"role":"model"},"finishReason":"STOP","index":0}],"usageMetadata":{"promptTokenCount":7,"candidatesTokenCount":5,"thoughtsTokenCount":4,"totalTokenCount":16}}\r\n\r\n';
const RIGHT = {
  text_chars: 5,
  reasoning: false,
  signature: true,
  tool_calls: [{ name: 'go', args: { to: 'Ω' }, signed: true }],
  finish: 'STOP',
  usage: { promptTokenCount: 7, candidatesTokenCount: 5, thoughtsTokenCount: 4, totalTokenCount: 16 },
};
const REQUEST = (signature: string): string =>
  JSON.stringify({
    contents: [
      { role: 'user', parts: [{ text: 'hi' }] },
      {
        role: 'model',
        parts: [{ text: 'Grüße' }, { functionCall: { name: 'go', args: { to: 'Ω' } }, thoughtSignature: signature }],
      },
      { role: 'user', parts: [{ functionResponse: { name: 'go', response: { output: 'gone' } } }] },
    ],
  });

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fixtures-'));
});
afterEach(async () => {
  await rm(folder, { recursive: true });
});

interface Ran {
  readonly code: number;
  readonly lines: readonly string[];
  readonly complaints: readonly string[];
}

async function run(...args: readonly string[]): Promise<Ran> {
  const lines: string[] = [];
  const complaints: string[] = [];
  const code = await fixturesCommand(args, {
    line: (text) => lines.push(text),
    complaint: (text) => complaints.push(text),
  });
  return { code, lines, complaints };
}

async function write(
  entries: readonly Record<string, unknown>[],
  files: Readonly<Record<string, string>>,
): Promise<void> {
  const full = entries.map((entry) => ({ dialect: 'gemini', provider: 'google-ai-studio', shape: 'sse', ...entry }));
  await writeFile(join(folder, 'MANIFEST.json'), JSON.stringify(full));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
}

describe('a folder of recorded answers', () => {
  it('passes where the reading is right, fails where it is wrong, and is honest about what is not there yet', async () => {
    await write(
      [
        { file: 'right.sse', expect: RIGHT },
        { file: 'wrong.sse', expect: { ...RIGHT, text_chars: 6 } },
        { file: 'later.sse', dialect: 'smoke-signals', expect: RIGHT },
      ],
      { 'right.sse': ANSWER, 'wrong.sse': ANSWER },
    );
    expect(await run(folder)).toEqual({
      code: 1,
      lines: [
        'pass right.sse',
        'FAIL wrong.sse: text_chars: expected 6, read 5',
        'not yet later.sse',
        '1 passed, 1 failed, 1 not yet',
      ],
      complaints: [],
    });
  });

  it.each([
    ['reasoning', { reasoning: true }],
    ['reasoning_chars', { reasoning_chars: 3 }],
    ['refusal_chars', { refusal_chars: 3 }],
    ['signature', { signature: false }],
    ['tool_calls', { tool_calls: [] }],
    ['tool_calls[0].name', { tool_calls: [{ name: 'stay', args: { to: 'Ω' } }] }],
    ['tool_calls[0].args', { tool_calls: [{ name: 'go', args: { to: 'O' } }] }],
    ['finish', { finish: 'MAX_TOKENS' }],
    ['finish', { finish: null }],
    ['usage', { usage: { promptTokenCount: 8, candidatesTokenCount: 5, thoughtsTokenCount: 4 } }],
    ['usage', { usage: { promptTokenCount: 7, candidatesTokenCount: 5 } }],
    ['usage', { usage: null }],
    ['block_reason', { block_reason: 'SAFETY' }],
    ['error', { error: { code: 503 } }],
  ])('sees a wrong %s', async (what, wrong) => {
    await write([{ file: 'a.sse', expect: { ...RIGHT, ...wrong } }], { 'a.sse': ANSWER });
    const { code, lines } = await run(folder);
    expect({ code, line: lines[0]?.startsWith(`FAIL a.sse: ${what}`) }).toEqual({ code: 1, line: true });
  });

  it.each([
    [{}, 'expect: nothing to compare, "text_chars" or "error" is needed'],
    [{ ...RIGHT, tool_calls: { name: 'go' } }, 'tool_calls: the manifest shows no list'],
  ])('passes nothing that it cannot compare: %j', async (expected, complaint) => {
    await write([{ file: 'a.sse', expect: expected }], { 'a.sse': ANSWER });
    expect((await run(folder)).lines[0]).toBe(`FAIL a.sse: ${complaint}`);
  });

  it('says which expectation it has never heard of', async () => {
    await write([{ file: 'a.sse', expect: { ...RIGHT, smell: 'sweet' } }], { 'a.sse': ANSWER });
    expect((await run(folder)).lines).toEqual([
      'pass a.sse',
      '     unasserted: expect.smell',
      '1 passed, 0 failed, 0 not yet',
    ]);
  });

  it('reads an HTTP error, its words and its status', async () => {
    const text = '{"error":{"code":503,"message":"no room","status":"UNAVAILABLE"}}';
    const right = { code: 503, message: 'no room', status: 'UNAVAILABLE' };
    const entry = { file: 'e.json', shape: 'json', http: { status: 503 } };
    await write(
      [
        { ...entry, expect: { error: right } },
        { ...entry, expect: { error: { ...right, message: 'room' } } },
      ],
      { 'e.json': text },
    );
    expect((await run(folder)).lines).toEqual([
      'pass e.json',
      'FAIL e.json: error.message: expected "room", read "no room"',
      '1 passed, 1 failed, 0 not yet',
    ]);
  });

  it('replays what an earlier turn brought, and misses what was not in it', async () => {
    const request = {
      shape: 'json',
      request_for: 't2.sse',
      group: 'g',
      turn: 2,
      expect: { items: 3, signatures: 1, signatures_seen_in_earlier_turn: 1 },
    };
    const entries = [
      { file: 't1.sse', group: 'g', turn: 1, expect: RIGHT },
      { file: 't2.request.json', ...request },
      { file: 'other.request.json', ...request },
    ];
    await write(entries, {
      't1.sse': ANSWER,
      't2.request.json': REQUEST('c2ln'),
      'other.request.json': REQUEST('b3RoZXI='),
    });
    const { lines } = await run(folder);
    expect(lines.slice(0, 2)).toEqual(['pass t1.sse', 'pass t2.request.json']);
    expect(lines[2]).toMatch(
      /^FAIL other\.request\.json: replay of turn 1: "b3RoZXI=" is not in the request that we write/,
    );
  });

  it('names a file that is missing', async () => {
    await write([{ file: 'gone.sse', expect: RIGHT }], {});
    expect((await run(folder)).lines[0]).toBe('FAIL gone.sse: the file cannot be read');
  });
});

describe('a call that makes no sense', () => {
  it('names a manifest that is no JSON', async () => {
    await writeFile(join(folder, 'MANIFEST.json'), '[{');
    expect((await run(folder)).complaints).toEqual([`${join(folder, 'MANIFEST.json')} is no JSON. Correct it.`]);
  });

  it('names a folder without a manifest', async () => {
    const { code, complaints } = await run(join(folder, 'nowhere'));
    expect({ code, complaints }).toEqual({
      code: 2,
      complaints: [
        `${join(folder, 'nowhere', 'MANIFEST.json')} cannot be read. Name a folder that holds a MANIFEST.json.`,
      ],
    });
  });

  it('names an entry that lacks what it needs', async () => {
    await writeFile(join(folder, 'MANIFEST.json'), '[{"file":"a.sse"}]');
    const { code, complaints } = await run(folder);
    expect({ code, named: complaints[0]?.includes('entry 0: "file", "dialect" and "expect" are needed') }).toEqual({
      code: 2,
      named: true,
    });
  });

  it('names a flag that it does not know', async () => {
    expect(await run('--fast')).toEqual({
      code: 2,
      lines: [],
      complaints: ['fixtures does not know "--fast". Call it with one folder: npm run fixtures -- DIR.'],
    });
  });
});
