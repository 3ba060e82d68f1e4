import type { JsonObject } from 'holdfast/turn';
import { numberAt, objectAt, objectsAt, textAt } from '../data/json.js';
import { walkObjects } from '../data/walk.js';
import type { WireDocument } from './wire-document.js';

const FINISH_KEYS = ['finish_reason', 'finishReason', 'stop_reason'];

/** Every finish reason that a client was told, in order and with repetitions. */
export function finishReasons(document: WireDocument): readonly string[] {
  const reasons = document.values.flatMap((value) =>
    [...walkObjects(value)].flatMap((object) => FINISH_KEYS.map((key) => textAt(object, key))),
  );
  return reasons.filter((reason) => reason !== undefined);
}

/** Indexes of tool calls in the order in which they first appear. */
export function callIndexes(document: WireDocument): readonly number[] {
  const indexes = document.values.flatMap((value) => chatCalls(value).map((call) => numberAt(call, 'index')));
  return [...new Set(indexes.filter((index) => index !== undefined))];
}

/** Ids of tool calls, each where it is announced. */
export function callIds(document: WireDocument): readonly string[] {
  const ids = document.values.flatMap((value) =>
    [...chatCalls(value), ...startedBlocks(value)].map((call) => textAt(call, 'id')),
  );
  return ids.filter((id) => id !== undefined && id !== '') as readonly string[];
}

function chatCalls(value: WireDocument['values'][number]): readonly JsonObject[] {
  return [...walkObjects(value)].flatMap((object) => objectsAt(object, 'tool_calls'));
}

function startedBlocks(value: WireDocument['values'][number]): readonly JsonObject[] {
  const blocks = [...walkObjects(value)].map((object) => objectAt(object, 'content_block'));
  return blocks.filter((block) => block !== undefined && textAt(block, 'type') === 'tool_use') as readonly JsonObject[];
}
