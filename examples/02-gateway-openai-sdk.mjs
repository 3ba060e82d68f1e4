// The real OpenAI SDK against the gateway, whose upstream speaks Gemini and refuses a replayed tool call without its
// signature: three rounds of tools, and an answer.
import assert from 'node:assert/strict';
import { startGateway } from '@holdfast/gateway';
import { startSimulator } from '@holdfast/simulator';
import { modelRule, VENDORS } from 'holdfast';
import OpenAI from 'openai';

const simulator = await startSimulator({ timeScale: 0.01 });
const google = VENDORS.google;
const provider = {
  name: 'sim',
  vendor: 'google',
  dialect: 'gemini',
  baseUrl: `${simulator.url}/v1beta`,
  auth: { header: 'x-goog-api-key', value: 'any' },
  quirks: google.quirks,
};
const { capabilities } = modelRule(google, 'gemini-any');
const gateway = await startGateway({
  routes: {
    resolve: (model) => (model.startsWith('sim-') ? { chain: [{ provider, model, capabilities }] } : undefined),
    list: () => simulator.models.map((id) => ({ id, ownedBy: 'sim' })),
  },
});

const client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: 'none' });
const tools = [
  {
    type: 'function',
    function: { name: 'write_file', parameters: { type: 'object', properties: { path: { type: 'string' } } } },
  },
];
const messages = [{ role: 'user', content: 'Write the page.' }];
let rounds = 0;
for (;;) {
  const completion = await client.chat.completions.create({ model: 'sim-tool-loop', messages, tools });
  const { message, finish_reason: finish } = completion.choices[0];
  messages.push(message);
  if (finish !== 'tool_calls') break;
  rounds += 1;
  for (const call of message.tool_calls) {
    console.log(`round ${rounds}: ${call.function.name}, ${call.function.arguments.length} characters`);
    messages.push({ role: 'tool', tool_call_id: call.id, content: 'ok' });
  }
}

const answer = messages.at(-1).content;
console.log(answer);
await gateway.close();
await simulator.close();

assert.equal(rounds, 3);
assert.equal(answer, 'Done after 3 rounds with 4 results.');
assert.deepEqual([...new Set(simulator.requests.map(({ status }) => status))], [200]);
