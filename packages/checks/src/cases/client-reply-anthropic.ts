import type { JsonObject, JsonValue } from 'holdfast/turn';
import { isObject, numberAt, objectAt, objectsAt, parseJson, textAt, valueAt } from '../data/json.js';
import { clientError } from './client-error.js';
import type { ClientReply } from './client-reply.js';
import type { SeenUsage } from './outcome.js';
import type { WireDocument } from './wire-document.js';

const FINISH: ReadonlyMap<string, string> = new Map([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['tool_use', 'tool_calls'],
  ['max_tokens', 'length'],
  ['refusal', 'content_filter'],
]);

/** Messages, streamed or whole. */
export function readAnthropicReply(document: WireDocument): ClientReply {
  const events = document.values.filter(isObject);
  const isStream = document.events.length > 0;
  const content = isStream ? gather(events) : objectsAt(events[0], 'content');
  const stops = events.map((event) => textAt(objectAt(event, 'delta'), 'stop_reason') ?? textAt(event, 'stop_reason'));
  const reason = stops.findLast((stop) => stop !== undefined);
  const usages = events.map((event) => objectAt(event, 'usage') ?? objectAt(objectAt(event, 'message'), 'usage'));
  const calls = content.filter((block) => textAt(block, 'type') === 'tool_use');
  return {
    text: content.map((block) => (textAt(block, 'type') === 'text' ? (textAt(block, 'text') ?? '') : '')).join(''),
    calls: calls.map((block) => ({
      id: textAt(block, 'id'),
      name: textAt(block, 'name') ?? '',
      arguments: valueAt(block, 'input'),
    })),
    finish: reason === undefined ? undefined : (FINISH.get(reason) ?? 'unknown'),
    usage: readUsage(Object.assign({}, ...usages) as JsonObject),
    error: clientError(document),
    isWhole: isStream ? events.some((event) => textAt(event, 'type') === 'message_stop') : reason !== undefined,
    echo: (resultOf) => [
      { role: 'assistant', content },
      { role: 'user', content: calls.map((call) => toolResult(call, resultOf)) },
    ],
  };
}

/** The content blocks of a stream, each grown by its deltas. */
function gather(events: readonly JsonObject[]): readonly JsonObject[] {
  const blocks = new Map<number, JsonObject>();
  const inputs = new Map<number, string>();
  for (const event of events) {
    const index = numberAt(event, 'index') ?? 0;
    const started = objectAt(event, 'content_block');
    if (started !== undefined) blocks.set(index, started);
    const delta = objectAt(event, 'delta');
    const block = blocks.get(index);
    if (delta === undefined || block === undefined) continue;
    const json = textAt(delta, 'partial_json');
    if (json === undefined) blocks.set(index, grown(block, delta));
    else inputs.set(index, (inputs.get(index) ?? '') + json);
  }
  return [...blocks].map(([index, block]) => withInput(block, inputs.get(index)));
}

function grown(block: JsonObject, delta: JsonObject): JsonObject {
  const field = ['text', 'thinking', 'signature'].find((key) => textAt(delta, key) !== undefined);
  if (field === undefined) return block;
  return { ...block, [field]: (textAt(block, field) ?? '') + (textAt(delta, field) ?? '') };
}

function withInput(block: JsonObject, json: string | undefined): JsonObject {
  if (textAt(block, 'type') !== 'tool_use' || json === undefined || json === '') return block;
  const input: JsonValue = parseJson(json) ?? null;
  return { ...block, input };
}

function toolResult(call: JsonObject, resultOf: (name: string) => string): JsonObject {
  return { type: 'tool_result', tool_use_id: textAt(call, 'id'), content: resultOf(textAt(call, 'name') ?? '') };
}

function readUsage(usage: JsonObject): SeenUsage {
  return {
    input: numberAt(usage, 'input_tokens'),
    cached_read: numberAt(usage, 'cache_read_input_tokens'),
    cache_write: numberAt(usage, 'cache_creation_input_tokens'),
    output: numberAt(usage, 'output_tokens'),
    reasoning: undefined,
  };
}
