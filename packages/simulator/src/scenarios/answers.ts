import type { Scenario } from '../scenario/scenario.js';

export const ANSWERS: readonly Scenario[] = [
  {
    name: 'plain',
    about: 'A short answer in plain text, without thinking.',
    rounds: [
      {
        answer: {
          steps: [
            {
              say:
                'This answer comes from the simulator, not from a model. It arrives in pieces, at the pace of a real ' +
                'one, and it ends as the provider ends it.',
            },
          ],
        },
      },
    ],
  },
  {
    name: 'thinking',
    about: 'Thinking, then an answer that carries a signature.',
    rounds: [
      {
        answer: {
          steps: [
            { think: 'The question is short, so the answer can be short. I check the units, then I answer.' },
            { say: 'Twelve knots are about 22 kilometres an hour.', signature: true },
          ],
        },
      },
    ],
  },
  {
    name: 'cap-thinking',
    about: 'Thinks for 8,192 tokens, so a cap up to that is spent before the first word.',
    pace: { tokensPerSecond: 2_000 },
    rounds: [
      {
        answer: {
          steps: [
            { think: 'This needs a long look at every branch before the first line can be written.', tokens: 8_192 },
            { say: 'With more room than the thinking needs, here is the answer.' },
          ],
        },
      },
    ],
  },
  {
    name: 'cap-cut-text',
    about: 'An answer of about 250,000 tokens, so that any cap cuts it.',
    pace: { tokensPerSecond: 20_000 },
    rounds: [{ answer: { steps: [{ say: 'All of it, from the beginning: '.repeat(32_000), chunks: 500 }] } }],
  },
  {
    name: 'empty',
    about: 'Stops at once and says nothing.',
    rounds: [{ answer: { steps: [{ finish: 'stop' }] } }],
  },
  {
    name: 'refusal',
    about: 'The model refuses: in words on the Chat wire, as a safety stop on the Gemini wire.',
    rounds: [
      { when: { dialect: 'gemini' }, answer: { steps: [{ finish: 'content_filter' }] } },
      { answer: { steps: [{ refuse: "I'm sorry, I can't help with that." }, { finish: 'stop' }] } },
    ],
  },
  {
    name: 'content-filter',
    about: 'A filter stops the answer in the middle of its text.',
    rounds: [
      { answer: { steps: [{ say: 'The first half of the answer is here and then ' }, { finish: 'content_filter' }] } },
    ],
  },
  {
    name: 'trickle',
    about: 'Delivers its answer one byte every thirty seconds.',
    rounds: [
      {
        answer: {
          steps: [{ say: 'Slowly but surely.' }],
          delivery: { bytesPerWrite: 1, everyMs: 30_000 },
        },
      },
    ],
  },
  {
    name: 'split-bytes',
    about: 'Every byte of the stream is a write of its own, through characters of several bytes too.',
    rounds: [
      {
        answer: {
          steps: [
            { think: 'Grüße aus Zürich.' },
            { say: 'Zwölf Boxkämpfer jagen Viktor quer über den großen Sylter Deich. 🎣⚓️' },
          ],
          delivery: { bytesPerWrite: 1 },
        },
      },
    ],
  },
  {
    name: 'odd-lines',
    about: 'A byte order mark and lone carriage returns as line ends.',
    rounds: [
      {
        answer: {
          steps: [{ say: 'The lines end oddly, the text is whole.' }],
          delivery: { lineEnd: 'cr', byteOrderMark: true },
        },
      },
    ],
  },
];
