import type { ErrorName, Round, Scenario } from '../scenario/scenario.js';

const FINE: Round = { answer: { steps: [{ say: 'This time it went well.' }] } };

export const REFUSED: readonly Scenario[] = [
  always('http-400-signature', 'Always the 400 of a function call without its thought signature.', 'signature_missing'),
  always(
    'http-400-signature-invalid',
    'Always the 400 of a thought signature that cannot be read.',
    'signature_invalid',
  ),
  always('bad-key', 'The provider does not accept the key: 401 on the Chat wire, 400 on the Gemini wire.', 'bad_key'),
  always('forbidden', 'The key has no right to the model: 403.', 'forbidden'),
  always('unknown-model', 'The provider does not know the model: 404.', 'model_unknown'),
  always('context-overflow', 'The prompt is longer than the context window: 400.', 'context_overflow'),
  always('quota-exhausted', 'The quota is spent and no waiting helps: 429.', 'quota_exhausted'),
  always('overloaded', 'Always overloaded: 503.', 'overloaded'),
  always('internal', 'Always an internal error: 500.', 'internal'),
  {
    name: 'rate-limited',
    about: 'The first request gets a 429 that asks for one second; the next is answered.',
    rounds: [{ when: { request: 1 }, answer: { error: 'rate_limited', retryAfterSeconds: 1 } }, FINE],
  },
  {
    name: 'rate-limited-long',
    about: 'Always a 429 that asks for an hour.',
    rounds: [{ answer: { error: 'rate_limited', retryAfterSeconds: 3_600 } }],
  },
  {
    name: 'overloaded-once',
    about: 'The first request gets a 503; the next is answered.',
    rounds: [{ when: { request: 1 }, answer: { error: 'overloaded' } }, FINE],
  },
];

function always(name: string, about: string, error: ErrorName): Scenario {
  return { name, about, rounds: [{ answer: { error } }] };
}
