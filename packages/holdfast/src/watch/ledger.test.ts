import { describe, expect, it } from 'vitest';
import { attemptId, callId, itemId, UNKNOWN_PRODUCER } from '../turn/index.js';
import type { TurnEvent } from '../turn/index.js';
import { Ledger } from './ledger.js';

const ATTEMPT = attemptId(callId('c'), 1);
const CALL_ITEM = itemId(ATTEMPT, 0);

const STARTED: TurnEvent = {
  type: 'attempt.started',
  provider: 'p',
  vendor: 'v',
  model: 'm',
  maxOutputTokens: undefined,
  capabilities: UNKNOWN_PRODUCER,
  fingerprint: 'f',
  number: 1,
  numberMax: 8,
};
const OPEN_CALL: TurnEvent = {
  type: 'item.started',
  item: CALL_ITEM,
  kind: 'tool_call',
  name: 'write_file',
  callId: 'c1',
  inferred: false,
};

function openedAt(at: number): Ledger {
  const ledger = new Ledger();
  ledger.record(STARTED, 0);
  ledger.record({ type: 'attempt.sent' }, 1);
  ledger.record(OPEN_CALL, at);
  return ledger;
}

const FAILURE = { code: 'x', kind: 'protocol', retryable: true, atFault: 'provider', message: 'x' } as const;
const USAGE = {
  inputTokens: undefined,
  cacheReadTokens: undefined,
  cacheWriteTokens: undefined,
  outputTokens: undefined,
  reasoningTokens: undefined,
};

describe('an open tool call (I3)', () => {
  const ends: readonly TurnEvent[] = [
    { type: 'reply.finished', reason: 'length', raw: 'length', detail: undefined },
    { type: 'reply.failed', failure: FAILURE },
    { type: 'attempt.completed', finish: 'stop', usage: USAGE },
    { type: 'attempt.failed', failure: FAILURE, usage: USAGE },
    { type: 'attempt.retracted', reason: 'x' },
    { type: 'call.completed', finish: 'stop', items: [], usage: USAGE },
    { type: 'call.failed', failure: FAILURE, items: [], usage: USAGE },
  ];

  it.each(ends)('is not left active by $type', (end) => {
    const ledger = openedAt(5);
    expect(ledger.activeItems).toEqual([{ item: CALL_ITEM, kind: 'tool_call', name: 'write_file', chars: 0 }]);
    ledger.record(end, 9);
    expect({ active: ledger.activeItems, calls: ledger.openCalls }).toEqual({ active: [], calls: 0 });
  });

  it('closes once, though its completion comes twice', () => {
    const ledger = openedAt(5);
    const completed: TurnEvent = {
      type: 'item.completed',
      item: CALL_ITEM,
      result: { content: { kind: 'message', text: '' }, opaque: undefined },
    };
    ledger.record(completed, 6);
    ledger.record(completed, 7);
    expect(ledger.openCalls).toBe(0);
  });

  it('is forgotten by the attempt that follows', () => {
    const ledger = openedAt(5);
    ledger.record(STARTED, 20);
    expect({
      active: ledger.activeCount,
      seen: ledger.itemsSeen,
      progressAt: ledger.progressAt,
      started: ledger.startedAt,
    }).toEqual({
      active: 0,
      seen: 0,
      progressAt: undefined,
      started: 20,
    });
  });
});

describe('pings and bytes (I10)', () => {
  it('move the transport and never the progress', () => {
    const ledger = openedAt(5);
    ledger.record({ type: 'wire.kept_alive' }, 50);
    ledger.hear(60);
    expect({ progressAt: ledger.progressAt, bytesAt: ledger.bytesAt, anchor: ledger.anchor }).toEqual({
      progressAt: 5,
      bytesAt: 60,
      anchor: 'item_started',
    });
  });
});

describe('output that is counted', () => {
  it('takes the larger of what was reported and what was read', () => {
    const ledger = openedAt(5);
    ledger.record({ type: 'item.delta', item: CALL_ITEM, text: 'x'.repeat(400) }, 6);
    expect(ledger.outputTokens).toBe(100);
    ledger.record({ type: 'usage.reported', usage: { ...USAGE, outputTokens: 250 } }, 7);
    ledger.record({ type: 'usage.reported', usage: { ...USAGE, outputTokens: 240 } }, 8);
    expect(ledger.outputTokens).toBe(250);
  });
});
