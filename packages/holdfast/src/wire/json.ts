type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

/** The same shape as the language's own `JsonObject`; this room knows no other. */
interface JsonObject {
  readonly [key: string]: JsonValue | undefined;
}

export type ParsedJson =
  | { readonly ok: true; readonly value: JsonValue }
  /** The parser's complaint. It may quote the text, so it is for us and never for a person. */
  | { readonly ok: false; readonly problem: string };

/** Never throws. A document may hold own `__proto__` keys: read foreign names with `ownField`, write them with `setOwnField`. */
export function parseJson(text: string): ParsedJson {
  try {
    return { ok: true, value: JSON.parse(text) as JsonValue };
  } catch (problem) {
    return { ok: false, problem: problem instanceof Error ? problem.message : 'not JSON' };
  }
}

/** A JSON object: neither null nor an array. */
export function isRecord(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function asJsonObject(value: unknown): JsonObject | undefined {
  return isRecord(value) ? value : undefined;
}

/** The elements, and none for anything that is no array. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : NOTHING;
}

export function stringOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Finite numbers only. */
export function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** A whole number that is not negative, such as a token count or an index. */
export function countOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

export function booleanOf(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined;
}

/** For names that the wire chose: `constructor` or `__proto__` is found only where the document has it. */
export function ownField(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** Writes a name that the wire chose. `__proto__` becomes an ordinary key and no prototype. */
export function setOwnField(target: Record<string, JsonValue | undefined>, key: string, value: JsonValue): void {
  if (key !== '__proto__') target[key] = value;
  else Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
}

/** A scalar is 0 deep, `{}` is 1 deep. Visits each value once, without recursion. */
export function depthWithin(value: unknown, max: number): boolean {
  let level = containersIn([value]);
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth >= max) return false;
    level = level.flatMap((container) => containersIn(Object.values(container)));
  }
  return true;
}

/** Counts the keys of every object in the document and stops at the first one too many. */
export function keysWithin(value: unknown, max: number): boolean {
  let keys = 0;
  const waiting = containersIn([value]);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const values: readonly unknown[] = Object.values(next);
    if (!Array.isArray(next)) keys += values.length;
    if (keys > max) return false;
    for (const container of containersIn(values)) waiting.push(container);
  }
  return true;
}

const NOTHING: readonly unknown[] = [];

function containersIn(values: readonly unknown[]): object[] {
  return values.filter((value) => typeof value === 'object' && value !== null);
}
