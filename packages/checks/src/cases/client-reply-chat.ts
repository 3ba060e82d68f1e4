import type { JsonObject, JsonValue } from 'holdfast/turn';
import { isObject, numberAt, objectAt, objectsAt, parseJson, textAt, valueAt } from '../data/json.js';
import { clientError } from './client-error.js';
import type { ClientReply } from './client-reply.js';
import type { SeenUsage } from './outcome.js';
import type { WireDocument } from './wire-document.js';

interface GrowingCall {
  id: string | undefined;
  name: string;
  arguments: string;
  /** Fields that this client does not know: they go back as they came. */
  rest: JsonObject;
}

/** Chat Completions, streamed or whole. */
export function readChatReply(document: WireDocument): ClientReply {
  const chunks = document.values.filter(isObject);
  const calls = new Map<number, GrowingCall>();
  let text = '';
  let finish: string | undefined;
  let usage: SeenUsage | undefined;
  for (const chunk of chunks) {
    const choice = objectsAt(chunk, 'choices')[0];
    const delta = objectAt(choice, 'delta') ?? objectAt(choice, 'message');
    text += textAt(delta, 'content') ?? '';
    objectsAt(delta, 'tool_calls').forEach((call, at) => grow(calls, call, numberAt(call, 'index') ?? at));
    finish = textAt(choice, 'finish_reason') ?? finish;
    usage = readUsage(objectAt(chunk, 'usage')) ?? usage;
  }
  const list = [...calls.values()];
  const isStream = document.events.length > 0;
  return {
    text,
    calls: list.map((call) => ({ id: call.id, name: call.name, arguments: parseJson(call.arguments) })),
    finish,
    usage,
    error: clientError(document),
    isWhole: isStream ? document.events.some((event) => event.data === '[DONE]') : finish !== undefined,
    echo: (resultOf) => echo(text, list, resultOf),
  };
}

function grow(calls: Map<number, GrowingCall>, delta: JsonObject, index: number): void {
  const call = calls.get(index) ?? { id: undefined, name: '', arguments: '', rest: {} };
  const part = objectAt(delta, 'function');
  const { index: _index, id: _id, function: _function, ...rest } = delta;
  calls.set(index, {
    id: textAt(delta, 'id') ?? call.id,
    name: textAt(part, 'name') ?? call.name,
    arguments: call.arguments + (textAt(part, 'arguments') ?? ''),
    rest: { ...call.rest, ...rest },
  });
}

function readUsage(usage: JsonObject | undefined): SeenUsage | undefined {
  if (usage === undefined) return undefined;
  const cached = numberAt(objectAt(usage, 'prompt_tokens_details'), 'cached_tokens');
  const prompt = numberAt(usage, 'prompt_tokens');
  return {
    input: prompt === undefined ? undefined : prompt - (cached ?? 0),
    cached_read: cached,
    cache_write: undefined,
    output: numberAt(usage, 'completion_tokens'),
    reasoning: numberAt(objectAt(usage, 'completion_tokens_details'), 'reasoning_tokens'),
  };
}

function echo(text: string, calls: readonly GrowingCall[], resultOf: (name: string) => string): readonly JsonObject[] {
  const toolCalls: readonly JsonValue[] = calls.map((call) => ({
    ...call.rest,
    id: call.id,
    type: textAt(call.rest, 'type') ?? 'function',
    function: { name: call.name, arguments: call.arguments },
  }));
  const assistant = {
    role: 'assistant',
    content: text === '' ? null : text,
    ...(calls.length === 0 ? {} : { tool_calls: toolCalls }),
  };
  const results = calls.map((call) => ({ role: 'tool', tool_call_id: call.id, content: resultOf(call.name) }));
  return [assistant, ...results].filter((message) => valueAt(message, 'role') !== undefined);
}
