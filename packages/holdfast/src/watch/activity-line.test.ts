import { describe, expect, it } from 'vitest';
import { attemptId, callId, itemId, UNKNOWN_PRODUCER } from '../turn/index.js';
import type { Capabilities, ItemKind, TurnEvent } from '../turn/index.js';
import { activityLine } from './activity-line.js';
import { DEADLINES } from './deadlines.js';
import { Ledger } from './ledger.js';
import type { Rules } from './rules.js';

const STREAMS_ALL: Capabilities = {
  ...UNKNOWN_PRODUCER,
  itemStart: 'before_arguments',
  argumentDeltas: true,
  reasoningDeltas: true,
};
const ITEM = itemId(attemptId(callId('c'), 1), 0);

function opened(kind: ItemKind, name?: string): TurnEvent {
  return { type: 'item.started', item: ITEM, kind, name, callId: undefined, inferred: false };
}

/** One line after these facts, a second apart, at a moment of silence. */
function line(facts: readonly TurnEvent[], quietMs: number, over: Partial<Rules> = {}): string {
  const ledger = new Ledger();
  facts.forEach((fact, n) => ledger.record(fact, n * 1_000));
  const rules: Rules = {
    deadlines: DEADLINES,
    capabilities: STREAMS_ALL,
    slowPace: 15,
    maxOutputTokens: undefined,
    promptTokens: 10,
    streamed: true,
    offersTools: true,
    turnEndsAt: DEADLINES.turnMs,
    ...over,
  };
  return activityLine(ledger, rules, { provider: 'acme', now: Math.max(0, facts.length - 1) * 1_000 + quietMs });
}

const SENT: TurnEvent = { type: 'attempt.sent' };
const WORDS: TurnEvent = { type: 'item.delta', item: ITEM, text: 'x'.repeat(40) };

describe('what an attempt does now, as one line', () => {
  it.each<[string, string]>([
    ['Connecting to acme · 5 s of 30 s', line([], 5_000)],
    ['Waiting for the first token from acme · 1:05 of 2:00', line([SENT], 65_000)],
    ['Thinking · about 10 tokens · last 5 s ago', line([SENT, opened('reasoning'), WORDS], 5_000)],
    ['Answering · about 10 tokens · last 5 s ago', line([SENT, opened('message'), WORDS], 5_000)],
    [
      'Writing write_file · 40 characters so far · last 5 s ago',
      line([SENT, opened('tool_call', 'write_file'), WORDS], 5_000),
    ],
    [
      'Writing write_file · shown only when whole · 1:05 of 10:00',
      line([SENT, opened('tool_call', 'write_file')], 65_000, { capabilities: UNKNOWN_PRODUCER }),
    ],
    [
      'Thinking · shown only when whole · 1:05 of 10:00',
      line([SENT, opened('reasoning')], 65_000, { capabilities: UNKNOWN_PRODUCER, offersTools: false }),
    ],
    [
      'Quiet for 1:05; a tool call may be under way, which this provider shows only when whole · 8:55 left',
      line([SENT, opened('reasoning'), WORDS], 65_000, { capabilities: UNKNOWN_PRODUCER }),
    ],
    [
      'Reply complete; waiting for acme to end the stream · 5 s of 3:00',
      line([SENT, { type: 'reply.ending', raw: 'stop' }], 5_000),
    ],
  ])('%s', (expected, seen) => {
    expect(seen).toBe(expected);
  });

  it('tells a live connection from a live model', () => {
    const pinged: TurnEvent = { type: 'wire.kept_alive' };
    expect(line([SENT, opened('message'), pinged, pinged, pinged], 1_000)).toBe(
      'Connection alive (ping 1 s ago), no content for 4 s',
    );
  });
});
