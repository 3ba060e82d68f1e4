import { describe, expect, it } from 'vitest';
import { CommandError } from './command-error.js';
import { readDeadline, deadlineAdvice } from './read-deadline.js';
import { PORTS, POSITIVE, readNumber, TEMPERATURES } from './read-number.js';

describe('a numeric flag', () => {
  it('takes what is in its range', () => {
    expect([readNumber('--port', PORTS)('0'), readNumber('--port', PORTS)('65535')]).toEqual([0, 65_535]);
    expect(readNumber('--temperature', TEMPERATURES)('0.7')).toBe(0.7);
  });

  it.each(['65536', '-1', '80.5', '1e3', '0x50', ' 80', '', 'http'])(
    'refuses "%s" as a port, by the name of the flag',
    (text) => {
      expect(() => readNumber('--port', PORTS)(text)).toThrow(
        new CommandError(`--port is "${text}". Give a whole number from 0 to 65535.`),
      );
    },
  );

  it('refuses 0 where only a positive number makes sense', () => {
    expect(() => readNumber('--max-output-tokens', POSITIVE)('0')).toThrow(
      new CommandError('--max-output-tokens is "0". Give a whole number from 1 to 9007199254740991.'),
    );
  });
});

describe('a deadline among the flags', () => {
  it('is read with its unit, over earlier ones', () => {
    expect(readDeadline('silence=90s', { connectMs: 5 })).toEqual({ connectMs: 5, silenceMs: 90_000 });
    expect(readDeadline('open-item=1.5m', {})).toEqual({ openItemMs: 90_000 });
  });

  it.each(['silence', 'silence=', 'silence=90', 'silence=0s', 'silence=-1s', 'silence=1d', 'silence=3s=4'])(
    'is refused as "%s"',
    (text) => {
      expect(() => readDeadline(text, {})).toThrow(/^--deadline silence is ".*"\. Give a time above 0 with its unit/);
    },
  );

  it('is refused under a name that no deadline has', () => {
    expect(() => readDeadline('hush=5s', {})).toThrow(/^--deadline "hush=5s" names no deadline\..*silence/);
  });

  it('is what advice of the library speaks of', () => {
    expect(deadlineAdvice('Raise deadlines.silenceMs, or deadlines.silenceMaxMs.')).toBe(
      'Raise `--deadline silence=TIME`, or `--deadline silence-max=TIME`.',
    );
  });
});
