import { DIALECTS } from 'holdfast/dialects';
import { isRecord, listOf, stringOf } from 'holdfast/wire';
import { describe, expect, it } from 'vitest';
import type { Call } from '../scenario/scenario.js';
import { composeReply } from './compose-reply.js';
import { renderStream } from './render-reply.js';

const PACE = { prefillMs: 0, tokensPerSecond: 10, jitter: 0 };

/** The writes of a Chat reply that makes one call: how long each waits, and what its deltas say of the call. */
function writesOf(call: Call): readonly { readonly afterMs: number; readonly calls: readonly unknown[] }[] {
  const dialect = DIALECTS['openai-chat'];
  if (dialect === undefined) throw new TypeError('The Chat dialect is missing.');
  const steps = [{ call }];
  const beats = composeReply({
    scenario: { name: 's', about: 'Calls.', rounds: [{ answer: { steps } }], pace: PACE },
    steps,
    request: { model: 's', messages: [] },
    standing: { conversation: 'c', turn: 0, round: 0, results: 0, steps: [] },
    dialect: 'openai-chat',
    seed: 1,
    answer: 1,
    inputTokens: 1,
  });
  const writer = { replyId: 'r', model: 's', createdAtSeconds: 1, framing: 'sse', wantsUsage: false } as const;
  const { performance } = renderStream(beats, {
    dialect,
    writer,
    errorOf: () => {
      throw new TypeError('No error is played.');
    },
  });
  return performance.writes.flatMap(({ afterMs, bytes }) => {
    const calls = bytes.toString('utf8').split('\n\n').flatMap(callsIn);
    return calls.length === 0 ? [] : [{ afterMs, calls }];
  });
}

/** Of each delta of a call: its name, how much of its arguments it holds, whether it is signed. */
function callsIn(frame: string): readonly unknown[] {
  if (!frame.startsWith('data: {')) return [];
  const chunk: unknown = JSON.parse(frame.slice('data: '.length));
  const [choice] = isRecord(chunk) ? listOf(chunk['choices']) : [];
  const delta = isRecord(choice) ? choice['delta'] : undefined;
  return listOf(isRecord(delta) ? delta['tool_calls'] : undefined).map((call) => {
    const fields = isRecord(call) ? call : {};
    const fn = isRecord(fields['function']) ? fields['function'] : {};
    return [fn['name'], stringOf(fn['arguments'])?.length ?? 0, 'extra_content' in fields];
  });
}

const CALL: Call = { tool: 'f', text: `{"a":"${'x'.repeat(32)}"}`, id: 'call_1' };

describe('a call on the Chat wire', () => {
  it('that the server signs is one delta with its signature, when all of it is written', () => {
    expect(writesOf({ ...CALL, signature: true })).toEqual([{ afterMs: 1_000, calls: [['f', 40, true]] }]);
  });

  it('that the server buffers shows its start before the silence', () => {
    expect(writesOf({ ...CALL, silent: 90_000 })).toEqual([
      { afterMs: 0, calls: [['f', 0, false]] },
      { afterMs: 90_000, calls: [[undefined, 40, false]] },
    ]);
  });

  it('that ends with its start shows that', () => {
    expect(writesOf({ ...CALL, until: 'start' })).toEqual([{ afterMs: 0, calls: [['f', 0, false]] }]);
  });
});
