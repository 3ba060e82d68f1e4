import { readFileSync } from 'node:fs';
import { ERROR_NAMES, SCENARIOS, readScenario } from '@holdfast/simulator';
import { describe, expect, it } from 'vitest';
import { accepts } from './json-schema.js';

const SCHEMA: unknown = JSON.parse(readFileSync(new URL('../scenario.schema.json', import.meta.url), 'utf8'));
const README = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

const answer = { steps: [{ say: 'Hello.' }] };
const file = (change: object): object => ({ name: 'mine', about: 'One of mine.', rounds: [{ answer }], ...change });
const only = (one: unknown): object => file({ rounds: [{ answer: one }] });
const step = (one: unknown): object => only({ steps: [one] });

function isRead(json: unknown): boolean {
  try {
    readScenario(json);
    return true;
  } catch {
    return false;
  }
}

describe('scenario.schema.json', () => {
  it.each(SCENARIOS.map((scenario) => [scenario.name, scenario] as const))('accepts the built-in %s', (_, scenario) => {
    expect(accepts(SCHEMA, JSON.parse(JSON.stringify(scenario)))).toBe(true);
  });

  it('accepts the example of the README, and so does the reader', () => {
    const example: unknown = JSON.parse(/```json\n([\s\S]+?)```/.exec(README)?.[1] ?? '');
    expect([accepts(SCHEMA, example), isRead(example)]).toEqual([true, true]);
  });

  it.each(ERROR_NAMES)('knows the error %s', (error) => {
    expect(accepts(SCHEMA, only({ error }))).toBe(true);
  });

  it.each([
    [],
    {},
    file({ name: 'My Own' }),
    file({ about: '' }),
    file({ rounds: [] }),
    file({ extra: 1 }),
    file({ signatures: 'some' }),
    file({ pace: { tokensPerSecond: 0 } }),
    file({ pace: { jitter: 2 } }),
    file({ rounds: [{ when: { rounds: 1 }, answer }, { answer }] }),
    file({ rounds: [{ when: { round: -1 }, answer }, { answer }] }),
    file({ rounds: [{ when: { round: { from: 1.5 } }, answer }, { answer }] }),
    file({ rounds: [{ when: { dialect: 'chat' }, answer }, { answer }] }),
    only({ ...answer, error: 'internal' }),
    only({ error: 'teapot' }),
    only({ error: 'internal', delivery: {} }),
    only({ body: 'x' }),
    only({ status: 99, body: 'x' }),
    only({ ...answer, headers: { 'X-Upper': 'b' } }),
    only({ ...answer, headersAfterMs: -1 }),
    only({ ...answer, delivery: { lineEnd: 'lfcr' } }),
    step({}),
    step({ say: 'a', think: 'b' }),
    step({ say: 1 }),
    step({ think: 'a', chunks: 0 }),
    step({ wait: -1 }),
    step({ ping: 0 }),
    step({ call: { name: 'x' } }),
    step({ call: { arguments: [] } }),
    step({ call: { id: 5 } }),
    step({ call: { until: 'end' } }),
    step({ call: { signature: 0 } }),
    step({ finish: 'done' }),
    step({ usage: { tokens: 1 } }),
    step({ raw: { chat: 'x' } }),
    step({ cut: 'drop' }),
    step({ error: { status: 500 } }),
  ])('refuses, as the reader does, %j', (json) => {
    expect([accepts(SCHEMA, json), isRead(json)]).toEqual([false, false]);
  });
});
