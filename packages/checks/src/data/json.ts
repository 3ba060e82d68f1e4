import type { JsonObject, JsonValue } from 'holdfast/turn';

/** Guards of this package: what is read from files and sockets becomes a shape here, or `undefined`. */
export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** `undefined` where the text is no JSON. */
export function parseJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

export function textAt(object: JsonObject | undefined, key: string): string | undefined {
  const value = valueAt(object, key);
  return typeof value === 'string' ? value : undefined;
}

export function numberAt(object: JsonObject | undefined, key: string): number | undefined {
  const value = valueAt(object, key);
  return typeof value === 'number' ? value : undefined;
}

export function objectAt(object: JsonObject | undefined, key: string): JsonObject | undefined {
  const value = valueAt(object, key);
  return isObject(value) ? value : undefined;
}

/** Empty where there is no list. */
export function listAt(object: JsonObject | undefined, key: string): readonly JsonValue[] {
  const value = valueAt(object, key);
  return isList(value) ? value : [];
}

export function objectsAt(object: JsonObject | undefined, key: string): readonly JsonObject[] {
  return listAt(object, key).filter(isObject);
}

export function textsAt(object: JsonObject | undefined, key: string): readonly string[] {
  return listAt(object, key).filter((value) => typeof value === 'string');
}

/** Own keys only: a file may name `constructor` and means its own. */
export function valueAt(object: JsonObject | undefined, key: string): JsonValue | undefined {
  return object !== undefined && Object.hasOwn(object, key) ? object[key] : undefined;
}

/** A string as it is, anything else as JSON. */
export function asText(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');
}
