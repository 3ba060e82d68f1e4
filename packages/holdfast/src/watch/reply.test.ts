import { describe, expect, it } from 'vitest';
import { attemptId, callId, itemId } from '../turn/index.js';
import type { ItemKind, ReplyEvent } from '../turn/index.js';
import { Reply } from './reply.js';

const id = (position: number): ReturnType<typeof itemId> => itemId(attemptId(callId('c'), 1), position);

function heard(...events: readonly ReplyEvent[]): Reply {
  const reply = new Reply();
  for (const event of events) reply.record(event);
  return reply;
}

function opened(position: number, kind: ItemKind): ReplyEvent {
  return { type: 'item.started', item: id(position), kind, name: undefined, callId: undefined, inferred: false };
}

function said(position: number, text: string): ReplyEvent {
  return { type: 'item.delta', item: id(position), text };
}

function completed(position: number, kind: 'message' | 'reasoning', text: string): ReplyEvent {
  return { type: 'item.completed', item: id(position), result: { content: { kind, text }, opaque: undefined } };
}

describe('what someone has in hand (I18)', () => {
  it.each<[string, boolean, Reply]>([
    ['nothing', false, heard()],
    ['thinking alone', false, heard(opened(0, 'reasoning'), said(0, 'Hm.'), completed(0, 'reasoning', 'Hm.'))],
    ['a message without a word', false, heard(opened(0, 'message'))],
    ['words of a message that is still open', true, heard(opened(0, 'message'), said(0, 'Hel'))],
    ['words of a refusal', true, heard(opened(0, 'refusal'), said(0, 'I can’t'))],
    ['a call that was only announced', true, heard(opened(0, 'tool_call'))],
  ])('counts as shown or not: %s', (_, shown, reply) => {
    expect(reply.shown).toBe(shown);
  });
});

describe('the items of a reply', () => {
  it('stand in the order in which they began, each with its first completion, and cut ones are not among them', () => {
    const reply = heard(
      opened(0, 'message'),
      opened(1, 'reasoning'),
      opened(2, 'tool_call'),
      completed(1, 'reasoning', 'b'),
      completed(0, 'message', 'a'),
      completed(0, 'message', 'twice'),
    );
    expect(reply.items.map(({ content }) => content)).toEqual([
      { kind: 'message', text: 'a' },
      { kind: 'reasoning', text: 'b' },
    ]);
  });
});
