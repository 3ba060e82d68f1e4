import { isDeepStrictEqual } from 'node:util';
import type { JsonValue } from 'holdfast/turn';
import { isObject, valueAt } from './json.js';

/** Objects match when the given keys do; lists and plain values when they are equal. */
export function matches(value: JsonValue | undefined, fragment: JsonValue): boolean {
  if (!isObject(fragment)) return isDeepStrictEqual(value, fragment);
  if (!isObject(value)) return false;
  return Object.entries(fragment).every(([key, part]) => part === undefined || matches(valueAt(value, key), part));
}
