import type { JsonObject, JsonValue } from 'holdfast/turn';
import { isList, isObject } from './json.js';

/** Every value of a document, parents before children, in the order of the text. */
export function* walk(value: JsonValue | undefined): Generator<JsonValue> {
  if (value === undefined) return;
  yield value;
  if (isList(value)) for (const entry of value) yield* walk(entry);
  else if (isObject(value)) for (const entry of Object.values(value)) yield* walk(entry);
}

export function* walkObjects(value: JsonValue | undefined): Generator<JsonObject> {
  for (const node of walk(value)) if (isObject(node)) yield node;
}

/** Keys and strings, decoded. */
export function* walkTexts(value: JsonValue | undefined): Generator<string> {
  for (const node of walk(value)) {
    if (typeof node === 'string') yield node;
    else if (isObject(node)) yield* Object.keys(node);
  }
}
