import { describe, expect, it } from 'vitest';
import {
  asJsonObject,
  booleanOf,
  countOf,
  depthWithin,
  isRecord,
  keysWithin,
  listOf,
  numberOf,
  ownField,
  parseJson,
  setOwnField,
  stringOf,
} from './json.js';

function parsed(text: string): unknown {
  const result = parseJson(text);
  return result.ok ? result.value : undefined;
}

describe('a text that is no JSON', () => {
  it.each(['', '{"a":', '[DONE]', '<html>', '\u0000', 'undefined', "{'a':1}"])('is told as a problem: %j', (text) => {
    expect(parseJson(text)).toEqual({ ok: false, problem: expect.any(String) });
  });
});

describe('JSON null', () => {
  it('is a value and no problem', () => {
    expect(parseJson('null')).toEqual({ ok: true, value: null });
  });
});

describe('a document with a __proto__ key (S29)', () => {
  const document = parsed('{"__proto__":{"polluted":true},"a":1}');

  it('changes no prototype when it is parsed, nor when it is copied key by key', () => {
    const copy: Record<string, null | boolean | number | string> = {};
    for (const key of Object.keys(document ?? {})) setOwnField(copy, key, key);
    expect([Object.getPrototypeOf(copy) === Object.prototype, Object.keys(copy)]).toEqual([true, ['__proto__', 'a']]);
    expect('polluted' in {}).toBe(false);
  });

  it('gives its own field and no inherited one', () => {
    const other = asJsonObject(parsed('{"a":1}')) ?? {};
    expect(ownField(asJsonObject(document) ?? {}, '__proto__')).toEqual({ polluted: true });
    expect(['__proto__', 'constructor', 'toString', 'a'].map((key) => ownField(other, key))).toEqual([
      undefined,
      undefined,
      undefined,
      1,
    ]);
  });
});

describe('guards', () => {
  it('take an object for a record, and neither null nor an array', () => {
    expect([{}, [], null, 'a', 1, undefined].map(isRecord)).toEqual([true, false, false, false, false, false]);
    expect([{ a: 1 }, []].map(asJsonObject)).toEqual([{ a: 1 }, undefined]);
  });

  it('read a value of their kind and nothing else', () => {
    const values = ['a', 1, -1, 1.5, Number.NaN, Infinity, true, null, [1]];
    const none = undefined;
    expect(values.map(stringOf)).toEqual(['a', none, none, none, none, none, none, none, none]);
    expect(values.map(numberOf)).toEqual([none, 1, -1, 1.5, none, none, none, none, none]);
    expect(values.map(countOf)).toEqual([none, 1, none, none, none, none, none, none, none]);
    expect(values.map(booleanOf)).toEqual([none, none, none, none, none, none, true, none, none]);
    expect(values.map(listOf)).toEqual([[], [], [], [], [], [], [], [], [1]]);
  });
});

describe('the depth of a document', () => {
  it('counts containers, and not the scalar in the middle', () => {
    const documents = ['1', '{}', '[]', '{"a":1}', '{"a":[{}]}'];
    const depths = documents.map((text) => [0, 1, 2, 3].find((max) => depthWithin(parsed(text), max)));
    expect(depths).toEqual([0, 1, 1, 1, 3]);
  });

  it('is refused without a deep stack where it is 100,000', () => {
    const deep = parsed(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
    expect([depthWithin(deep, 64), depthWithin(deep, 99_999), depthWithin(deep, 100_000)]).toEqual([
      false,
      false,
      true,
    ]);
  });
});

describe('the keys of a document', () => {
  it('are counted in every object and in no array', () => {
    const document = parsed('{"a":[{"b":1},{"c":{"d":1}},[1,2,3]]}');
    expect([3, 4].map((max) => keysWithin(document, max))).toEqual([false, true]);
  });

  it('are counted through 100,000 levels', () => {
    const deep = parsed(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`);
    expect([keysWithin(deep, 99_999), keysWithin(deep, 100_000)]).toEqual([false, true]);
  });
});
