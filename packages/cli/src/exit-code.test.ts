import { describe, expect, it } from 'vitest';
import { EXIT_CODES, exitCodeOf, exitCodeOfFinish } from './exit-code.js';

describe('the exit code of a failed call', () => {
  it('is fixed for every kind of failure', () => {
    expect(EXIT_CODES).toEqual({
      transient: 7,
      deadline: 8,
      request: 4,
      context_overflow: 4,
      auth: 3,
      billing: 3,
      model_unknown: 4,
      content: 6,
      output_cap_thinking: 9,
      output_cap: 9,
      empty_completion: 9,
      protocol: 7,
      stopped: 130,
    });
  });

  it('is that of the signal where one came, whatever else failed at the same time', () => {
    expect([
      exitCodeOf('stopped', 'SIGINT'),
      exitCodeOf('transient', 'SIGINT'),
      exitCodeOf('stopped', 'SIGTERM'),
    ]).toEqual([130, 130, 143]);
    expect(exitCodeOf('deadline', undefined)).toBe(8);
  });
});

describe('the exit code of a reply that ended by itself', () => {
  it('is no success where the reply was cut or blocked', () => {
    const reasons = ['stop', 'tool_calls', 'unknown', 'length', 'content_filter'] as const;
    expect(reasons.map(exitCodeOfFinish)).toEqual([0, 0, 0, 9, 6]);
  });
});
