import { describe, expect, it } from 'vitest';
import { brokenPromises, call, data, delta, DONE, finish, itemsOf, play, READER } from '../../../test/chat-wire.js';
import type { Item, JsonObject, JsonValue, OpaqueKind, ReplyEvent } from '../../turn/index.js';
import { WIRE_LIMITS } from '../../wire/index.js';
import { OPENAI_CHAT } from './index.js';

function thought(text: string, ...opaque: readonly [OpaqueKind, JsonValue][]): Item {
  const states = opaque.map(([kind, value]) => ({ vendor: 'acme', kind, value }));
  return { content: { kind: 'reasoning', text }, opaque: states.length === 0 ? undefined : states };
}

const SAID: Item = { content: { kind: 'message', text: 'Hi' }, opaque: undefined };
const END = finish('stop') + DONE;

function read(stream: string): readonly Item[] {
  const events = play(stream);
  expect(brokenPromises(events)).toEqual([]);
  return itemsOf(events);
}

function kinds(events: readonly ReplyEvent[]): readonly string[] {
  return events.flatMap((event) => {
    if (event.type === 'item.started') return `+${event.kind}`;
    return event.type === 'item.completed' ? `-${event.result.content.kind}` : [];
  });
}

describe('thinking', () => {
  it('in reasoning_content is shown and kept', () => {
    const stream =
      delta({ reasoning_content: 'Hm' }) + delta({ reasoning_content: 'm.' }) + delta({ content: 'Hi' }) + END;
    expect(read(stream)).toEqual([thought('Hmm.', ['reasoning_content', 'Hmm.']), SAID]);
  });

  it('completes when prose or a call begins', () => {
    expect(kinds(play(delta({ reasoning_content: 'a' }) + delta({ content: 'Hi' })))).toEqual([
      '+reasoning',
      '-reasoning',
      '+message',
    ]);
    const called = call({ index: 0, id: 'x', function: { name: 'f' } });
    expect(kinds(play(delta({ reasoning: 'a' }) + called))).toEqual(['+reasoning', '-reasoning', '+tool_call']);
  });

  it('that goes on after prose began is another item', () => {
    const stream =
      delta({ reasoning: 'a' }) + delta({ content: 'H' }) + delta({ reasoning: 'b' }) + delta({ content: 'i' }) + END;
    // Items complete when they are known to be whole; the message began before the second thought.
    expect(read(stream)).toEqual([thought('a'), thought('b'), SAID]);
  });

  it('in reasoning alone need not go back', () => {
    expect(read(delta({ reasoning: 'Hm', channel: 'analysis' }) + delta({ content: 'Hi' }) + END)).toEqual([
      thought('Hm'),
      SAID,
    ]);
  });

  it.each(['reasoning', 'reasoning_content'])(
    'in %s and reasoning_details is shown once, and both are kept',
    (field) => {
      const piece = (text: string): string =>
        delta({ [field]: text, reasoning_details: [{ type: 'reasoning.text', text, index: 0, format: 'x' }] });
      const details = [{ type: 'reasoning.text', text: 'Hmm.', index: 0, format: 'x' }];
      const plain: readonly [OpaqueKind, JsonValue][] = field === 'reasoning' ? [] : [['reasoning_content', 'Hmm.']];
      expect(read(piece('Hm') + piece('m.') + delta({ content: 'Hi' }) + END)).toEqual([
        thought('Hmm.', ...plain, ['reasoning_details', details]),
        SAID,
      ]);
    },
  );

  it('in details alone is shown from them, summaries included', () => {
    const stream =
      delta({ reasoning_details: [{ type: 'reasoning.summary', summary: 'S', index: 0 }] }) +
      delta({ reasoning_details: [{ type: 'reasoning.summary', summary: '.', index: 0 }] });
    expect(read(stream + END)).toEqual([
      thought('S.', ['reasoning_details', [{ type: 'reasoning.summary', summary: 'S.', index: 0 }]]),
    ]);
  });

  it('that is encrypted is an item without a word', () => {
    const details = [{ type: 'reasoning.encrypted', data: 'gAAA', id: 'rs_1', index: 0 }];
    expect(
      read(delta({ content: '', reasoning: null, reasoning_details: details }) + delta({ content: 'Hi' }) + END),
    ).toEqual([thought('', ['reasoning_details', details]), SAID]);
  });

  it('keeps a signature that comes in a delta of its own, even after prose began', () => {
    const stream =
      delta({ reasoning_details: [{ type: 'reasoning.text', text: 'Hm', index: 0 }] }) +
      delta({ content: 'Hi' }) +
      delta({ content: '', reasoning_details: [{ type: 'reasoning.text', signature: 'U0lH', index: 0 }] });
    expect(read(stream + END)).toEqual([
      thought('Hm', ['reasoning_details', [{ type: 'reasoning.text', text: 'Hm', index: 0, signature: 'U0lH' }]]),
      SAID,
    ]);
  });

  it('in chunks of an array content goes back as one array', () => {
    const chunk = (text: string, more: JsonObject = {}): JsonObject => ({
      type: 'thinking',
      thinking: [{ type: 'text', text }],
      ...more,
    });
    const stream =
      delta({ content: '' }) +
      delta({ content: [chunk('H')] }) +
      delta({ content: [chunk('m', { closed: true })] }) +
      delta({ content: [chunk('.', { closed: true }), { type: 'text', text: 'H' }] }) +
      delta({ content: 'i' });
    expect(read(stream + END)).toEqual([thought('Hm.', ['content_array', [chunk('Hm.', { closed: true })]]), SAID]);
  });

  it('in two chunks of one delta is two chunks', () => {
    const chunks = ['a', 'b'].map((text) => ({ type: 'thinking', thinking: [{ type: 'text', text }] }));
    expect(read(delta({ content: chunks }) + END)).toEqual([thought('ab', ['content_array', chunks])]);
  });

  it('in thinking_blocks goes back as they are, signature included', () => {
    const block = (fields: object): string => delta({ thinking_blocks: [{ type: 'thinking', ...fields }] });
    const stream =
      delta({ reasoning_content: 'Hm' }) +
      block({ thinking: 'H' }) +
      block({ thinking: 'm' }) +
      block({ thinking: '', signature: 'U0lH' });
    expect(read(stream + END)).toEqual([
      thought(
        'Hm',
        ['reasoning_content', 'Hm'],
        ['foreign', { thinking_blocks: [{ type: 'thinking', thinking: 'Hm', signature: 'U0lH' }] }],
      ),
    ]);
  });

  it('of a body that was not streamed stays exactly as it came', () => {
    const details = [
      { type: 'reasoning.text', text: 'a', index: 0, signature: null },
      { type: 'reasoning.text', text: 'b', index: 0 },
    ];
    const chunks = [
      { type: 'thinking', thinking: [{ type: 'text', text: 'a' }] },
      { type: 'thinking', thinking: [{ type: 'text', text: 'b' }], closed: true },
    ];
    const message = { content: [...chunks, { type: 'text', text: 'Hi' }], reasoning_details: details };
    const body = JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'stop' }] });
    expect(itemsOf(OPENAI_CHAT.readReplyBody(body, READER))).toEqual([
      thought('ab', ['reasoning_details', details], ['content_array', chunks]),
      SAID,
    ]);
  });

  it('beyond the limit is progress, and its half state does not go back', () => {
    const text = 'x'.repeat(WIRE_LIMITS.reasoningCharsMax);
    const events = play(
      delta({ reasoning_content: text }) + delta({ reasoning_content: 'more' }) + delta({ content: 'Hi' }) + END,
    );
    const [item] = itemsOf(events);
    expect({ chars: item?.content.kind === 'reasoning' ? item.content.text.length : 0, opaque: item?.opaque }).toEqual({
      chars: text.length,
      opaque: undefined,
    });
  });
});

describe('the state of the message itself', () => {
  const signature = { vendor: 'google', kind: 'thought_signature', value: 'U0lH' };
  const extra = { extra_content: { google: { thought: true, thought_signature: 'U0lH' } } };

  it.each([
    ['extra_content', extra],
    ['its twin', { thought_signature: 'U0lH' }],
    ['both', { ...extra, thought_signature: 'U0lH' }],
  ])('in %s hangs on the message', (_where, fields) => {
    expect(read(delta({ content: 'Hi' }) + delta({ content: '', ...fields }) + END)).toEqual([
      { content: { kind: 'message', text: 'Hi' }, opaque: [signature] },
    ]);
  });

  it('makes a message where there is no text', () => {
    const message = {
      role: 'assistant',
      ...extra,
      tool_calls: [{ id: '', type: 'function', function: { name: 'now', arguments: '{}' } }],
    };
    const items = read(data({ choices: [{ index: 0, message, finish_reason: 'tool_calls' }] }));
    expect(items.map(({ content, opaque }) => ({ kind: content.kind, opaque }))).toEqual([
      { kind: 'message', opaque: [signature] },
      { kind: 'tool_call', opaque: undefined },
    ]);
  });
});
