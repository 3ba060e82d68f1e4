import type { JsonObject, JsonValue } from 'holdfast/turn';
import { isList, isObject, objectsAt, valueAt } from '../data/json.js';

/**
 * The messages under a key of a request as one flat row of content blocks, so that it does not matter how blocks are
 * grouped: a text that stands alone is a block of text.
 */
export function contentRow(body: JsonValue | undefined, key: string): readonly JsonValue[] {
  return isObject(body) ? objectsAt(body, key).flatMap(blocksOf) : [];
}

function blocksOf(message: JsonObject): readonly JsonValue[] {
  const role = valueAt(message, 'role') ?? null;
  const content = valueAt(message, 'content') ?? valueAt(message, 'parts');
  const { content: _content, parts: _parts, role: _role, ...rest } = message;
  const blocks = isList(content) ? content : typeof content === 'string' ? [{ type: 'text', text: content }] : [];
  const row = blocks.map((block) => ({ role, block }));
  return Object.keys(rest).length === 0 ? row : [...row, { role, block: rest }];
}
