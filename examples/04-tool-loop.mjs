// A tool loop with the library: what the model sent goes back as it came, signatures included.
import { Engine, hopTo, VENDORS } from 'holdfast';
import { startSimulator } from '@holdfast/simulator';

const sim = await startSimulator({ timeScale: 0 });
const engine = new Engine();
const chain = [hopTo(VENDORS.google, 'sim-tool-loop', { baseUrl: `${sim.url}/v1beta`, key: 'any' })];
const tools = [{ name: 'write_file', parameters: { type: 'object', properties: { path: { type: 'string' } } } }];
const messages = [{ role: 'user', parts: [{ type: 'text', text: 'Write the page.' }] }];

for (;;) {
  const answer = await engine.call({ chain, request: { messages, tools } }).result();
  messages.push({ role: 'assistant', items: answer.items });
  if (answer.finish !== 'tool_calls') break;
  const calls = answer.items.map((item) => item.content).filter((content) => content.kind === 'tool_call');
  for (const { name, input } of calls) console.log(`${name} with ${input.text.length} characters`);
  const result = { parts: [{ type: 'text', text: 'ok' }], isError: false };
  messages.push({ role: 'tool', results: calls.map(({ callId, name }) => ({ callId, name, ...result })) });
}
console.log(
  messages
    .at(-1)
    .items.map(({ content }) => (content.kind === 'message' ? content.text : ''))
    .join(''),
);

// The check of this page: the provider, which validates signatures, refused nothing.
const { default: assert } = await import('node:assert/strict');
assert.deepEqual(
  sim.requests.map(({ status }) => status),
  [200, 200, 200, 200],
);
await engine.close();
await sim.close();
