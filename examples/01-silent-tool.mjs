// A tool call whose arguments stay away for 200 seconds (here 2) is told as what it is, and is not cut.
import { Engine, UNKNOWN_PRODUCER } from 'holdfast';
import { startSimulator } from '@holdfast/simulator';

const sim = await startSimulator({ timeScale: 0.01 });
const auth = { header: 'authorization', value: 'Bearer any' };
const provider = { name: 'sim', vendor: 'sim', dialect: 'openai-chat', baseUrl: `${sim.url}/v1`, auth, quirks: {} };
const capabilities = { ...UNKNOWN_PRODUCER, itemStart: 'before_arguments', reasoningDeltas: true };
const hop = { provider, model: 'sim-silent-tool', capabilities };
const request = { messages: [{ role: 'user', parts: [{ type: 'text', text: 'Write the file.' }] }] };
for await (const { type, at, name, toMs, because } of new Engine().call({ chain: [hop], request })) {
  const told = { 'item.started': name, 'deadline.extended': `${because}, up to ${toMs} ms`, 'call.completed': 'whole' };
  if (told[type]) console.log(new Date(at).toISOString().slice(17, 23), type.padEnd(18), told[type]);
}

// The check of this page: the provider was asked once and ended its reply itself.
const { default: assert } = await import('node:assert/strict');
assert.deepEqual(
  sim.requests.map(({ status, closedBy }) => ({ status, closedBy })),
  [{ status: 200, closedBy: 'server' }],
);
await sim.close();
