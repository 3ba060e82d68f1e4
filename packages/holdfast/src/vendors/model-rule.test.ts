import { describe, expect, it } from 'vitest';
import { UNKNOWN_PRODUCER } from '../turn/index.js';
import { VENDORS } from './index.js';
import { matches, modelRule } from './model-rule.js';

describe('a pattern of model names', () => {
  it.each([
    ['gemini-*', 'gemini-3-pro', true],
    ['gemini-*', 'gemini', false],
    ['gpt-5', 'gpt-5', true],
    ['gpt-5', 'gpt-5-mini', false],
    ['*-mini', 'gpt-5-mini', true],
    ['*', '', true],
    ['a*b*c', 'a-b-b-c', true],
    ['a*b*c', 'a-c-b', false],
    ['aba*aba', 'aba', false],
    ['ab*ba', 'aba', false],
  ] as const)('%s fits %s: %s', (pattern, model, fits) => {
    expect(matches(pattern, model)).toBe(fits);
  });
});

describe('a model that no rule knows', () => {
  it('is taken for one that shows nothing', () => {
    expect(modelRule(VENDORS.openai, 'llama-9')).toEqual({
      pattern: '*',
      capabilities: UNKNOWN_PRODUCER,
      contextWindow: undefined,
      outputLimit: undefined,
    });
  });
});
