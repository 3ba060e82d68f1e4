import type { JsonObject, JsonValue } from '../../turn/index.js';
import { isRecord, listOf, setOwnField } from '../../wire/index.js';

/**
 * Fields of a client's own wire back into the body that we write: objects field by field, `tools` one after the
 * other, and what the client named in its own wire wins over our translation of it.
 */
export function mergeExtra(body: JsonObject, extra: JsonObject): JsonObject {
  const merged: Record<string, JsonValue | undefined> = { ...body };
  for (const [name, value] of Object.entries(extra)) {
    if (value === undefined) continue;
    const ours = Object.hasOwn(merged, name) ? merged[name] : undefined;
    setOwnField(merged, name, combined(name, ours, value));
  }
  return merged;
}

function combined(name: string, ours: JsonValue | undefined, theirs: JsonValue): JsonValue {
  if (name === 'tools' && Array.isArray(ours) && Array.isArray(theirs))
    return [...listOf(ours), ...listOf(theirs)].filter(isRecord);
  return isRecord(ours) && isRecord(theirs) ? mergeExtra(ours, theirs) : theirs;
}
