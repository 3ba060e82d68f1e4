import type { JsonObject, JsonValue } from 'holdfast/turn';
import { asJsonObject, listOf, numberOf, stringOf } from 'holdfast/wire';
import { proseOf } from './prose.js';

/** Arguments that a tool accepts by its JSON schema: its required fields, and one text field grown to `chars` where asked. */
export function fillArguments(schema: JsonObject | undefined, chars: number | undefined): JsonObject {
  const filled = asJsonObject(fill(schema ?? {}, 0)) ?? {};
  return chars === undefined ? filled : grow(filled, chars, Object.keys(asJsonObject(schema?.['properties']) ?? {}));
}

const DEPTH_MAX = 8;

function fill(schema: JsonObject, depth: number): JsonValue {
  const given = schema['const'] ?? listOf(schema['enum'])[0] ?? schema['default'];
  if (given !== undefined) return given as JsonValue;
  const choice = asJsonObject(listOf(schema['anyOf'])[0] ?? listOf(schema['oneOf'])[0]);
  if (choice !== undefined && depth < DEPTH_MAX) return fill(choice, depth + 1);
  switch (typeOf(schema) ?? 'object') {
    case 'string':
      return textFor(schema);
    case 'integer':
    case 'number':
      return numberOf(schema['minimum']) ?? 1;
    case 'boolean':
      return true;
    case 'null':
      return null;
    case 'array':
      return fillList(schema, depth);
    default:
      return fillObject(schema, depth);
  }
}

function fillObject(schema: JsonObject, depth: number): JsonObject {
  const properties = asJsonObject(schema['properties']) ?? {};
  if (depth >= DEPTH_MAX) return {};
  const required = listOf(schema['required']).filter((key) => typeof key === 'string');
  return Object.fromEntries(
    required.map((key) => [key, fill(asJsonObject(properties[key]) ?? { type: 'string' }, depth + 1)]),
  );
}

function fillList(schema: JsonObject, depth: number): readonly JsonValue[] {
  const count = Math.min(numberOf(schema['minItems']) ?? 0, 100);
  if (depth >= DEPTH_MAX) return [];
  return Array.from({ length: count }, () => fill(asJsonObject(schema['items']) ?? { type: 'string' }, depth + 1));
}

/** Gemini writes type names in capitals; a list of types means any of them. */
function typeOf(schema: JsonObject): string | undefined {
  const type = schema['type'];
  return (stringOf(type) ?? stringOf(listOf(type)[0]))?.toLowerCase();
}

function textFor(schema: JsonObject): string {
  const format = stringOf(schema['format']);
  if (format === 'date') return '2026-01-02';
  if (format === 'date-time') return '2026-01-02T03:04:05Z';
  const text = 'example';
  return text
    .padEnd(Math.min(numberOf(schema['minLength']) ?? 0, 10_000), ' and more')
    .slice(0, numberOf(schema['maxLength']));
}

/** Field names under which tools carry long text. */
const LONG_FIELDS = ['content', 'contents', 'text', 'body', 'data', 'code', 'patch', 'diff', 'new_string', 'newText'];

function grow(filled: JsonObject, chars: number, known: readonly string[]): JsonObject {
  const texts = Object.keys(filled).filter((key) => typeof filled[key] === 'string');
  const key = [...texts, ...known].find((name) => LONG_FIELDS.includes(name)) ?? texts.at(-1) ?? known[0];
  if (key === undefined) return filled;
  const missing = chars - JSON.stringify({ ...filled, [key]: '' }).length;
  return missing <= 0 ? filled : { ...filled, [key]: proseOf(missing) };
}
