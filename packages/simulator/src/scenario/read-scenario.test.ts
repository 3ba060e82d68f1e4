import { MisuseError } from 'holdfast/turn';
import { describe, expect, it } from 'vitest';
import { readScenario } from './read-scenario.js';

const answer = { steps: [{ say: 'Hello.' }] };
const file = (change: object): object => ({ name: 'mine', about: 'One of mine.', rounds: [{ answer }], ...change });
const step = (value: unknown): object => file({ rounds: [{ answer: { steps: [value] } }] });

function complaintOf(json: unknown): string {
  try {
    readScenario(json);
  } catch (problem) {
    if (problem instanceof MisuseError) return `${problem.code}: ${problem.message}`;
    throw problem;
  }
  return 'accepted';
}

describe('a scenario file that is wrong', () => {
  it.each([
    ['no object', [], 'Scenario field (the whole file) must be an object.'],
    ['no name', { about: 'x', rounds: [{ answer }] }, 'Scenario field name must be a string.'],
    ['a name with spaces', file({ name: 'My Own' }), 'Scenario field name must be lower-case words joined by hyphens.'],
    ['no rounds', file({ rounds: [] }), 'Scenario field rounds must have at least one round.'],
    [
      'a condition on its last round',
      file({ rounds: [{ when: { round: 0 }, answer }] }),
      'Scenario field rounds must end with a round that has no "when", so that every request has an answer.',
    ],
    [
      'a pace of nothing',
      file({ pace: { tokensPerSecond: 0 } }),
      'Scenario field pace.tokensPerSecond must be a number from 0.01 to 1000000.',
    ],
    [
      'an unknown condition',
      file({ rounds: [{ when: { rounds: 1 }, answer }, { answer }] }),
      'Scenario field rounds[0].when does not take the field "rounds". It takes: round, request, cap, dialect, stream.',
    ],
    [
      'a dialect that does not exist',
      file({ rounds: [{ when: { dialect: 'chat' }, answer }, { answer }] }),
      'Scenario field rounds[0].when.dialect must be one of: gemini, anthropic, openai-chat, openai-responses.',
    ],
    [
      'two kinds of answer in one',
      file({ rounds: [{ answer: { ...answer, error: 'internal' } }] }),
      'Scenario field rounds[0].answer must have exactly one of: steps, error, body.',
    ],
    [
      'an error with delivery',
      file({ rounds: [{ answer: { error: 'internal', delivery: {} } }] }),
      'Scenario field rounds[0].answer has "delivery", which does not belong to this kind of answer.',
    ],
    [
      'a header that breaks the head',
      file({ rounds: [{ answer: { ...answer, headers: { 'x-a': 'b\r\nc' } } }] }),
      'Scenario field rounds[0].answer.headers.x-a must hold printable ASCII only.',
    ],
    [
      'a negative wait',
      step({ wait: -1 }),
      'Scenario field rounds[0].answer.steps[0].wait must be a number from 0 to 86400000.',
    ],
    [
      'a step of two kinds',
      step({ say: 'a', think: 'b' }),
      'Scenario field rounds[0].answer.steps[0] must have exactly one of: think, say, refuse, call, wait, ping, usage, finish, error, raw, cut.',
    ],
    [
      'an unknown field of a call',
      step({ call: { name: 'x' } }),
      'Scenario field rounds[0].answer.steps[0].call does not take the field "name". It takes: tool, arguments, text, chars, id, silent, deltas, until, signature.',
    ],
    [
      'a finish that nobody knows',
      step({ finish: 'done' }),
      'Scenario field rounds[0].answer.steps[0].finish must be one of: stop, tool_calls, length, content_filter.',
    ],
    [
      'arguments that are a list',
      step({ call: { arguments: [] } }),
      'Scenario field rounds[0].answer.steps[0].call.arguments must be an object.',
    ],
  ])('is refused with the field named: %s', (_, json, sentence) => {
    expect(complaintOf(json)).toBe(`scenario_invalid: ${sentence}`);
  });

  it('is refused where an error has no known name', () => {
    expect(complaintOf(file({ rounds: [{ answer: { error: 'teapot' } }] }))).toContain(
      'rounds[0].answer.error must be one of: signature_missing,',
    );
  });
});

describe('a scenario file that is right', () => {
  it('is read as it stands', () => {
    const json = file({
      signatures: 'none',
      pace: { tokensPerSecond: 15 },
      rounds: [
        {
          when: { round: { from: 1 }, request: 2, cap: { to: 100 }, stream: true },
          answer: { error: { status: 418, code: 'TEAPOT', message: 'Short.' } },
        },
        { answer: { status: 200, body: { odd: [1, null] }, headers: { 'x-a': 'b' }, headersAfterMs: 5 } },
      ],
    });
    expect(readScenario({ $schema: './scenario.schema.json', ...json })).toEqual(json);
  });
});
