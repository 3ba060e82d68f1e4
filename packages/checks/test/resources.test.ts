import { describe, expect, it } from 'vitest';
import { startGateway } from '@holdfast/gateway';
import { startSimulator } from '@holdfast/simulator';
import { Engine, hopTo } from 'holdfast/run';
import { VENDORS } from 'holdfast/vendors';

/** What keeps a process alive, counted by kind. */
function held(): Record<string, number> {
  const counts: Record<string, number> = { Timeout: 0, TCPSocketWrap: 0, TCPServerWrap: 0 };
  for (const kind of process.getActiveResourcesInfo()) if (kind in counts) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

const SCENARIOS = [
  'plain',
  'tool-loop',
  'stall-after-start',
  'cut-stream',
  'overloaded-once',
  'garbage',
  'bad-key',
  'prefill-hang',
];

describe('when all calls are over (I37)', () => {
  it('no timer and no socket is left, however they ended', async () => {
    const before = held();
    const engine = new Engine();
    const simulator = await startSimulator({ timeScale: 0.001 });
    const hop = (scenario: string): ReturnType<typeof hopTo> =>
      hopTo(VENDORS.openai, `sim-${scenario}`, { baseUrl: `${simulator.url}/v1`, key: 'any' });
    const gateway = await startGateway({
      engine,
      routes: { resolve: (model) => ({ chain: [hop(model)] }), list: () => [] },
    });

    const deadlines = { silenceMs: 100, openItemMs: 100, prefillMs: 300 };
    const limits = { backoffBaseMs: 1, deadlineMax: 1 };
    const request = { messages: [{ role: 'user', parts: [{ type: 'text', text: 'go' }] }] } as const;
    const run = async (scenario: string, stopAfterMs: number): Promise<void> => {
      const signal = AbortSignal.timeout(stopAfterMs);
      await engine
        .call({ chain: [hop(scenario)], request, deadlines, limits, signal })
        .result()
        .catch(() => undefined);
    };
    const post = async (model: string): Promise<void> => {
      const body = JSON.stringify({ model, stream: true, messages: [{ role: 'user', content: 'go' }] });
      const response = await fetch(`${gateway.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', connection: 'close' },
        body,
      });
      await response.text();
    };
    await Promise.all(SCENARIOS.flatMap((scenario) => [run(scenario, 20_000), run(scenario, 30)]));
    await Promise.all(['plain', 'tool-loop', 'cut-stream', 'bad-key'].map(post));
    expect(simulator.requests.length).toBeGreaterThan(SCENARIOS.length);

    await gateway.close();
    await engine.close();
    await simulator.close();
    await expect.poll(held, { timeout: 10_000 }).toEqual(before);
  });
});
