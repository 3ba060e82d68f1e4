import { describe, expect, it } from 'vitest';
import { readDurationMs, readRetryAfterMs, readWaitWordsMs } from './retry-after.js';

const AT = Date.UTC(2026, 10, 30, 12, 0, 0);

describe('an answer that asks to wait', () => {
  it.each([
    ['seconds', { 'retry-after': '17' }, 17_000],
    ['seconds with decimals', { 'retry-after': '0.25' }, 250],
    ['spaces around', { 'retry-after': ' 3 ' }, 3_000],
    ['nothing left to wait', { 'retry-after': '0' }, 0],
    ['a negative time', { 'retry-after': '-5' }, 0],
    ['a date', { 'retry-after': 'Mon, 30 Nov 2026 12:00:30 GMT' }, 30_000],
    ['a date that has passed', { 'retry-after': 'Mon, 30 Nov 2026 00:00:00 GMT' }, 0],
    ['milliseconds', { 'retry-after-ms': '1500' }, 1_500],
    ['milliseconds before seconds', { 'retry-after-ms': '20', 'retry-after': '60' }, 20],
    ['seconds where the milliseconds are garbage', { 'retry-after-ms': 'soon', 'retry-after': '2' }, 2_000],
    ['one window as a duration', { 'x-ratelimit-reset-requests': '120ms' }, 120],
    [
      'the window that is used up',
      {
        'x-ratelimit-reset-requests': '1s',
        'x-ratelimit-remaining-requests': '9',
        'x-ratelimit-reset-tokens': '6m0s',
        'x-ratelimit-remaining-tokens': '0',
      },
      360_000,
    ],
    ['the first of two windows', { 'x-ratelimit-reset-requests': '1s', 'x-ratelimit-reset-tokens': '6m0s' }, 1_000],
    ['seconds before windows', { 'retry-after': '2', 'x-ratelimit-reset-requests': '9s' }, 2_000],
    [
      'a window as a date',
      {
        'anthropic-ratelimit-input-tokens-reset': '2026-11-30T12:01:00Z',
        'anthropic-ratelimit-input-tokens-remaining': '0',
      },
      60_000,
    ],
    ['a window in epoch milliseconds', { 'x-ratelimit-reset': String(AT + 5_000) }, 5_000],
    ['a window in epoch seconds', { 'x-ratelimit-reset': String(AT / 1_000 + 5) }, 5_000],
  ])('says how long: %s', (_, headers, expected) => {
    expect(readRetryAfterMs(headers, AT)).toBe(expected);
  });

  it.each([
    ['nothing', {}],
    ['an empty header', { 'retry-after': '' }],
    [
      'garbage',
      { 'retry-after': 'later', 'x-ratelimit-reset-tokens': 'a while', 'anthropic-ratelimit-tokens-reset': '1' },
    ],
    ['a number in another notation', { 'retry-after': '1e3', 'retry-after-ms': '0x10' }],
    ['a number beyond reason', { 'retry-after': '9'.repeat(400) }],
    ['two values', { 'retry-after': '5, 5' }],
    ['a date that does not exist', { 'retry-after': 'Foo, 99 Bar 2026 12:00:30 GMT' }],
  ])('is not guessed at: %s', (_, headers) => {
    expect(readRetryAfterMs(headers, AT)).toBeUndefined();
  });
});

describe('a duration', () => {
  it.each([
    ['34.4s', 34_400],
    ['34.074824224s', 34_075],
    ['6m0s', 360_000],
    ['120ms', 120],
    ['1h2m3s', 3_723_000],
    ['1d', 86_400_000],
    ['7.66s', 7_660],
  ])('is read: %s', (text, expected) => {
    expect(readDurationMs(text)).toBe(expected);
  });

  it.each(['', '5', 's', '-3s', '3 s', '3sm', '1s2m', 'soon'])('is refused: %j', (text) => {
    expect(readDurationMs(text)).toBeUndefined();
  });
});

describe('prose that names a wait', () => {
  it.each([
    ['Quota exceeded.\nPlease retry in 48.939935699s.', 48_940],
    ['Rate limit reached. Please try again in 6m0s. Visit the docs.', 360_000],
    ['Please try again in 20ms.', 20],
    ['Please retry after 3s', 3_000],
  ])('is read: %s', (text, expected) => {
    expect(readWaitWordsMs(text)).toBe(expected);
  });

  it.each(['Please retry shortly.', 'retry in a while', 'try again in 5 parsecs', ''])(
    'is not guessed at: %j',
    (text) => {
      expect(readWaitWordsMs(text)).toBeUndefined();
    },
  );
});
