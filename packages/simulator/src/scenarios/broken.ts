import type { Scenario } from '../scenario/scenario.js';

const BROKEN_JSON = {
  gemini: 'data: {"candidates":[{"content":{"parts":[{"text":"and then\r\n\r\n',
  'openai-chat': 'data: {"id":"chatcmpl-broken","choices":[{"index":0,"delta":{"content":"and then\n\n',
};

export const BROKEN: readonly Scenario[] = [
  {
    name: 'cut-stream',
    about: 'The connection breaks in the middle of an event of the text.',
    rounds: [
      {
        answer: {
          steps: [{ say: 'The answer begins well, it goes on, and then the line' }, { cut: 'reset', midEvent: true }],
        },
      },
    ],
  },
  {
    name: 'cut-in-tool',
    about: 'The connection breaks in the middle of the arguments of a tool call.',
    rounds: [
      {
        answer: {
          steps: [{ say: 'I write the file. ' }, { call: { chars: 2_000 } }, { cut: 'reset', midEvent: true }],
        },
      },
    ],
  },
  {
    name: 'missing-terminal',
    about: 'The stream closes cleanly after the text, without the event that ends a reply.',
    rounds: [{ answer: { steps: [{ say: 'The answer seems whole, but nobody says that it is.' }, { cut: 'close' }] } }],
  },
  {
    name: 'garbage',
    about: 'An event in the middle of the text is no JSON.',
    rounds: [{ answer: { steps: [{ say: 'The answer begins well ' }, { raw: BROKEN_JSON }, { cut: 'close' }] } }],
  },
  {
    name: 'error-in-200',
    about: 'Answers 200 and then, before any word, an error inside the stream.',
    rounds: [{ answer: { steps: [{ error: 'overloaded' }] } }],
  },
  {
    name: 'error-after-text',
    about: 'An error inside the stream after the first words.',
    rounds: [{ answer: { steps: [{ say: 'The answer begins well and then' }, { error: 'internal' }] } }],
  },
  {
    name: 'html-200',
    about: "A proxy's HTML page with status 200.",
    rounds: [
      {
        answer: {
          status: 200,
          headers: { 'content-type': 'text/html' },
          body: '<!doctype html><title>Maintenance</title><p>We will be back soon.</p>',
        },
      },
    ],
  },
  {
    name: 'empty-200',
    about: 'Status 200, and a body without a byte.',
    rounds: [{ answer: { status: 200, headers: { 'content-type': 'text/event-stream' }, body: '' } }],
  },
];
