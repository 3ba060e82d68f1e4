import { describe, expect, it } from 'vitest';
import { boundText, quoteUpstream, redact } from './redact.js';

describe('a text with credentials (I35)', () => {
  it.each([
    ['OpenAI', 'key sk-proj-Ab12Cd34Ef56Gh78 was refused', 'key [redacted] was refused'],
    ['Anthropic', 'sk-ant-api03-AAAABBBBCCCC1234_x', '[redacted]'],
    ['Google', 'Invalid API key: AIzaSyA0000111122223333444455556666777788', 'Invalid API key: [redacted]'],
    ['Google, as a recording has it', 'Invalid API key: AIzv00G7VmUCUeC-5OglO3hcXM', 'Invalid API key: [redacted]'],
    ['a bearer header', 'authorization: Bearer abc.def-123', 'authorization: Bearer [redacted]'],
    ['a query', 'GET /v1/models?key=s3cret&alt=sse', 'GET /v1/models?key=[redacted]&alt=sse'],
    ['ours', 'hold_live_0123456789abcdef', '[redacted]'],
    ['a token of three parts', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln', '[redacted]'],
    [
      'a named key without a form',
      'Incorrect API key provided: abcdefghijklmnop.',
      'Incorrect API key provided: [redacted].',
    ],
  ])('loses them: %s', (_, text, expected) => {
    expect(redact(text)).toBe(expected);
  });

  it.each([
    'Authentication Fails, Your api key: ****-key is invalid',
    'Incorrect API key provided: invalid-key. You can find your API key at https://platform.openai.com/account/api-keys.',
    'API key not valid. Please pass a valid API key.',
    'The skill sk-learn is a task-runner; hold_on to the monkey=banana',
    'models/gemini-3.6-flash is not found for API version v1beta',
  ])('keeps what is none: %s', (text) => {
    expect(redact(text)).toBe(text);
  });
});

describe('a long text', () => {
  it('is cut to its bytes, the mark included, and splits no character', () => {
    const cut = ['a', 'ż', '漢', '🐢'].map((char) => boundText(char.repeat(2_000), 100));
    expect(cut).toEqual([`${'a'.repeat(97)}…`, `${'ż'.repeat(48)}…`, `${'漢'.repeat(32)}…`, `${'🐢'.repeat(24)}…`]);
  });

  it('is kept where it just fits', () => {
    expect([boundText('ż'.repeat(50), 100), boundText('', 0)]).toEqual(['ż'.repeat(50), '']);
  });

  it('shows no beginning of a key that the cut goes through', () => {
    const text = `${'a '.repeat(1_015)}sk-proj-${'Ab12'.repeat(20)}`;
    expect(quoteUpstream(text)).not.toMatch(/sk-|Ab12/u);
  });

  it('costs its length and not more, whatever it repeats', () => {
    for (const piece of ['sk-', 'Bearer ', 'eyJ', 'a.', 'api key: ', '?key=', '&']) {
      expect(quoteUpstream(piece.repeat(400_000)).length).toBeLessThanOrEqual(2_048);
    }
  });
});
