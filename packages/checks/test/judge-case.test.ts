import { UNKNOWN_PRODUCER } from 'holdfast/turn';
import type { DeadlineVerdict, JsonObject } from 'holdfast/turn';
import { describe, expect, it } from 'vitest';
import type { Finding } from '../src/cases/finding.js';
import { judgeCase } from '../src/cases/judge-case.js';
import { readCase } from '../src/cases/read-case.js';
import type { Scene } from '../src/cases/scene.js';
import { bodyDocument } from '../src/cases/wire-document.js';
import { failed, scene, seen } from './scene.js';

function judge(expected: JsonObject, given: Scene, requests: readonly unknown[] = []): readonly Finding[] {
  const file = { id: 'x', dialect: 'openai-chat', expect: expected, scenario: { requests } };
  return judgeCase({ ...given, played: readCase(JSON.stringify(file), 'here') });
}

const DEADLINE: DeadlineVerdict = {
  watchdog: 'silence',
  budgetMs: 1,
  elapsedMs: 1,
  anchor: 'byte',
  anchorAtMs: 1,
  phase: 'buffered_item',
  activeItems: [],
  capabilities: UNKNOWN_PRODUCER,
};
const upstream = {
  provider: 'a',
  status: 503,
  code: undefined,
  type: undefined,
  message: undefined,
  requestId: undefined,
};
const broken = scene(failed({ deadline: DEADLINE, upstream }, { attempts: 3 }));
const called = scene({ toolCalls: [{ id: 'c', name: 'f', arguments: { a: 1 } }] });
const counted = scene({ usage: { input: 1, cached_read: undefined, cache_write: 0, output: 2, reasoning: undefined } });
const client = scene({
  client: {
    status: 502,
    headers: {},
    document: bodyDocument('x', '{"a":1}'),
    lastBody: bodyDocument('x', ''),
    gaveUp: false,
  },
});

const ROWS: readonly (readonly [field: string, scene: Scene, right: JsonObject, wrong: JsonObject])[] = [
  ['outcome', scene(), { outcome: 'ok' }, { outcome: 'stopped' }],
  ['error_class', broken, { error_class: 'retryable' }, { error_class: 'terminal' }],
  ['error_class, with no failure', broken, { error_class: 'retryable' }, { error_class: 'none' }],
  ['error_kind', broken, { error_kind: 'deadline' }, { error_kind: 'transient' }],
  ['upstream_status', broken, { upstream_status: 503 }, { upstream_status: 500 }],
  ['watchdog', broken, { watchdog: 'silence' }, { watchdog: 'prefill' }],
  ['phase', broken, { phase: 'item_open' }, { phase: 'all_items_closed' }],
  ['attempts', broken, { attempts: 3 }, { attempts: 1 }],
  ['text', scene(), { text: 'Hi.' }, { text: 'Hi' }],
  ['finish', scene(), { finish: 'stop' }, { finish: 'length' }],
  [
    'tool_calls',
    called,
    { tool_calls: [{ name: 'f', arguments: { a: 1 } }] },
    { tool_calls: [{ name: 'f', arguments: { a: 2 } }] },
  ],
  [
    'tool_calls, their ids',
    called,
    { tool_calls: [{ id: 'c', name: 'f', arguments: { a: 1 } }] },
    { tool_calls: [{ id: 'd', name: 'f', arguments: { a: 1 } }] },
  ],
  ['tool_calls, their number', scene(), { tool_calls: [] }, { tool_calls: [{ name: 'f' }] }],
  ['tool_executions', called, { tool_executions: { f: 1, g: 0 } }, { tool_executions: { f: 0 } }],
  ['usage', counted, { usage: { input: 1, output: 2 } }, { usage: { input: 0 } }],
  ['upstream_requests', scene(), { upstream_requests: 1 }, { upstream_requests: 2 }],
  ['upstream_requests_max', scene(), { upstream_requests_max: 1 }, { upstream_requests_max: 0 }],
  ['client_status', client, { client_status: 502 }, { client_status: 200 }],
  ['client_status_not', client, { client_status_not: [401] }, { client_status_not: [502] }],
  ['client_expect', client, { client_expect: [{ has: { a: 1 } }] }, { client_expect: [{ has: { a: 2 } }] }],
];

describe('what must come out', () => {
  it.each(ROWS)('%s', (_field, given, right, wrong) => {
    expect({ right: judge(right, given), wrong: judge(wrong, given).map((finding) => finding.type) }).toEqual({
      right: [],
      wrong: ['differs'],
    });
  });

  it('is named where nobody checks it', () => {
    expect(judge({ mood: 'good' }, scene())).toEqual([{ type: 'unasserted', text: 'expect.mood: "good"' }]);
  });

  it('may be something else that the notes allow, and then that is said', () => {
    const expected = {
      outcome: 'ok',
      finish: 'length',
      notes: 'Reporting it as an output-cap failure with the text kept is right too; a plain success is not.',
    };
    expect(judge(expected, scene(failed({ kind: 'output_cap' })))).toEqual([
      { type: 'allowed', text: 'Reporting it as an output-cap failure with the text kept is right too' },
    ]);
    expect(judge(expected, scene(failed({ kind: 'transient' }))).map((finding) => finding.type)).toContain('differs');
  });
});

describe('what the provider received', () => {
  const script = [{ provider: 'b', expect_request: [{ has: { a: 1 } }], respond: {} }];

  it('must come from the right party and keep the rules', () => {
    const right = seen({ party: 'b', body: bodyDocument('openai-chat', '{"a":1}') });
    expect(judge({}, scene({}, { requests: [right] }), script)).toEqual([]);
    expect(judge({}, scene(), script)).toEqual([
      { type: 'differs', text: 'request 1 came to a, not to b' },
      { type: 'differs', text: 'request 1: has: nothing matches {"a":1}' },
    ]);
  });

  it('is not taken on trust where the roles cannot be told apart', () => {
    expect(judge({}, scene(), [{ role: 'worker', respond: {} }])).toEqual([
      { type: 'unasserted', text: 'request 1 comes from the worker' },
    ]);
  });
});
