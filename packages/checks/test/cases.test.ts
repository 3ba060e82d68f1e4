import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { casesCommand } from '@holdfast/checks';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cases-'));
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
  const code = await casesCommand([folder, ...args], {
    line: (text) => lines.push(text),
    complaint: (text) => complaints.push(text),
  });
  return { code, lines, complaints };
}

interface Written {
  readonly id: string;
  readonly [key: string]: unknown;
}

async function write(...cases: readonly Written[]): Promise<void> {
  for (const written of cases) {
    const file = {
      class: 'test',
      dialect: 'openai-chat',
      surface: 'library',
      runtime: { max_retries: 0 },
      input: ['go'],
      ...written,
    };
    await writeFile(join(folder, `${written.id}.json`), JSON.stringify(file));
  }
}

const chunk = (delta: unknown, finish: string | null = null): string =>
  `data: ${JSON.stringify({ id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
const DONE = 'data: [DONE]\n\n';

function answer(
  events: readonly (string | { readonly delay_ms: number; readonly data: string })[],
  end = 'close',
): unknown {
  const flushes = events.map((event) => (typeof event === 'string' ? { delay_ms: 0, data: event } : event));
  return { respond: { status: 200, headers: { 'content-type': 'text/event-stream' }, events: flushes, end } };
}

const HELLO = answer([chunk({ role: 'assistant', content: 'Hello.' }), chunk({}, 'stop'), DONE]);
const client_request = {
  dialect: 'openai-chat',
  method: 'POST',
  path: '/v1/chat/completions',
  body: { model: 'main', stream: true, messages: [{ role: 'user', content: 'hi' }] },
};

/** As text: an object literal with this key looks like a promise. */
const GOES_ON = JSON.parse('{"then":"echo_assistant_and_tool_results"}') as object;

describe('a folder of cases', () => {
  it('says of each what became of it, and counts them by class and in all', async () => {
    const scenario = { requests: [HELLO] };
    await write(
      { id: 'a-right', scenario, expect: { outcome: 'ok', text: 'Hello.', finish: 'stop', upstream_requests: 1 } },
      { id: 'b-wrong', scenario, expect: { outcome: 'ok', text: 'Goodbye.' } },
      { id: 'c-open', scenario, expect: { outcome: 'ok', must: ['everyone is happy'] }, runtime: { luck: 1 } },
      { id: 'd-later', scenario, surface: 'telepathy', expect: {} },
      { id: 'e-later', scenario, dialect: 'smoke-signals', expect: {} },
      { id: 'f-slow', class: 'slow', scenario, slow: true, expect: {} },
    );
    expect(await run()).toEqual({
      code: 1,
      lines: [
        'pass a-right (library, openai-chat)',
        'FAIL b-wrong (library, openai-chat): text: expected "Goodbye.", saw "Hello."',
        'pass c-open (library, openai-chat)',
        '     unasserted: must: everyone is happy',
        '     unset: runtime.luck',
        'not yet d-later (telepathy, openai-chat): surface telepathy',
        'not yet e-later (library, smoke-signals): dialect smoke-signals',
        'slow f-slow (library, openai-chat): left out, --slow plays it',
        '  slow: 0 passed, 0 failed, 0 not yet, 1 slow',
        '  test: 2 passed, 1 failed, 2 not yet, 0 slow',
        '2 passed, 1 failed, 2 not yet, 1 slow',
      ],
      complaints: [],
    });
  });

  it('plays one of them, or those of a surface, and slow ones when asked', async () => {
    const scenario = { requests: [HELLO] };
    await write(
      { id: 'one', scenario, expect: {} },
      { id: 'two', scenario, expect: {}, slow: true },
      { id: 'three', surface: 'agent', scenario, expect: {} },
    );
    expect((await run('--only', 'one')).lines[0]).toBe('pass one (library, openai-chat)');
    expect((await run('--surface', 'library', '--slow')).lines.at(-1)).toBe('2 passed, 0 failed, 0 not yet, 0 slow');
    expect(await run('--surface', 'library,libary')).toEqual({
      code: 2,
      lines: [],
      complaints: ['There is no surface "libary". Name one of agent, gateway, library.'],
    });
    expect(await run('--only', 'four')).toEqual({
      code: 2,
      lines: [],
      complaints: ['No case here has the id "four". Name one of the files without its ending.'],
    });
  });

  it('refuses a file that is no case and a flag that it does not know', async () => {
    await writeFile(join(folder, 'x.json'), '{"id":');
    expect((await run()).complaints[0]).toMatch(/x\.json is no JSON\. Correct it\.$/);
    await writeFile(join(folder, 'x.json'), '{"id":"x"}');
    const unread = await run();
    expect(unread.code).toBe(2);
    expect(unread.complaints[0]).toContain('x.json is not a case: "id", "dialect" and "expect" are needed.');
    const unknown = await run('--quick');
    expect(unknown.code).toBe(2);
    expect(unknown.complaints[0]).toContain("'--quick'");
    expect((await run('--scale', '0')).complaints).toEqual(['--scale is "0". Give a number above 0.']);
  });
});

describe('a case for the library', () => {
  it('fails where a request comes that nobody scripted', async () => {
    const down = { respond: { status: 503, headers: {}, events: [], end: 'close' } };
    await write({
      id: 'storm',
      runtime: { max_retries: 1, retry_backoff_ms: 1 },
      scenario: { requests: [down] },
      expect: { upstream_requests: 1 },
    });
    expect((await run()).lines[0]).toContain('upstream_requests: expected 1, saw 2');
  });

  it('is stopped at its time, and on its first text', async () => {
    const scenario = { requests: [answer([{ delay_ms: 40, data: chunk({ content: 'Well' }) }], 'hang')] };
    const expected = { outcome: 'stopped', upstream_requests: 1, must: ['the response body is cancelled'] };
    await write(
      {
        id: 'at',
        scenario,
        actions: [{ at_ms: 20, do: 'stop' }],
        expect: { ...expected, must_not: ['include the text Well'] },
      },
      { id: 'on', scenario, actions: [{ on: 'text:1', do: 'stop' }], expect: { ...expected, text: 'Well' } },
    );
    expect((await run()).lines.slice(0, 2)).toEqual([
      'pass at (library, openai-chat)',
      'pass on (library, openai-chat)',
    ]);
  });

  it('waits the whole delay that it names before a retry', async () => {
    const down = { respond: { status: 503, headers: {}, events: [], end: 'close' } };
    const first = { runtime: { max_retries: 1, retry_backoff_ms: 150 }, scenario: { requests: [down, HELLO] } };
    await write({
      id: 'delay',
      ...first,
      actions: [{ at_ms: 100, do: 'stop' }],
      expect: { outcome: 'stopped', upstream_requests: 1 },
    });
    for (const _ of [1, 2, 3, 4, 5]) expect((await run()).lines[0]).toBe('pass delay (library, openai-chat)');
  });

  it('keeps its verdict when all of its times are stretched', async () => {
    const silent = answer([
      chunk({ content: 'a' }),
      { delay_ms: 120, data: chunk({ content: 'b' }) },
      chunk({}, 'stop'),
      DONE,
    ]);
    const late = { id: 'late', runtime: { stall_ms: 60, max_retries: 0 }, scenario: { requests: [silent] } };
    await write({
      ...late,
      expect: { outcome: 'error', error_kind: 'deadline', watchdog: 'silence', phase: 'item_open', text: 'a' },
    });
    expect((await run('--scale', '3')).lines[0]).toBe('pass late (library, openai-chat)');
  });
});

describe('a case for the gateway', () => {
  it('sees how a cut reply is told to the client', async () => {
    const scenario = { requests: [answer([chunk({ content: 'Half' })], 'reset')] };
    const expected = {
      outcome: 'error',
      error_kind: 'transient',
      text: 'Half',
      client_status: 200,
      client_expect: [{ has_key: 'error' }, { lacks: { finish_reason: 'stop' } }, { ends_with: DONE }],
    };
    await write({ id: 'cut', surface: 'gateway', scenario, client_request, expect: expected });
    expect((await run()).lines[0]).toBe('pass cut (gateway, openai-chat)');
  });

  it('sees a gateway that keeps quiet too long', async () => {
    const scenario = {
      requests: [answer([chunk({ content: 'a' }), { delay_ms: 900, data: chunk({}, 'stop') }, DONE])],
    };
    const quiet = {
      surface: 'gateway',
      scenario,
      client_request,
      expect: { outcome: 'ok', client_expect: [{ max_gap_ms: 150 }] },
    };
    await write({ id: 'kept-alive', ...quiet, runtime: { client_keepalive_ms: 100 } }, { id: 'quiet', ...quiet });
    const { lines } = await run();
    expect(lines[0]).toBe('pass kept-alive (gateway, openai-chat)');
    expect(lines[1]).toMatch(/^FAIL quiet .*max_gap_ms: a pause of \d+ ms is longer than 450 ms$/);
  });

  it('gives up as an impatient client does', async () => {
    const scenario = { requests: [answer([chunk({ content: 'a' }), { delay_ms: 600, data: DONE }])] };
    await write({
      id: 'idle',
      surface: 'gateway',
      scenario,
      client_request: { ...client_request, idle_limit_ms: 50 },
      expect: { outcome: 'ok' },
    });
    expect((await run()).lines[0]).toContain('FAIL idle (gateway, openai-chat): outcome: expected "ok", saw "error"');
  });

  it('goes on as a client that runs tools does', async () => {
    const call = {
      index: 0,
      id: 'call_1',
      type: 'function',
      extra_content: { google: { thought_signature: 'c2ln' } },
      function: { name: 'f', arguments: '{"a":1}' },
    };
    const scenario = {
      requests: [
        answer([chunk({ tool_calls: [call] }), chunk({}, 'tool_calls'), DONE]),
        {
          ...(HELLO as object),
          expect_request: [
            { every_tool_use_has_result: true },
            { body_has_text: 'done f' },
            { has: { thought_signature: 'c2ln' } },
          ],
        },
      ],
    };
    await write({
      id: 'echo',
      surface: 'gateway',
      tools: [{ name: 'f', result: 'done f' }],
      scenario,
      client_request: { ...client_request, ...GOES_ON },
      expect: { outcome: 'ok', text: 'Hello.', upstream_requests: 2 },
    });
    expect((await run()).lines[0]).toBe('pass echo (gateway, openai-chat)');
  });
});
