// A provider that announces a tool call and then says nothing more: the error names the watchdog, the fact since which it
// waited, the phase, and what was open.
import assert from 'node:assert/strict';
import { Engine, HoldfastError, UNKNOWN_PRODUCER } from 'holdfast';
import { startSimulator } from '@holdfast/simulator';

const simulator = await startSimulator({ timeScale: 0.01 });
const engine = new Engine();
const provider = {
  name: 'sim',
  vendor: 'sim',
  dialect: 'openai-chat',
  baseUrl: `${simulator.url}/v1`,
  auth: { header: 'authorization', value: 'Bearer any' },
  quirks: {},
};
const call = engine.call({
  chain: [
    { provider, model: 'sim-stall-after-start', capabilities: { ...UNKNOWN_PRODUCER, itemStart: 'before_arguments' } },
  ],
  request: { messages: [{ role: 'user', parts: [{ type: 'text', text: 'Write the file.' }] }] },
  deadlines: { silenceMs: 300, silenceMaxMs: 600 },
  limits: { deadlineMax: 0 },
});

try {
  await call.result();
  assert.fail('The stall was not noticed.');
} catch (error) {
  if (!(error instanceof HoldfastError)) throw error;
  const { code, deadline } = error.failure;
  console.log(error.message);
  console.log({ code, watchdog: deadline.watchdog, anchor: deadline.anchor, phase: deadline.phase });
  console.log(deadline.activeItems);
  assert.equal(code, 'deadline_silence');
  assert.equal(deadline.watchdog, 'silence');
  assert.equal(deadline.anchor, 'item_started');
  assert.equal(deadline.phase, 'buffered_item');
  assert.deepEqual(
    deadline.activeItems.map(({ kind, name }) => ({ kind, name })),
    [{ kind: 'tool_call', name: 'write_file' }],
  );
} finally {
  await engine.close();
  await simulator.close();
}
