import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { attemptId, callId, itemId } from '../turn/index.js';
import type { Capabilities, ItemKind, TurnEvent } from '../turn/index.js';
import { DEADLINES } from './deadlines.js';
import { Ledger } from './ledger.js';
import { phaseOf } from './phase.js';
import type { Rules } from './rules.js';
import { nextAlarm, verdict } from './watchdog.js';

const STREAMS_ALL: Capabilities = {
  itemStart: 'before_arguments',
  argumentDeltas: true,
  reasoningDeltas: true,
  pings: false,
  resume: false,
  usageMidstream: false,
};
const BUFFERS_CALLS: Capabilities = { ...STREAMS_ALL, argumentDeltas: false };
const HIDES_CALLS: Capabilities = { ...STREAMS_ALL, itemStart: 'with_completion', argumentDeltas: false };

const ATTEMPT = attemptId(callId('c'), 1);

function rules(over: Partial<Rules> = {}): Rules {
  return {
    deadlines: DEADLINES,
    capabilities: STREAMS_ALL,
    slowPace: 15,
    maxOutputTokens: undefined,
    promptTokens: 1_000,
    streamed: true,
    offersTools: true,
    turnEndsAt: DEADLINES.turnMs,
    ...over,
  };
}

function sent(): Ledger {
  const ledger = new Ledger();
  const started: TurnEvent = {
    type: 'attempt.started',
    provider: 'p',
    vendor: 'v',
    model: 'm',
    maxOutputTokens: undefined,
    capabilities: STREAMS_ALL,
    fingerprint: '',
    number: 1,
    numberMax: 8,
  };
  ledger.record(started, 0);
  ledger.record({ type: 'attempt.sent' }, 10);
  return ledger;
}

function open(ledger: Ledger, kind: ItemKind, at: number): void {
  const name = kind === 'tool_call' ? 'write_file' : undefined;
  ledger.record(
    { type: 'item.started', item: itemId(ATTEMPT, ledger.itemsSeen), kind, name, callId: undefined, inferred: false },
    at,
  );
}

function complete(ledger: Ledger, position: number, at: number): void {
  const result = { content: { kind: 'message', text: 'x' }, opaque: undefined } as const;
  ledger.record({ type: 'item.completed', item: itemId(ATTEMPT, position), result }, at);
}

describe('a request whose connection does not stand', () => {
  it('is given the connect budget from its start', () => {
    const ledger = new Ledger();
    expect(nextAlarm(ledger, rules())).toEqual({
      watchdog: 'connect',
      at: 30_000,
      budgetMs: 30_000,
      anchor: 'attempt_started',
      anchorAt: 0,
      phase: 'connect',
    });
  });
});

describe('a process that stood still while it connected', () => {
  it('waits for the connection anew, and does not hold the request for sent', () => {
    const ledger = new Ledger();
    ledger.resume(90_000);
    expect(nextAlarm(ledger, rules())).toMatchObject({
      watchdog: 'connect',
      at: 120_000,
      anchor: 'reading_resumed',
      phase: 'connect',
    });
  });
});

describe('a model that reads its prompt', () => {
  it('has longer for a longer prompt', () => {
    expect(nextAlarm(sent(), rules({ promptTokens: 400_000 })).budgetMs).toBe(120_000 + 100_000);
  });

  it('may also write the whole reply before it shows anything, where that is not streamed', () => {
    const whole = rules({ streamed: false, maxOutputTokens: 6_000 });
    expect(nextAlarm(sent(), whole)).toMatchObject({ watchdog: 'prefill', budgetMs: 120_000 + 400_000 });
  });

  it('is not helped by comments', () => {
    const ledger = sent();
    ledger.record({ type: 'wire.kept_alive' }, 100_000);
    expect(nextAlarm(ledger, rules()).at).toBe(10 + 120_000);
  });
});

describe('a tool call that goes silent', () => {
  it('keeps the plain budget where its producer streams arguments', () => {
    const ledger = sent();
    open(ledger, 'tool_call', 1_000);
    expect(nextAlarm(ledger, rules())).toMatchObject({ watchdog: 'silence', at: 181_000, phase: 'item' });
  });

  it('has the time in which the rest of the cap could still be written, where its producer buffers', () => {
    const ledger = sent();
    open(ledger, 'tool_call', 1_000);
    const alarm = nextAlarm(ledger, rules({ capabilities: BUFFERS_CALLS, maxOutputTokens: 6_000 }));
    expect(alarm).toMatchObject({ watchdog: 'silence', budgetMs: 400_000, phase: 'buffered_item' });
  });

  it.each([
    { cap: 300, budgetMs: 180_000 },
    { cap: 64_000, budgetMs: 600_000 },
    { cap: undefined, budgetMs: 600_000 },
  ])(
    'has $budgetMs ms with a cap of $cap: never less than the floor, never more than the ceiling',
    ({ cap, budgetMs }) => {
      const ledger = sent();
      open(ledger, 'tool_call', 1_000);
      expect(nextAlarm(ledger, rules({ capabilities: BUFFERS_CALLS, maxOutputTokens: cap })).budgetMs).toBe(budgetMs);
    },
  );
});

describe('a producer that announces calls only when whole (I12)', () => {
  it('may be writing one after its thinking, so a silence there is longer', () => {
    const ledger = sent();
    open(ledger, 'reasoning', 1_000);
    const alarm = nextAlarm(ledger, rules({ capabilities: HIDES_CALLS, maxOutputTokens: 8_192 }));
    expect(alarm).toMatchObject({ budgetMs: Math.ceil((8_192 / 15) * 1_000), phase: 'hidden_item' });
  });

  it('may be writing one behind thinking that it does not show either, so that the next request is changed', () => {
    const ledger = sent();
    open(ledger, 'reasoning', 1_000);
    const capabilities = { ...HIDES_CALLS, reasoningDeltas: false };
    expect(phaseOf(ledger, rules({ capabilities }))).toBe('hidden_item');
    expect(phaseOf(ledger, rules({ capabilities, offersTools: false }))).toBe('buffered_item');
  });

  it('hides nothing when the request offers no tools', () => {
    const ledger = sent();
    open(ledger, 'reasoning', 1_000);
    const alarm = nextAlarm(ledger, rules({ capabilities: HIDES_CALLS, offersTools: false }));
    expect(alarm).toMatchObject({ budgetMs: 180_000, phase: 'item' });
  });
});

describe('a reply that lacks only its end', () => {
  it('is in its terminal phase once the finish reason is known, though a call is still open on the wire', () => {
    const ledger = sent();
    open(ledger, 'tool_call', 1_000);
    ledger.record({ type: 'reply.ending', raw: 'tool_calls' }, 2_000);
    const short = rules({ deadlines: { ...DEADLINES, terminalMs: 5_000 } });
    expect(nextAlarm(ledger, short)).toMatchObject({ watchdog: 'silence', at: 7_000, phase: 'terminal' });
  });

  it('is there too when every item is complete', () => {
    const ledger = sent();
    open(ledger, 'message', 1_000);
    complete(ledger, 0, 2_000);
    expect(phaseOf(ledger, rules())).toBe('terminal');
  });

  it('leaves it when more arrives after a finish reason', () => {
    const ledger = sent();
    ledger.record({ type: 'reply.ending', raw: 'STOP' }, 1_000);
    open(ledger, 'message', 2_000);
    expect(phaseOf(ledger, rules())).toBe('item');
  });
});

describe('the backstop (I13)', () => {
  it('ends an attempt that shows progress for ever', () => {
    const ledger = sent();
    open(ledger, 'message', 1_000);
    const item = itemId(ATTEMPT, 0);
    for (let at = 2_000; at <= 1_799_000; at += 1_000) ledger.record({ type: 'item.delta', item, text: 'x' }, at);
    expect(verdict(ledger, rules(), 1_800_000)).toMatchObject({ watchdog: 'attempt', elapsedMs: 1_800_000 });
  });

  it('is the turn where its budget ends sooner', () => {
    expect(verdict(sent(), rules({ turnEndsAt: 60_000 }), 60_000)).toMatchObject({
      watchdog: 'turn',
      anchor: 'turn_started',
    });
  });

  it('stands while reading is paused, and nothing else does', () => {
    const ledger = sent();
    open(ledger, 'message', 1_000);
    ledger.pause();
    expect(nextAlarm(ledger, rules())).toMatchObject({ watchdog: 'attempt' });
    ledger.resume(500_000);
    expect(nextAlarm(ledger, rules())).toMatchObject({ watchdog: 'silence', at: 680_000, anchor: 'reading_resumed' });
  });
});

describe('the transport watchdog', () => {
  it('looks at bytes, where a vendor can be relied on', () => {
    const ledger = sent();
    open(ledger, 'message', 1_000);
    ledger.record({ type: 'wire.kept_alive' }, 20_000);
    const alarm = nextAlarm(ledger, rules({ deadlines: { ...DEADLINES, transportMs: 30_000 } }));
    expect(alarm).toMatchObject({ watchdog: 'transport', at: 50_000, anchor: 'byte', anchorAt: 20_000 });
  });
});

describe('a fired deadline (I11)', () => {
  it('carries the whole verdict', () => {
    const ledger = sent();
    open(ledger, 'tool_call', 1_000);
    ledger.record({ type: 'item.delta', item: itemId(ATTEMPT, 0), text: '{"pa' }, 2_000);
    expect(verdict(ledger, rules(), 182_500)).toEqual({
      watchdog: 'silence',
      budgetMs: 180_000,
      elapsedMs: 180_500,
      anchor: 'item_delta',
      anchorAtMs: 2_000,
      phase: 'item',
      activeItems: [{ item: itemId(ATTEMPT, 0), kind: 'tool_call', name: 'write_file', chars: 4 }],
      capabilities: STREAMS_ALL,
    });
  });

  it('is never said to have come before its budget, whatever fractions a clock has', () => {
    const ledger = sent();
    ledger.record({ type: 'wire.kept_alive' }, 20);
    const short = rules({ deadlines: { ...DEADLINES, prefillMs: 1_500.4 } });
    expect(verdict(ledger, short, 1_510.41)).toMatchObject({
      watchdog: 'prefill',
      budgetMs: 1_500.4,
      elapsedMs: 1_501,
    });
  });

  it('never comes before its budget has passed since its anchor (I9)', () => {
    const fact = fc.record({
      wait: fc.integer({ min: 0, max: 400_000 }),
      kind: fc.constantFrom('start', 'delta', 'ping', 'ending'),
    });
    fc.assert(
      fc.property(fc.array(fact, { maxLength: 12 }), fc.integer({ min: 0, max: 700_000 }), (facts, wait) => {
        const ledger = sent();
        let now = 10;
        for (const { wait: gap, kind } of facts) {
          now += gap;
          if (kind === 'start') open(ledger, 'tool_call', now);
          if (kind === 'delta') ledger.record({ type: 'item.delta', item: itemId(ATTEMPT, 0), text: 'x' }, now);
          if (kind === 'ping') ledger.record({ type: 'wire.kept_alive' }, now);
          if (kind === 'ending') ledger.record({ type: 'reply.ending', raw: 'stop' }, now);
        }
        now += wait;
        const fired = verdict(ledger, rules(), now);
        const alarm = nextAlarm(ledger, rules());
        expect(fired === undefined).toBe(now < alarm.at);
        if (fired !== undefined) expect(fired.elapsedMs).toBeGreaterThanOrEqual(fired.budgetMs);
      }),
    );
  });
});
