import { describe, expect, it } from 'vitest';
import { attemptId, callId, itemId, UNKNOWN_PRODUCER } from '../turn/index.js';
import type { DeadlineVerdict, ItemKind, Phase } from '../turn/index.js';
import { deadlineFailure } from './deadline-words.js';

const open = (kind: ItemKind, name?: string): DeadlineVerdict['activeItems'] => [
  { item: itemId(attemptId(callId('c'), 1), 0), kind, name, chars: 26 },
];

function words(over: Partial<DeadlineVerdict>): readonly (string | undefined)[] {
  const { message, advice } = deadlineFailure(
    {
      watchdog: 'silence',
      budgetMs: 600_000,
      elapsedMs: 600_010,
      anchor: 'item_delta',
      anchorAtMs: 900,
      phase: 'item',
      activeItems: [],
      capabilities: UNKNOWN_PRODUCER,
      ...over,
    },
    'acme',
  );
  return [message, advice];
}

describe('a silence that was too long', () => {
  it.each([
    ['idle', [], 'nothing open, last fact: item delta', 'Ask again, or raise deadlines.silenceMs.'],
    [
      'item',
      open('message'),
      'an item open, last fact: item delta); open: message (26 characters so far',
      'Ask again, or raise deadlines.openItemMs.',
    ],
    [
      'item',
      open('tool_call'),
      'an item open, last fact: item delta); open: tool call (26 characters so far',
      'Ask for the payload in smaller pieces, or raise deadlines.openItemMs.',
    ],
    [
      'buffered_item',
      open('reasoning'),
      'an item open that this provider sends whole, last fact: item delta); open: reasoning (26 characters so far',
      'Ask for the payload in smaller pieces, or raise deadlines.openItemMs.',
    ],
    [
      'hidden_item',
      [],
      'this provider announces calls only when whole, last fact: item delta',
      'Ask for the payload in smaller pieces, or raise deadlines.openItemMs.',
    ],
    [
      'terminal',
      [],
      'everything complete but the end of the stream, last fact: item delta',
      'The reply was whole but for its end, and what was complete is kept with this failure. Ask again, or raise deadlines.terminalMs.',
    ],
  ] as const)(
    'is told with the phase, what was open, and the budget that decides there: %s',
    (phase: Phase, activeItems, facts, advice) => {
      expect(words({ phase, activeItems })).toEqual([
        `Nothing of the model came from acme for 10:00 (silence budget 10:00, ${facts}).`,
        advice,
      ]);
    },
  );

  it('is told in the singular of one character', () => {
    const [item] = open('message');
    if (item === undefined) throw new Error('One item is open.');
    expect(words({ activeItems: [{ ...item, chars: 1 }] })[0]).toContain('open: message (1 character so far)');
  });

  it('is never told as a budget of nothing', () => {
    expect(words({ budgetMs: 40, elapsedMs: 41, phase: 'idle' })[0]).toBe(
      'Nothing of the model came from acme for 41 ms (silence budget 40 ms, nothing open, last fact: item delta).',
    );
  });
});
