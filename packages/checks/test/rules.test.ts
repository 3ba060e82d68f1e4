import type { JsonObject } from 'holdfast/turn';
import { describe, expect, it } from 'vitest';
import { judgeRules } from '../src/cases/rules.js';
import type { WireDocument } from '../src/cases/wire-document.js';
import { bodyDocument, streamDocument } from '../src/cases/wire-document.js';

const room = { judge: () => [], slack: 3 };

function broken(rule: JsonObject, document: WireDocument): boolean {
  return judgeRules([rule], document, room).some((finding) => finding.type === 'differs');
}

function body(value: unknown, dialect = 'openai-chat', previous?: unknown): WireDocument {
  const before = previous === undefined ? undefined : bodyDocument(dialect, JSON.stringify(previous));
  return bodyDocument(dialect, JSON.stringify(value), before);
}

function stream(...events: readonly unknown[]): WireDocument {
  const text = events
    .map((event) => (typeof event === 'string' ? event : `data: ${JSON.stringify(event)}\n\n`))
    .join('');
  return streamDocument('openai-chat', text, 100);
}

const CALL = { role: 'assistant', tool_calls: [{ id: 'c1', function: { name: 'a', arguments: '{}' } }] };
const RESULT = { role: 'tool', tool_call_id: 'c1', content: 'x' };
const block = (index: number, type: string): unknown => ({
  type: 'content_block_start',
  index,
  content_block: { type },
});
const delta = (index: number, type: string): unknown => ({ type: 'content_block_delta', index, delta: { type } });
const stop = (index: number): unknown => ({ type: 'content_block_stop', index });

type Row = readonly [title: string, rule: JsonObject, holds: WireDocument, breaks: WireDocument];

const ROWS: readonly Row[] = [
  ['has', { has: { a: { b: 1 } } }, body({ x: [{ a: { b: 1, c: 2 } }] }), body({ x: [{ a: { b: 2 } }] })],
  ['has, lists are equal or not', { has: { a: [1] } }, body({ a: [1] }), body({ a: [1, 2] })],
  ['lacks', { lacks: { type: 'x' } }, body([{ type: 'y' }]), body([{ type: 'x', more: 1 }])],
  ['has_key', { has_key: 'error' }, stream({ error: null }), stream({ text: 'error' })],
  [
    'lacks_key',
    { lacks_key: { in: { call: { name: 'a' } }, key: 'sig' } },
    body([{ call: { name: 'a' } }, { call: { name: 'b' }, sig: 's' }]),
    body([{ call: { name: 'a' }, sig: 's' }]),
  ],
  [
    'order',
    { order: [{ type: 'a' }, { type: 'b' }] },
    stream({ type: 'a' }, { type: 'c' }, { type: 'b' }),
    stream({ type: 'b' }, { type: 'a' }),
  ],
  ['body_has_text, decoded', { body_has_text: 'say "hi"' }, body({ a: 'say "hi"' }), body({ a: 'say hi' })],
  ['lacks_text, decoded', { lacks_text: 'a\nb' }, body({ a: 'ab' }), body({ a: 'a\nb' })],
  ['count_text', { count_text: 'sig', equals: 2 }, body({ sig: 'sig' }), body({ sig: 'sig sig' })],
  ['equals_path', { equals_path: ['/a/1/b~1c', 4] }, body({ a: [0, { 'b/c': 4 }] }), body({ a: [0, { 'b/c': '4' }] })],
  ['any_of', { any_of: [{ has: { a: 1 } }, { has: { a: 2 } }] }, body({ a: 2 }), body({ a: 3 })],
  [
    'prefix_of_previous',
    { prefix_of_previous: 'messages' },
    body({ messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }, RESULT] }, 'anthropic', {
      messages: [{ role: 'user', content: 'hi' }],
    }),
    body({ messages: [{ role: 'user', content: 'hi!' }] }, 'anthropic', {
      messages: [{ role: 'user', content: 'hi' }],
    }),
  ],
  ['max_growth_bytes', { max_growth_bytes: 2 }, body({ a: 'xx' }, 'x', { a: '' }), body({ a: 'xxx' }, 'x', { a: '' })],
  [
    'every_tool_use_has_result, Chat',
    { every_tool_use_has_result: true },
    body({ messages: [CALL, RESULT] }),
    body({ messages: [CALL, { role: 'user' }, RESULT] }),
  ],
  [
    'every_tool_use_has_result, Messages',
    { every_tool_use_has_result: true },
    body(
      {
        messages: [
          { content: [{ type: 'tool_use', id: 't' }] },
          { content: [{ type: 'tool_result', tool_use_id: 't' }] },
        ],
      },
      'anthropic',
    ),
    body(
      { messages: [{ content: [{ type: 'tool_use', id: 't' }] }, { content: [{ type: 'text', text: 't' }] }] },
      'anthropic',
    ),
  ],
  [
    'every_tool_use_has_result, Gemini',
    { every_tool_use_has_result: true },
    body(
      { contents: [{ parts: [{ functionCall: { name: 'a' } }] }, { parts: [{ functionResponse: { name: 'a' } }] }] },
      'gemini',
    ),
    body(
      {
        contents: [
          { parts: [{ functionCall: { name: 'a' } }, { functionCall: { name: 'a' } }] },
          { parts: [{ functionResponse: { name: 'a' } }] },
        ],
      },
      'gemini',
    ),
  ],
  [
    'every_tool_use_has_result, Responses',
    { every_tool_use_has_result: true },
    body(
      {
        input: [
          { type: 'function_call', call_id: 'c' },
          { type: 'function_call_output', call_id: 'c' },
        ],
      },
      'openai-responses',
    ),
    body(
      {
        input: [
          { type: 'function_call_output', call_id: 'c' },
          { type: 'function_call', call_id: 'c' },
        ],
      },
      'openai-responses',
    ),
  ],
  [
    'first_event',
    { first_event: 'a' },
    stream('event: a\ndata: 1\n\n', 'event: b\ndata: 1\n\n'),
    stream('event: b\ndata: 1\n\n'),
  ],
  [
    'last_event',
    { last_event: 'b' },
    stream('event: a\ndata: 1\n\n', 'event: b\ndata: 1\n\n'),
    stream('event: b\ndata: 1\n\n', 'data: 1\n\n'),
  ],
  ['lacks_event', { lacks_event: 'a' }, stream('event: b\ndata: a\n\n'), stream('event: a\ndata: 1\n\n')],
  [
    'ends_with',
    { ends_with: 'data: [DONE]\n\n' },
    stream({}, 'data: [DONE]\n\n'),
    stream('data: [DONE]\n\n', ': late\n\n'),
  ],
  [
    'finish_reason_count',
    { finish_reason_count: { stop: 1 } },
    stream({ choices: [{ finish_reason: 'stop' }] }, { choices: [{ finish_reason: null }] }),
    stream({ finish_reason: 'stop' }, { finish_reason: 'stop' }),
  ],
  [
    'tool_call_indexes',
    { tool_call_indexes: [0, 1] },
    stream({ tool_calls: [{ index: 0 }] }, { tool_calls: [{ index: 1 }] }, { tool_calls: [{ index: 0 }] }),
    stream({ tool_calls: [{ index: 1 }] }, { tool_calls: [{ index: 0 }] }),
  ],
  [
    'ids_distinct',
    { ids_distinct: true },
    stream({ tool_calls: [{ id: 'a' }, { id: 'b' }] }),
    stream({ tool_calls: [{ id: 'a' }, { id: 'a' }] }),
  ],
  ['ids_distinct, none at all', { ids_distinct: true }, stream({ tool_calls: [{ id: 'a' }] }), stream({ text: 'a' })],
  [
    'blocks: one after the other',
    { anthropic_blocks_wellformed: true },
    stream(
      block(0, 'text'),
      delta(0, 'text_delta'),
      stop(0),
      block(1, 'tool_use'),
      delta(1, 'input_json_delta'),
      stop(1),
    ),
    stream(block(1, 'text'), stop(1)),
  ],
  [
    'blocks: one at a time',
    { anthropic_blocks_wellformed: true },
    stream(block(0, 'text'), stop(0)),
    stream(block(0, 'text'), block(1, 'text'), stop(0), stop(1)),
  ],
  [
    'blocks: each stops',
    { anthropic_blocks_wellformed: true },
    stream(block(0, 'thinking'), delta(0, 'signature_delta'), stop(0)),
    stream(block(0, 'text')),
  ],
  [
    'blocks: deltas fit',
    { anthropic_blocks_wellformed: true },
    stream(block(0, 'text'), stop(0)),
    stream(block(0, 'text'), delta(0, 'input_json_delta'), stop(0)),
  ],
  ['max_gap_ms, widened threefold', { max_gap_ms: 34 }, stream({}), streamDocument('openai-chat', '', 103)],
];

describe('a rule of the cases', () => {
  it.each(ROWS)('%s', (_title, rule, holds, breaks) => {
    expect({ holds: broken(rule, holds), breaks: broken(rule, breaks) }).toEqual({ holds: false, breaks: true });
  });

  it('that nobody knows is reported, and is no pass', () => {
    expect(judgeRules([{ strange: 1 }], body({}), room)).toEqual([{ type: 'unasserted', text: 'rule {"strange":1}' }]);
  });

  it('hands a statement to the table of statements', () => {
    const judge = (statement: string) => [{ type: 'differs' as const, text: statement }];
    expect(judgeRules([{ must: 'be so' }], body({}), { judge, slack: 1 })).toEqual([
      { type: 'differs', text: 'be so' },
    ]);
  });
});
