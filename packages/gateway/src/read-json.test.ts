import { describe, expect, it } from 'vitest';
import { readJson } from './read-json.js';
import { Refusal } from './refusal.js';

const read = (text: string | Uint8Array): unknown => {
  const result = readJson(Buffer.from(text));
  return result instanceof Refusal ? result.message : result;
};

describe('a body that is good JSON', () => {
  it('is read, escapes and a byte order mark included', () => {
    expect(read('\uFEFF{"a":"quote \\" brace { \\\\","b":[1,{"c":null}]}')).toEqual({
      a: 'quote " brace { \\',
      b: [1, { c: null }],
    });
  });

  it('keeps a __proto__ key as a key', () => {
    const value = read('{"__proto__":{"isAdmin":true}}');
    expect(Object.keys(value as object)).toEqual(['__proto__']);
    expect(({} as { isAdmin?: boolean }).isAdmin).toBe(undefined);
  });
});

describe('a body that is not', () => {
  it.each([
    [
      '{"a":}',
      'The body is not valid JSON: there is an error at position 5 (line 1, column 6). Correct it and send one JSON object.',
    ],
    [
      '{\n "a": 1,\n}',
      'The body is not valid JSON: there is an error at position 11 (line 3, column 1). Correct it and send one JSON object.',
    ],
    [
      '{"a":1',
      'The body is not valid JSON: there is an error at position 6 (line 1, column 7). Correct it and send one JSON object.',
    ],
    ['{"a":', 'The body is not valid JSON: it ends too early, at position 5. Correct it and send one JSON object.'],
    [
      'hello',
      'The body is not valid JSON: there is an error at position 0 (line 1, column 1). Correct it and send one JSON object.',
    ],
    ['', 'The body is empty. Send one JSON object.'],
    ['[1]', 'The body is JSON, yet not an object. Send one JSON object.'],
    ['null', 'The body is JSON, yet not an object. Send one JSON object.'],
  ])('%s is refused with its place', (text, message) => {
    expect(read(text)).toBe(message);
  });

  it('in bytes that are no UTF-8 is refused', () => {
    expect(read(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]))).toBe(
      'The body is not valid UTF-8. Send JSON encoded as UTF-8.',
    );
  });
});

describe('a body beyond the bounds (S29)', () => {
  it('is refused at the level that is too deep, and not one earlier', () => {
    const nested = (levels: number): string => `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
    expect(read(nested(64))).toBeTypeOf('object');
    expect(read(nested(65))).toBe('The body nests deeper than 64 levels at position 68. Send flatter JSON.');
  });

  it('is refused before anything is built from a million brackets', () => {
    expect(read('['.repeat(1_000_000))).toBe('The body nests deeper than 64 levels at position 64. Send flatter JSON.');
  });

  it('is refused with more keys than the limit', () => {
    const many = (keys: number): string =>
      `{${Array.from({ length: keys }, (_, index) => `"k${index}":":"`).join(',')}}`;
    expect(read(many(100_000))).toBeTypeOf('object');
    expect(read(many(100_001))).toBe('The body has more than 100000 keys. Send less in one request.');
  });
});
