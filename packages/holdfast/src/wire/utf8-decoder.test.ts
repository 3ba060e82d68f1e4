import { describe, expect, it } from 'vitest';
import { Utf8Decoder } from './utf8-decoder.js';

function decode(pieces: readonly (readonly number[])[]): string {
  const decoder = new Utf8Decoder();
  return pieces.map((piece) => decoder.push(Uint8Array.from(piece))).join('') + decoder.end();
}

const TURTLE = [0xf0, 0x9f, 0x90, 0xa2];

describe('a character whose bytes come one by one', () => {
  it('is one character', () => {
    expect(decode(TURTLE.map((byte) => [byte]))).toBe('🐢');
  });

  it('is held back and not guessed', () => {
    const decoder = new Utf8Decoder();
    expect([0x61, ...TURTLE.slice(0, 3)].map((byte) => decoder.push(Uint8Array.of(byte)))).toEqual(['a', '', '', '']);
  });
});

describe('bytes that are no UTF-8', () => {
  it.each([
    ['a character that the end cuts', [[0x61, 0xe2, 0x82]]],
    ['a lone byte of a sequence', [[0x80], [0x61]]],
    ['a byte that never occurs', [[0x61, 0xff], [0x62]]],
    ['an overlong form', [[0xc0], [0xaf]]],
    ['a surrogate', [[0xed], [0xa0, 0x80]]],
    [
      'a beginning that another beginning interrupts',
      [
        [0xf0, 0x9f],
        [0xe2, 0x82, 0xac],
      ],
    ],
  ])('become U+FFFD as a decoder of the whole would say: %s', (_, pieces) => {
    const whole = Uint8Array.from(pieces.flat());
    expect(decode(pieces)).toBe(new TextDecoder('utf-8', { ignoreBOM: true }).decode(whole));
    expect(decode(pieces)).toContain('\uFFFD');
  });
});

describe('a byte order mark', () => {
  it('is left to the reader', () => {
    expect(decode([[0xef], [0xbb, 0xbf, 0x61]])).toBe('\uFEFFa');
  });
});
