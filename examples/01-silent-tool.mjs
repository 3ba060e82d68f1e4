// A tool call whose arguments stay away for 200 seconds (here 2) is told as what it is, and is not cut.
import { Engine, hopTo, VENDORS } from 'holdfast';
import { startSimulator } from '@holdfast/simulator';

const sim = await startSimulator({ timeScale: 0.01 });
const hop = hopTo(VENDORS.openai, 'sim-silent-tool', { baseUrl: `${sim.url}/v1`, key: 'any' });
const request = { messages: [{ role: 'user', parts: [{ type: 'text', text: 'Write the file.' }] }] };
for await (const event of new Engine().call({ chain: [hop], request })) {
  const clock = new Date(event.at).toISOString().slice(14, 23);
  if (event.type === 'item.started') console.log(clock, 'writing', event.name ?? event.kind);
  if (event.type === 'deadline.extended')
    console.log(clock, `silence is normal here (${event.because}): up to ${event.toMs / 1000} s`);
  if (event.type === 'call.completed') console.log(clock, 'whole after all:', event.finish);
}

// The check of this page: the provider was asked once and ended its reply itself.
const { default: assert } = await import('node:assert/strict');
assert.deepEqual(
  sim.requests.map(({ status, closedBy }) => ({ status, closedBy })),
  [{ status: 200, closedBy: 'server' }],
);
await sim.close();
