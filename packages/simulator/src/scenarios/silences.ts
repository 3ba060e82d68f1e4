import type { Scenario } from '../scenario/scenario.js';

export const SILENCES: readonly Scenario[] = [
  {
    name: 'stall-after-start',
    about: 'Announces a tool call where its wire can, and then says nothing for ever.',
    rounds: [
      {
        answer: {
          steps: [{ think: 'I will write the file now.' }, { call: { until: 'start' } }, { cut: 'hang' }],
        },
      },
    ],
  },
  {
    name: 'stall-in-arguments',
    about: 'Half of the arguments of a tool call where its wire shows them, and then nothing for ever.',
    rounds: [
      {
        answer: {
          steps: [{ think: 'I will write the file now.' }, { call: { chars: 2_000, until: 'half' } }, { cut: 'hang' }],
        },
      },
    ],
  },
  {
    name: 'no-start-stall',
    about: 'Thinks, announces nothing, and then says nothing for ever.',
    rounds: [{ answer: { steps: [{ think: 'I will write the file now.' }, { cut: 'hang' }] } }],
  },
  {
    name: 'silent-text',
    about: 'Half of an answer, and then nothing for ever.',
    rounds: [{ answer: { steps: [{ say: 'The answer begins well and then' }, { cut: 'hang' }] } }],
  },
  {
    name: 'slow-prefill',
    about: 'Accepts the request at once and needs 100 seconds to its first word.',
    pace: { prefillMs: 100_000 },
    rounds: [{ answer: { steps: [{ say: 'The prompt was long; here is the answer.' }] } }],
  },
  {
    name: 'slow-headers',
    about: 'Sends not even its headers for 100 seconds, then answers.',
    rounds: [{ answer: { headersAfterMs: 100_000, steps: [{ say: 'The answer was worth the wait.' }] } }],
  },
  {
    name: 'prefill-hang',
    about: 'Accepts the request and says nothing for ever.',
    rounds: [{ answer: { steps: [{ cut: 'hang' }] } }],
  },
  {
    name: 'pings-only',
    about: 'A comment every fifteen seconds for five minutes and never a word.',
    rounds: [
      {
        answer: {
          steps: [...Array.from({ length: 20 }, () => [{ wait: 15_000 }, { ping: 1 }]).flat(), { cut: 'hang' }],
        },
      },
    ],
  },
];
