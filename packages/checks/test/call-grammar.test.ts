import { SCENARIOS, startSimulator } from '@holdfast/simulator';
import type { Simulator } from '@holdfast/simulator';
import { Engine } from 'holdfast/run';
import type { CallOptions, Hop } from 'holdfast/run';
import type { Capabilities, StampedEvent } from 'holdfast/turn';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { brokenGrammar } from './call-grammar.js';

const engine = new Engine();
let simulator: Simulator;
beforeAll(async () => {
  simulator = await startSimulator({ timeScale: 0.01 });
});
afterAll(async () => {
  await engine.close();
  await simulator.close();
});

const DIALECTS = ['gemini', 'openai-chat'] as const;
const SCENES = DIALECTS.flatMap((dialect) => SCENARIOS.map(({ name }) => [name, dialect] as const));

const ends = new Map<string, number>();

describe.concurrent('a call, whatever its provider does (I1, I2, I3, I7, I8)', () => {
  it.each(SCENES)('keeps the grammar of events in the scenario %s on the %s wire', async (name, dialect) => {
    const events = await heard({ name, dialect });
    expect(brokenGrammar(events)).toEqual([]);
    const end = endOf(events);
    ends.set(end, (ends.get(end) ?? 0) + 1);
  });
});

describe.concurrent('a call that is stopped at its first item, whatever its provider does (I1, I28)', () => {
  it.each(SCENES)('ends as stopped, or was whole already, in the scenario %s on the %s wire', async (name, dialect) => {
    const stop = new AbortController();
    const events = await heard({ name, dialect, stop });
    expect(brokenGrammar(events)).toEqual([]);
    if (stop.signal.aborted) expect(['stopped', 'completed']).toContain(endOf(events));
  });
});

describe('all of these calls', () => {
  it('met every kind of end that these providers can cause', () => {
    const met = [...ends.keys()].sort();
    expect(met).toEqual(
      expect.arrayContaining(['completed', 'auth', 'deadline', 'model_unknown', 'protocol', 'request', 'transient']),
    );
    expect([...ends.values()].reduce((sum, count) => sum + count, 0)).toBe(SCENES.length);
  });
});

describe('the grammar itself', () => {
  it('has a word against each kind of dishonest call', async () => {
    const events = await heard({ name: 'plain', dialect: 'openai-chat' });
    const index = events.findIndex(({ type }) => type === 'item.completed');
    const twice = (at: number): StampedEvent[] =>
      events.toSpliced(at, 0, ...events.slice(at, at + 1)).map((event, seq) => ({ ...event, seq }));
    const without = (at: number): StampedEvent[] => events.toSpliced(at, 1).map((event, seq) => ({ ...event, seq }));
    const said = [events.toSpliced(3, 1), twice(index), without(index), twice(events.length - 1), events.slice(0, -1)];
    expect(said.map((broken) => brokenGrammar(broken).at(-1))).toEqual([
      expect.stringContaining('at place'),
      'the items of the call are not those of the attempt that stood',
      'the items of the call are not those of the attempt that stood',
      'the call has 2 ends',
      'the call has 0 ends',
    ]);
  });
});

interface Scene {
  readonly name: string;
  readonly dialect: (typeof DIALECTS)[number];
  /** Aborted at the first item that starts. */
  readonly stop?: AbortController;
}

async function heard({ name, dialect, stop }: Scene): Promise<StampedEvent[]> {
  const events: StampedEvent[] = [];
  const options: CallOptions = {
    chain: [hopTo(name, dialect)],
    request: {
      model: '',
      messages: [{ role: 'user', parts: [{ type: 'text', text: 'Write the page.' }] }],
      tools: [{ name: 'write_file', parameters: { type: 'object', properties: { path: { type: 'string' } } } }],
      maxOutputTokens: 4_000,
    },
    deadlines: {
      connectMs: 10_000,
      prefillMs: 500,
      silenceMs: 400,
      terminalMs: 400,
      silenceMaxMs: 800,
      attemptMs: 8_000,
    },
    limits: { transientMax: 1, deadlineMax: 1, backoffBaseMs: 1, backoffMaxMs: 2, waitMaxMs: 100 },
    ...(stop === undefined ? {} : { signal: stop.signal }),
  };
  for await (const event of engine.call(options)) {
    events.push(event);
    if (event.type === 'item.started') stop?.abort();
  }
  return events;
}

/** Announces what it can on each wire, and nothing that it cannot. */
const GEMINI: Capabilities = {
  itemStart: 'with_completion',
  argumentDeltas: false,
  reasoningDeltas: true,
  pings: false,
  resume: false,
  usageMidstream: true,
};
const CHAT: Capabilities = { ...GEMINI, itemStart: 'before_arguments', argumentDeltas: true, usageMidstream: false };

function hopTo(scenario: string, dialect: Scene['dialect']): Hop {
  const isGemini = dialect === 'gemini';
  return {
    provider: {
      name: 'simulator',
      vendor: isGemini ? 'google' : 'openai',
      dialect,
      baseUrl: `${simulator.url}${isGemini ? '/v1beta' : '/v1'}`,
      auth: isGemini ? { header: 'x-goog-api-key', value: 'any' } : { header: 'authorization', value: 'Bearer any' },
      quirks: {},
    },
    model: `sim-${scenario}`,
    capabilities: isGemini ? GEMINI : CHAT,
    maxOutputTokens: undefined,
    outputLimit: undefined,
    contextWindow: undefined,
    configEntry: undefined,
  };
}

function endOf(events: readonly StampedEvent[]): string {
  const last = events.at(-1);
  if (last?.type === 'call.completed') return 'completed';
  return last?.type === 'call.failed' ? last.failure.kind : 'none';
}
