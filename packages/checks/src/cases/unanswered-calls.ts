import type { JsonObject, JsonValue } from 'holdfast/turn';
import { objectAt, objectsAt, textAt } from '../data/json.js';
import type { WireDocument } from './wire-document.js';
import { isObject } from '../data/json.js';

/** Ids or names of tool calls in a request that are not followed by their result as their wire demands. */
export function unansweredCalls(document: WireDocument): readonly string[] {
  const body = document.values[0];
  if (!isObject(body)) return [];
  switch (document.dialect) {
    case 'anthropic':
      return unansweredIn(objectsAt(body, 'messages'), anthropicCalls, anthropicResults);
    case 'gemini':
      return unansweredIn(objectsAt(body, 'contents'), geminiCalls, geminiResults);
    case 'openai-responses':
      return unansweredItems(objectsAt(body, 'input'));
    default:
      return unansweredChat(objectsAt(body, 'messages'));
  }
}

type NamesIn = (message: JsonObject) => readonly string[];

/** Each call of a message has its result in the very next message. */
function unansweredIn(messages: readonly JsonObject[], calls: NamesIn, results: NamesIn): readonly string[] {
  return messages.flatMap((message, at) => {
    const answered = [...(messages[at + 1] === undefined ? [] : results(messages[at + 1] ?? {}))];
    return calls(message).filter((call) => {
      const found = answered.indexOf(call);
      if (found >= 0) answered.splice(found, 1);
      return found < 0;
    });
  });
}

function anthropicCalls(message: JsonObject): readonly string[] {
  return blocks(message, 'content', 'tool_use').map((block) => textAt(block, 'id') ?? '');
}

function anthropicResults(message: JsonObject): readonly string[] {
  return blocks(message, 'content', 'tool_result').map((block) => textAt(block, 'tool_use_id') ?? '');
}

function geminiCalls(content: JsonObject): readonly string[] {
  return partNames(content, 'functionCall');
}

function geminiResults(content: JsonObject): readonly string[] {
  return partNames(content, 'functionResponse');
}

function partNames(content: JsonObject, key: string): readonly string[] {
  const named = objectsAt(content, 'parts').map((part) => textAt(objectAt(part, key), 'name'));
  return named.filter((name) => name !== undefined);
}

/** The tool messages stand directly after the assistant message, one for each call. */
function unansweredChat(messages: readonly JsonObject[]): readonly string[] {
  return messages.flatMap((message, at) => {
    const answered: (string | undefined)[] = [];
    for (const next of messages.slice(at + 1)) {
      if (textAt(next, 'role') !== 'tool') break;
      answered.push(textAt(next, 'tool_call_id'));
    }
    const ids = objectsAt(message, 'tool_calls').map((call) => textAt(call, 'id') ?? '');
    return ids.filter((id) => !answered.includes(id));
  });
}

function unansweredItems(items: readonly JsonObject[]): readonly string[] {
  return items.flatMap((item, at) => {
    const type = textAt(item, 'type') ?? '';
    if (type !== 'function_call' && type !== 'custom_tool_call') return [];
    const id: JsonValue = textAt(item, 'call_id') ?? '';
    const isAnswered = items
      .slice(at + 1)
      .some((next) => textAt(next, 'type') === `${type}_output` && textAt(next, 'call_id') === id);
    return isAnswered ? [] : [id];
  });
}

function blocks(message: JsonObject, key: string, type: string): readonly JsonObject[] {
  return objectsAt(message, key).filter((block) => textAt(block, 'type') === type);
}
