import { describe, expect, it } from 'vitest';
import { closestName } from './closest-name.js';

describe('a model name that is none of ours', () => {
  const names = ['gemini-3.1-pro', 'gpt-5.2', 'sim/answer'];

  it.each([
    ['gemini-3-pro', 'gemini-3.1-pro'],
    ['GPT-5.2', 'gpt-5.2'],
    ['sim/anwser', 'sim/answer'],
    ['claude-opus', undefined],
    ['', undefined],
    ['x'.repeat(200), undefined],
  ])('%s is nearest to %s', (word, nearest) => {
    expect(closestName(word, names)).toBe(nearest);
  });
});
