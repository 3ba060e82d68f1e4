import type { DialectName } from 'holdfast/dialects';
import { Field } from './field.js';
import type { ObjectField } from './field.js';
import { readStep } from './read-step.js';
import { readErrorSpec } from './read-step.js';
import { SCENARIO_LIMITS } from './scenario.js';
import type { Answer, Count, Delivery, Pace, Round, Scenario, When } from './scenario.js';

/** An unknown value as a scenario. Throws `MisuseError` naming the field that is wrong. */
export function readScenario(json: unknown): Scenario {
  const file = new Field(json, '').object(['$schema', 'name', 'about', 'signatures', 'pace', 'rounds']);
  const name = file.get('name');
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name.words(80))) name.refuse('must be lower-case words joined by hyphens.');
  return {
    name: name.words(80),
    about: file.get('about').words(400),
    ...file.optional('signatures', (field) => field.oneOf(['required', 'none'] as const)),
    ...file.optional('pace', readPace),
    rounds: readRounds(file.get('rounds')),
  };
}

function readPace(field: Field): Partial<Pace> {
  const pace = field.object(['tokensPerSecond', 'jitter', 'prefillMs']);
  return {
    ...pace.optional('tokensPerSecond', (inner) => inner.number(0.01, 1_000_000)),
    ...pace.optional('jitter', (inner) => inner.number(0, 1)),
    ...pace.optional('prefillMs', readMs),
  };
}

function readRounds(field: Field): readonly Round[] {
  const rounds = field.list(SCENARIO_LIMITS.rounds).map(readRound);
  if (rounds.length === 0) field.refuse('must have at least one round.');
  if (rounds.at(-1)?.when !== undefined) {
    field.refuse('must end with a round that has no "when", so that every request has an answer.');
  }
  return rounds;
}

function readRound(field: Field): Round {
  const round = field.object(['when', 'answer']);
  return { ...round.optional('when', readWhen), answer: readAnswer(round.get('answer')) };
}

const DIALECT_NAMES: readonly DialectName[] = ['gemini', 'anthropic', 'openai-chat', 'openai-responses'];

function readWhen(field: Field): When {
  const when = field.object(['round', 'request', 'cap', 'dialect', 'stream']);
  return {
    ...when.optional('round', readCount),
    ...when.optional('request', readCount),
    ...when.optional('cap', readCount),
    ...when.optional('dialect', (inner) => inner.oneOf(DIALECT_NAMES)),
    ...when.optional('stream', (inner) => inner.flag()),
  };
}

function readCount(field: Field): Count {
  if (field.is('number')) return field.integer(0, Number.MAX_SAFE_INTEGER);
  const range = field.object(['from', 'to']);
  return {
    ...range.optional('from', (inner) => inner.integer(0, Number.MAX_SAFE_INTEGER)),
    ...range.optional('to', (inner) => inner.integer(0, Number.MAX_SAFE_INTEGER)),
  };
}

function readAnswer(field: Field): Answer {
  const answer = field.object([
    'steps',
    'delivery',
    'error',
    'retryAfterSeconds',
    'status',
    'body',
    'headers',
    'headersAfterMs',
  ]);
  const kinds = ['steps', 'error', 'body'].filter((key) => answer.has(key));
  if (kinds.length !== 1) field.refuse('must have exactly one of: steps, error, body.');
  const headers = {
    ...answer.optional('headers', readHeaders),
    ...answer.optional('headersAfterMs', readMs),
  };
  if (kinds[0] === 'steps') {
    allowOnly(field, answer, ['delivery']);
    const steps = answer.get('steps').list(SCENARIO_LIMITS.steps).map(readStep);
    return { ...headers, steps, ...answer.optional('delivery', readDelivery) };
  }
  if (kinds[0] === 'error') {
    allowOnly(field, answer, ['retryAfterSeconds']);
    const retryAfter = answer.optional('retryAfterSeconds', (inner) => inner.integer(0, 1_000_000));
    return { ...headers, error: readErrorSpec(answer.get('error')), ...retryAfter };
  }
  allowOnly(field, answer, ['status']);
  return { ...headers, status: answer.get('status').integer(200, 599), body: answer.get('body').json() };
}

const OF_ONE_KIND = ['delivery', 'retryAfterSeconds', 'status'];

function allowOnly(field: Field, answer: ObjectField, allowed: readonly string[]): void {
  const stranger = OF_ONE_KIND.find((key) => answer.has(key) && !allowed.includes(key));
  if (stranger !== undefined) field.refuse(`has "${stranger}", which does not belong to this kind of answer.`);
}

function readDelivery(field: Field): Delivery {
  const delivery = field.object(['bytesPerWrite', 'everyMs', 'lineEnd', 'byteOrderMark']);
  return {
    ...delivery.optional('bytesPerWrite', (inner) => inner.integer(1, 1_000_000)),
    ...delivery.optional('everyMs', readMs),
    ...delivery.optional('lineEnd', (inner) => inner.oneOf(['lf', 'crlf', 'cr'] as const)),
    ...delivery.optional('byteOrderMark', (inner) => inner.flag()),
  };
}

function readHeaders(field: Field): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...field.map()].map(([name, value]) => {
      if (!/^[a-z0-9-]+$/.test(name)) value.refuse('must be named in lower-case letters, digits and hyphens.');
      const text = value.text(8_000);
      if (!/^[\t\x20-\x7e]*$/.test(text)) value.refuse('must hold printable ASCII only.');
      return [name, text];
    }),
  );
}

function readMs(field: Field): number {
  return field.number(0, SCENARIO_LIMITS.waitMs);
}
