import { afterEach, describe, expect, it } from 'vitest';
import { Engine, SYSTEM_CLOCK } from '../src/run/index.js';
import type { CallOptions, Clock } from '../src/run/index.js';
import { UNKNOWN_PRODUCER } from '../src/turn/index.js';
import type { StampedEvent } from '../src/turn/index.js';
import { answer, chunk, DONE, scriptedProvider } from './scripted-provider.js';
import type { ScriptedProvider, Step } from './scripted-provider.js';

let provider: ScriptedProvider | undefined;
let engine: Engine | undefined;

afterEach(async () => {
  await engine?.close();
  await provider?.close();
});

function options(url: string, over: Partial<CallOptions> = {}): CallOptions {
  return {
    chain: [
      {
        provider: { name: 'acme', vendor: 'acme', dialect: 'openai-chat', baseUrl: url, auth: undefined, quirks: {} },
        model: 'acme-1',
        capabilities: UNKNOWN_PRODUCER,
        maxOutputTokens: undefined,
        outputLimit: undefined,
        contextWindow: undefined,
        configEntry: undefined,
      },
    ],
    request: { model: '', messages: [{ role: 'user', parts: [{ type: 'text', text: 'go' }] }] },
    ...over,
  };
}

/** The system's clock, ahead by what `leap` says. */
function leapingClock(leap: () => number): Clock {
  return {
    now: () => SYSTEM_CLOCK.now() + leap(),
    epoch: () => SYSTEM_CLOCK.epoch() + leap(),
    alarm: (at, ring) => SYSTEM_CLOCK.alarm(at - leap(), ring),
    afterArrivals: (ring) => SYSTEM_CLOCK.afterArrivals(ring),
  };
}

describe('a process that was suspended while a reply was under way (I14)', () => {
  it('says so and gives the provider its whole budget again', async () => {
    const steps: readonly Step[] = [
      { open: true },
      { send: chunk({ content: 'a' }) },
      { waitMs: 700 },
      { send: chunk({ content: 'b' }, 'stop') + DONE },
      { end: 'close' },
    ];
    provider = await scriptedProvider(steps);
    let ahead = 0;
    engine = new Engine({ clock: leapingClock(() => ahead) });
    const events: StampedEvent[] = [];
    for await (const event of engine.call(options(provider.url, { deadlines: { silenceMs: 400 } }))) {
      events.push(event);
      if (event.type === 'item.delta') ahead = 60_000;
    }
    expect(events.find((event) => event.type === 'notice')).toMatchObject({ code: 'clock_gap' });
    expect(events.at(-1)).toMatchObject({ type: 'call.completed', finish: 'stop' });
    expect(provider.seen).toHaveLength(1);
  });
});

describe('a process that was suspended past the backstop of its attempt', () => {
  it('ends the attempt and does not begin it anew for ever', async () => {
    provider = await scriptedProvider([{ open: true }, { send: chunk({ content: 'a' }) }, { end: 'hang' }]);
    let ahead = 0;
    engine = new Engine({ clock: leapingClock(() => ahead) });
    const events: StampedEvent[] = [];
    const budgets = { deadlines: { silenceMs: 300, attemptMs: 30_000 }, limits: { deadlineMax: 0 } };
    for await (const event of engine.call(options(provider.url, budgets))) {
      events.push(event);
      if (event.type === 'item.delta') ahead = 60_000;
    }
    expect(events.filter((event) => event.type === 'notice')).toHaveLength(1);
    expect(events.at(-1)).toMatchObject({ failure: { code: 'deadline_attempt' } });
  });
});

describe('a draw of the dice', () => {
  it('is the caller’s where it is given, so that waits can be known beforehand', async () => {
    provider = await scriptedProvider([{ status: 503, body: '{}' }], answer('Back.'));
    engine = new Engine({ random: () => 0.5 });
    const waits: number[] = [];
    for await (const event of engine.call(options(provider.url, { limits: { backoffBaseMs: 20 } }))) {
      if (event.type === 'retry.scheduled') waits.push(event.waitMs);
    }
    expect(waits).toEqual([10]);
  });
});

describe('replies that ended well', () => {
  it('leave their connection to the next request', async () => {
    const body = chunk({ content: 'One.' }) + chunk({}, 'stop') + DONE;
    provider = await scriptedProvider([{ open: true }, { send: body }, { waitMs: 20 }, { end: 'close' }]);
    engine = new Engine();
    for (let n = 0; n < 5; n += 1) {
      await engine.call(options(provider.url)).result();
      await new Promise((resolve) => {
        setTimeout(resolve, 60);
      });
    }
    expect(new Set(provider.seen.map((seen) => seen.port)).size).toBe(1);
  });

  it('lose it where the provider keeps the body open after its end mark', async () => {
    const body = chunk({ content: 'All set.' }) + chunk({}, 'stop') + DONE;
    provider = await scriptedProvider([
      { open: true },
      { send: body },
      { waitMs: 60 },
      { send: chunk({ content: 'LATE' }) },
      { end: 'hang' },
    ]);
    engine = new Engine();
    const result = await engine.call(options(provider.url)).result();
    expect(result.text).toBe('All set.');
    await provider.seen[0]?.closed;
  });
});
