import type { Call, Round, Scenario, Step } from '../scenario/scenario.js';

const READY: Round = { answer: { steps: [{ say: 'Done after {{rounds}} rounds with {{results}} results.' }] } };

/** One call, two at once, one large one; the first of each step is signed. */
function threeRounds(signature: boolean): readonly Round[] {
  const first: Call = { signature };
  return [
    round(0, [{ think: 'I need to look at the first thing before I can go on.' }, { call: first }]),
    round(1, [
      { think: 'The first result asks for two more, and they do not depend on each other.' },
      { call: first },
      { call: { signature: false } },
    ]),
    round(2, [{ think: 'Now I write all of it down in one call.' }, { call: { ...first, chars: 4_000 } }]),
    READY,
  ];
}

function round(n: number, steps: readonly Step[]): Round {
  return { when: { round: n }, answer: { steps } };
}

export const TOOLS: readonly Scenario[] = [
  {
    name: 'tool-loop',
    about:
      'Three rounds of tool calls with thinking and signatures, then an answer; a signature that is not sent back is a 400.',
    rounds: threeRounds(true),
  },
  {
    name: 'tool-loop-unsigned',
    about: 'The same three rounds from a model that signs nothing and asks for nothing back.',
    signatures: 'none',
    rounds: threeRounds(false),
  },
  {
    name: 'silent-tool',
    about: 'A tool call of about 3,500 tokens whose arguments are kept back for 200 seconds.',
    rounds: [
      round(0, [{ think: 'I will write the whole page in one call.' }, { call: { chars: 14_000, silent: 200_000 } }]),
      READY,
    ],
  },
  {
    name: 'cap-cut-tool',
    about: 'The output cap cuts a tool call in the middle of its arguments.',
    rounds: [{ answer: { steps: [{ call: { chars: 4_000, until: 'half' } }, { finish: 'length' }] } }],
  },
  {
    name: 'bad-tool-json',
    about: 'A finished tool call whose arguments are not JSON; on the Gemini wire the generation fails as malformed.',
    rounds: [round(0, [{ call: { text: '{"path": "a.txt", "content": "it\'s "quoted""}' } }]), READY],
  },
  {
    name: 'unknown-tool',
    about: 'Calls a tool that nobody offered.',
    rounds: [round(0, [{ call: { tool: 'tool_that_nobody_offered', arguments: { why: 'habit' } } }]), READY],
  },
];
