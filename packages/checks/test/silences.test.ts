import { afterEach, describe, expect, it } from 'vitest';
import { Engine, hopTo } from 'holdfast/run';
import type { CallOptions, Hop } from 'holdfast/run';
import type { StampedEvent } from 'holdfast/turn';
import { VENDORS } from 'holdfast/vendors';
import { DEADLINES } from 'holdfast/watch';
import type { Deadlines } from 'holdfast/watch';
import { startSimulator } from '@holdfast/simulator';
import type { Simulator } from '@holdfast/simulator';

/** A hundred times faster than life, deadlines and silences alike. */
const SCALE = 0.01;
const SCALED: Deadlines = {
  ...DEADLINES,
  prefillMs: DEADLINES.prefillMs * SCALE * 5, // Connecting and reading are not scaled.
  silenceMs: DEADLINES.silenceMs * SCALE,
  silenceMaxMs: DEADLINES.silenceMaxMs * SCALE,
  terminalMs: DEADLINES.terminalMs * SCALE,
};

let simulator: Simulator | undefined;
let engine: Engine | undefined;

afterEach(async () => {
  await engine?.close();
  await simulator?.close();
});

async function play(
  scenario: string,
  over: { readonly hop: (url: string) => Hop; readonly deadlines?: Deadlines },
): Promise<StampedEvent[]> {
  simulator = await startSimulator({ scenario, timeScale: SCALE });
  engine = new Engine();
  const options: CallOptions = {
    chain: [over.hop(simulator.url)],
    request: {
      messages: [{ role: 'user', parts: [{ type: 'text', text: 'Write the page.' }] }],
      tools: [
        {
          name: 'write_file',
          parameters: { type: 'object', properties: { path: { type: 'string' }, content: { type: 'string' } } },
        },
      ],
    },
    deadlines: over.deadlines ?? SCALED,
    limits: { deadlineMax: 0, transientMax: 0, protocolMax: 0 },
  };
  const events: StampedEvent[] = [];
  for await (const event of engine.call(options)) events.push(event);
  return events;
}

const gemini = (url: string): Hop => hopTo(VENDORS.google, 'gemini-3-pro', { baseUrl: `${url}/v1beta`, key: 'any' });
const chat = (url: string): Hop => hopTo(VENDORS.openai, 'gpt-5', { baseUrl: `${url}/v1`, key: 'any' });
/** A Chat server that announces a call and keeps its arguments until they are whole. */
const buffering = (url: string): Hop => {
  const hop = chat(url);
  return { ...hop, capabilities: { ...hop.capabilities, argumentDeltas: false } };
};

describe('a call of 3,500 tokens that its provider keeps back for 200 seconds', () => {
  it.each([
    { wire: 'Gemini, which announces no call', hop: gemini, because: 'hidden_item' },
    { wire: 'Chat, where the call is announced', hop: buffering, because: 'buffered_item' },
  ])('completes in its first attempt on $wire', async ({ hop, because }) => {
    const events = await play('silent-tool', { hop });
    expect(events.find((event) => event.type === 'deadline.extended')).toMatchObject({
      watchdog: 'silence',
      fromMs: 1_800,
      toMs: 6_000,
      because,
    });
    const last = events.at(-1);
    expect(last).toMatchObject({ type: 'call.completed', finish: 'tool_calls' });
    const calls = last?.type === 'call.completed' ? last.items.filter((item) => item.content.kind === 'tool_call') : [];
    expect(JSON.stringify(calls).length).toBeGreaterThan(10_000);
    expect(simulator?.requests).toHaveLength(1);
  });

  it('is cut under one flat deadline, which is named with all that was known', async () => {
    const events = await play('silent-tool', { hop: chat });
    expect(events.at(-1)).toMatchObject({
      type: 'call.failed',
      failure: {
        code: 'deadline_silence',
        deadline: {
          watchdog: 'silence',
          budgetMs: 1_800,
          anchor: 'item_started',
          phase: 'item',
          activeItems: [{ kind: 'tool_call', name: 'write_file' }],
        },
      },
    });
  });
});

describe('a stall', () => {
  it('after a start ends at its budget, and nothing of the call is kept', async () => {
    const events = await play('stall-in-arguments', { hop: chat });
    expect(events.at(-1)).toMatchObject({
      type: 'call.failed',
      failure: {
        deadline: { watchdog: 'silence', budgetMs: 1_800, phase: 'item', activeItems: [{ kind: 'tool_call' }] },
      },
    });
    const last = events.at(-1);
    const kept = last?.type === 'call.failed' ? last.items.map((item) => item.content.kind) : ['none'];
    expect(kept).not.toContain('tool_call');
  });

  it('of a producer that announces nothing ends at the bounded budget of a reply that could be hiding a call', async () => {
    const events = await play('no-start-stall', { hop: gemini });
    const last = events.at(-1);
    expect(last).toMatchObject({
      type: 'call.failed',
      failure: { code: 'deadline_silence', deadline: { watchdog: 'silence', budgetMs: 6_000, phase: 'hidden_item' } },
    });
    const verdict = last?.type === 'call.failed' ? last.failure.deadline : undefined;
    expect(verdict?.elapsedMs).toBeGreaterThanOrEqual(6_000);
    expect(verdict?.activeItems.some((item) => item.kind === 'tool_call')).toBe(false);
  });
});
