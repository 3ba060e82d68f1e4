import { describe, expect, it } from 'vitest';
import { WIRE_LIMITS } from '../../wire/index.js';
import { PartialArgs, wholeInput } from './partial-args.js';
import type { ArgUpdate } from './wire.js';

type Step = readonly [path: string, value: ArgUpdate['value'], willContinue?: boolean];

function put(...steps: readonly Step[]): PartialArgs {
  const args = new PartialArgs();
  for (const [path, value, willContinue] of steps) args.apply({ path, value, willContinue: willContinue ?? false });
  return args;
}

function texts(...steps: readonly Step[]): readonly [string, string] {
  const input = put(...steps).close();
  return [input?.form ?? 'none', input?.text ?? ''];
}

describe('path updates', () => {
  it('build objects and arrays on their way, in the order in which they come', () => {
    expect(
      texts(
        ['$.b.list[1].x', 1],
        ['$.b.list[0]', 'first'],
        ['$.a', true],
        ['$.n', null],
        ["$['odd name']", 2],
        ['$["q\\"t"]', 3],
      ),
    ).toEqual(['json', '{"b":{"list":["first",{"x":1}]},"a":true,"n":null,"odd name":2,"q\\"t":3}']);
  });

  it('unquote what a single-quoted name escapes', () => {
    expect(texts([`$['it\\'s "so"\\u0021']`, 1])).toEqual(['json', '{"it\'s \\"so\\"!":1}']);
  });

  it('append to a string until the piece that does not continue, which may hold nothing', () => {
    expect(texts(['$.a', 'x', true], ['$.b', 'other'], ['$.a', 'y', true], ['$.a', undefined], ['$.b', 'new'])).toEqual(
      ['json', '{"a":"xy","b":"new"}'],
    );
  });

  it('take names like __proto__ for names', () => {
    const input = put(['$.__proto__.bad', 1]).close();
    expect(input?.text).toBe('{"__proto__":{"bad":1}}');
    expect(Object.hasOwn(Object.prototype, 'bad')).toBe(false);
  });

  it.each([
    '',
    'a',
    '$',
    '$.',
    '$..a',
    '$.a[*]',
    '$[?(@.a)]',
    '$[0]',
    '$.a[99999999999]',
    "$['open",
    `$${'.a'.repeat(65)}`,
  ])('spoil the call with %s', (path) => {
    expect(texts(['$.ok', 1], [path, 'x'])).toEqual(['invalid', '{"ok":1}']);
  });

  it('far ahead of their array spoil the call and cost no memory', () => {
    expect(texts(['$.a[17]', 'x'])).toEqual(['invalid', '{"a":[]}']);
    expect(texts(['$.a[2]', 'x'])).toEqual(['json', '{"a":[null,null,"x"]}']);
  });

  it('that contradict each other spoil the call', () => {
    expect(texts(['$.a[0]', 1], ['$.a.b', 2])).toEqual(['invalid', '{"a":[1]}']);
  });

  it('stop at the limit of arguments', () => {
    const args = put(['$.a', 'x'.repeat(WIRE_LIMITS.argumentCharsMax), true], ['$.a', 'y']);
    expect([args.isTooLarge, args.close()]).toEqual([true, undefined]);
  });

  it('stand beside values that came whole', () => {
    const args = put(['$.a', 1]);
    args.assign({ b: { c: [2] } });
    expect(args.close()).toEqual({ form: 'json', text: '{"a":1,"b":{"c":[2]}}', value: { a: 1, b: { c: [2] } } });
  });
});

describe('arguments that came whole', () => {
  it('are an empty object where there are none, and invalid where they are no object', () => {
    expect([wholeInput(undefined), wholeInput([1])]).toEqual([
      { form: 'json', text: '{}', value: {} },
      { form: 'invalid', text: '[1]' },
    ]);
  });
});
