import { startSimulator } from '@holdfast/simulator';
import type { Simulator } from '@holdfast/simulator';
import type { Item, JsonObject, JsonValue, ReplyEvent } from 'holdfast/turn';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, eventsOf, jsonOf } from './ask.js';
import type { Served } from './ask.js';

let simulator: Simulator;
beforeAll(async () => {
  simulator = await startSimulator({ timeScale: 0 });
});
afterAll(() => simulator.close());

/** What a client does to the signed value on its way back. */
type Carry = (signature: string) => string | undefined;

const MISSING =
  'Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and ' +
  'missing thought_signature may lead to degraded model performance. Additional data, function call ' +
  '`default_api:save_note` , position 2. Please refer to https://ai.google.dev/gemini-api/docs/thought-signatures for more details.';

const INVALID = { error: { code: 400, message: 'Invalid thought signature.', status: 'INVALID_ARGUMENT' } };

interface Played {
  /** Calls of each round. */
  readonly rounds: readonly number[];
  readonly text: string;
  readonly refusal: unknown;
}

describe.each<Served>(['gemini', 'openai-chat'])('a tool loop on %s', (dialect) => {
  it('ends after three rounds where every signature comes back', async () => {
    expect(await play(dialect, (signature) => signature)).toEqual({
      rounds: [1, 2, 1],
      text: 'Done after 3 rounds with 4 results.',
      refusal: undefined,
    });
  });

  it('takes a signature in the other alphabet of base64, and the value that skips the check', async () => {
    const urlSafe: Carry = (signature) => signature.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
    const skip: Carry = () => 'skip_thought_signature_validator';
    expect([(await play(dialect, urlSafe)).rounds, (await play(dialect, skip)).rounds]).toEqual([
      [1, 2, 1],
      [1, 2, 1],
    ]);
  });

  it('is refused in its second request where the signature is lost', async () => {
    const body = { error: { code: 400, message: MISSING, status: 'INVALID_ARGUMENT' } };
    expect(await play(dialect, () => undefined)).toEqual({
      rounds: [1],
      text: '',
      refusal: dialect === 'gemini' ? body : [body],
    });
  });

  it.each<[string, Carry]>([
    ['altered in one letter', (signature) => `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`],
    ['cut short', (signature) => signature.slice(0, 64)],
    ['encoded once more', (signature) => Buffer.from(signature).toString('base64')],
    ['no base64', () => 'not a signature!'],
  ])('is refused where the signature is %s', async (_, carry) => {
    const played = await play(dialect, carry);
    expect(played).toEqual({ rounds: [1], text: '', refusal: dialect === 'gemini' ? INVALID : [INVALID] });
  });

  it('is refused where two signatures have changed places', async () => {
    const seen: string[] = [];
    const first: Carry = (signature) => {
      seen.push(signature);
      return seen[0];
    };
    expect((await play(dialect, first)).rounds).toEqual([1, 2]);
  });

  it('goes on over a note of the user behind the results', async () => {
    expect((await play(dialect, (signature) => signature, { note: true })).rounds).toEqual([1, 2, 1]);
  });

  it('runs again in a second turn of the same conversation', async () => {
    const history: JsonValue[] = [];
    const first = await play(dialect, (signature) => signature, { history });
    const second = await play(dialect, (signature) => signature, { history });
    expect([first.rounds, second.rounds]).toEqual([
      [1, 2, 1],
      [1, 2, 1],
    ]);
  });

  it('asks for nothing back where the model signs nothing', async () => {
    expect((await play(dialect, () => undefined, { model: 'sim-tool-loop-unsigned' })).rounds).toEqual([1, 2, 1]);
  });
});

describe('a conversation that another simulator began', () => {
  it('is refused: its signatures are foreign', async () => {
    const other = await startSimulator({ timeScale: 0, seed: 2 });
    const history: JsonValue[] = [];
    await play('gemini', (signature) => signature, { history, roundsMax: 1 });
    const heard = await ask(other.url, { dialect: 'gemini', model: 'sim-tool-loop', change: { contents: history } });
    await other.close();
    expect([heard.status, jsonOf(heard)]).toEqual([400, INVALID]);
  });
});

interface PlayOptions {
  readonly model?: string;
  readonly note?: boolean;
  readonly history?: JsonValue[];
  readonly roundsMax?: number;
}

/** A client that runs every call and sends the reply back as `carry` leaves it. */
async function play(dialect: Served, carry: Carry, options: PlayOptions = {}): Promise<Played> {
  const { model = 'sim-tool-loop', history = [], roundsMax = 10 } = options;
  history.push(wordsOf(dialect, 'Please save four notes.'));
  const rounds: number[] = [];
  for (;;) {
    const noted =
      options.note === true && rounds.length > 0 ? [...history, wordsOf(dialect, 'Mind the time.')] : history;
    const change = dialect === 'gemini' ? { contents: noted } : { messages: noted };
    const heard = await ask(simulator.url, { dialect, model, change });
    if (heard.status !== 200) return { rounds, text: '', refusal: jsonOf(heard) };
    const items = eventsOf(dialect, heard).flatMap(itemsOf);
    const calls = items.filter(({ content }) => content.kind === 'tool_call');
    history.push(replyOf(dialect, items, carry));
    const text = items.map(({ content }) => (content.kind === 'message' ? content.text : '')).join('');
    if (calls.length === 0) return { rounds, text, refusal: undefined };
    rounds.push(calls.length);
    history.push(...resultsOf(dialect, calls));
    if (rounds.length >= roundsMax) return { rounds, text, refusal: undefined };
  }
}

function itemsOf(event: ReplyEvent): readonly Item[] {
  return event.type === 'item.completed' ? [event.result] : [];
}

function signatureOf({ opaque = [] }: Item, carry: Carry): string | undefined {
  const state = opaque.find(({ kind }) => kind === 'thought_signature');
  return typeof state?.value === 'string' ? carry(state.value) : undefined;
}

function wordsOf(dialect: Served, text: string): JsonObject {
  return dialect === 'gemini' ? { role: 'user', parts: [{ text }] } : { role: 'user', content: text };
}

function replyOf(dialect: Served, items: readonly Item[], carry: Carry): JsonObject {
  const calls = items.flatMap((item) => {
    if (item.content.kind !== 'tool_call' || item.content.input.form !== 'json') return [];
    return [{ ...item.content, input: item.content.input, signature: signatureOf(item, carry) }];
  });
  if (dialect === 'gemini') {
    const parts = calls.map(({ name, input, signature }) => ({
      functionCall: { name, args: input.value },
      ...(signature === undefined ? {} : { thoughtSignature: signature }),
    }));
    return { role: 'model', parts: parts.length === 0 ? [{ text: 'Done.' }] : parts };
  }
  const tool_calls = calls.map(({ callId, name, input, signature }) => ({
    id: callId,
    type: 'function',
    function: { name, arguments: input.text },
    ...(signature === undefined ? {} : { extra_content: { google: { thought_signature: signature } } }),
  }));
  return { role: 'assistant', content: 'Done.', ...(tool_calls.length === 0 ? {} : { tool_calls }) };
}

function resultsOf(dialect: Served, calls: readonly Item[]): readonly JsonObject[] {
  const named = calls.flatMap(({ content }) => (content.kind === 'tool_call' ? [content] : []));
  if (dialect === 'gemini') {
    return [
      { role: 'user', parts: named.map(({ name }) => ({ functionResponse: { name, response: { output: 'saved' } } })) },
    ];
  }
  return named.map(({ callId }) => ({ role: 'tool', tool_call_id: callId, content: 'saved' }));
}
