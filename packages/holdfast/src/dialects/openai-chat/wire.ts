import type { JsonObject, JsonValue } from '../../turn/index.js';
import { isRecord } from '../../wire/index.js';

/** What we read of a chunk or of a whole body. Everything else of this wire is skipped. */
export interface ChatChunk {
  /** Choice 0, where there is one. We ask for no other. */
  readonly choice: JsonObject | undefined;
  readonly usage: JsonObject | undefined;
}

/** The choice and the counts of a chunk. A chunk without either is a ping. */
export function readChunk(chunk: JsonObject): ChatChunk {
  const { usage } = chunk;
  return { choice: choiceZero(chunk.choices), usage: isRecord(usage) ? usage : groqUsage(chunk.x_groq) };
}

export function isList(value: unknown): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** The text, and the empty text for anything that is no string: null and absent mean "nothing new" on this wire. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** `undefined` for anything that is no object, and for one without a single key. */
export function filledRecord(value: unknown): JsonObject | undefined {
  return isRecord(value) && Object.keys(value).length > 0 ? value : undefined;
}

/** The same object without one key. */
export function withoutKey(object: JsonObject, key: string): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== key));
}

function choiceZero(choices: JsonValue | undefined): JsonObject | undefined {
  if (!isList(choices)) return undefined;
  const first = choices[0];
  if (isChoiceZero(first)) return first;
  return choices.length > 1 ? choices.find(isChoiceZero) : undefined;
}

function isChoiceZero(value: JsonValue | undefined): value is JsonObject {
  return isRecord(value) && (value.index === 0 || typeof value.index !== 'number');
}

/** Groq repeats the counts there, and in old versions names them nowhere else. */
function groqUsage(extra: JsonValue | undefined): JsonObject | undefined {
  if (!isRecord(extra)) return undefined;
  return isRecord(extra.usage) ? extra.usage : undefined;
}
