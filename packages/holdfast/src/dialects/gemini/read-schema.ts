import type { JsonObject, JsonValue } from '../../turn/index.js';
import { isRecord, listOf, WIRE_LIMITS } from '../../wire/index.js';

/**
 * A schema in the provider's own form (`type: "OBJECT"`, `nullable`, counts as text) as JSON Schema. What already
 * is JSON Schema comes out as it went in; keywords that it does not know stay.
 */
export function readSchema(schema: JsonObject): JsonObject {
  return read(schema, 0);
}

function read(schema: JsonObject, depth: number): JsonObject {
  if (depth >= WIRE_LIMITS.jsonDepthMax) return {};
  const entries: (readonly [string, JsonValue])[] = [];
  for (const [name, value] of Object.entries(schema)) {
    if (value === undefined || value === null || name === 'nullable') continue;
    const keyword = ALIASES.get(name) ?? name;
    entries.push([keyword, readKeyword(keyword, value, depth)]);
  }
  const json = Object.fromEntries(entries);
  const type = json['type'];
  if (schema['nullable'] === true && typeof type === 'string') return { ...json, type: [type, 'null'] };
  return json;
}

function readKeyword(keyword: string, value: JsonValue, depth: number): JsonValue {
  if (typeof value === 'string') return readWord(keyword, value);
  if (keyword === 'properties' && isRecord(value)) {
    const properties = Object.entries(value).map(([name, property]) => [
      name,
      isRecord(property) ? read(property, depth + 2) : (property ?? {}),
    ]);
    return Object.fromEntries(properties);
  }
  if (keyword === 'items' && isRecord(value)) return read(value, depth + 1);
  if (keyword === 'anyOf' && Array.isArray(value)) {
    return listOf(value)
      .filter(isRecord)
      .map((option) => read(option, depth + 2));
  }
  return value;
}

function readWord(keyword: string, value: string): JsonValue {
  if (keyword === 'type') return TYPES.has(value) ? value.toLowerCase() : value;
  return COUNTS.has(keyword) && /^\d{1,15}$/u.test(value) ? Number(value) : value;
}

const TYPES: ReadonlySet<string> = new Set(['STRING', 'NUMBER', 'INTEGER', 'BOOLEAN', 'ARRAY', 'OBJECT', 'NULL']);

const COUNTS: ReadonlySet<string> = new Set([
  'minItems',
  'maxItems',
  'minLength',
  'maxLength',
  'minProperties',
  'maxProperties',
]);

const ALIASES: ReadonlyMap<string, string> = new Map([
  ['any_of', 'anyOf'],
  ['min_items', 'minItems'],
  ['max_items', 'maxItems'],
  ['min_length', 'minLength'],
  ['max_length', 'maxLength'],
  ['min_properties', 'minProperties'],
  ['max_properties', 'maxProperties'],
]);
