import type { JsonObject, JsonValue } from 'holdfast/turn';
import { isList, isObject, numberAt, objectAt, objectsAt, textAt, valueAt } from '../data/json.js';
import { clientError } from './client-error.js';
import type { ClientReply } from './client-reply.js';
import type { SeenUsage } from './outcome.js';
import type { WireDocument } from './wire-document.js';

const FINISH: ReadonlyMap<string, string> = new Map([
  ['STOP', 'stop'],
  ['MAX_TOKENS', 'length'],
  ['SAFETY', 'content_filter'],
  ['RECITATION', 'content_filter'],
  ['PROHIBITED_CONTENT', 'content_filter'],
]);

/** generateContent, streamed as events or as one array, or whole. */
export function readGeminiReply(document: WireDocument): ClientReply {
  const chunks = document.values.flatMap((value: JsonValue) => (isList(value) ? value : [value])).filter(isObject);
  const candidates = chunks.map((chunk) => objectsAt(chunk, 'candidates')[0]);
  const parts = candidates.flatMap((candidate) => objectsAt(objectAt(candidate, 'content'), 'parts'));
  const reason = candidates
    .map((candidate) => textAt(candidate, 'finishReason'))
    .findLast((word) => word !== undefined);
  const calls = parts.map((part) => objectAt(part, 'functionCall')).filter((call) => call !== undefined);
  const finish = reason === undefined ? undefined : (FINISH.get(reason) ?? 'unknown');
  return {
    text: parts.map((part) => (valueAt(part, 'thought') === true ? '' : (textAt(part, 'text') ?? ''))).join(''),
    calls: calls.map((call) => ({
      id: textAt(call, 'id'),
      name: textAt(call, 'name') ?? '',
      arguments: valueAt(call, 'args') ?? {},
    })),
    finish: finish === 'stop' && calls.length > 0 ? 'tool_calls' : finish,
    usage: readUsage(Object.assign({}, ...chunks.map((chunk) => objectAt(chunk, 'usageMetadata'))) as JsonObject),
    error: clientError(document),
    isWhole: reason !== undefined,
    echo: (resultOf) => [
      { role: 'model', parts },
      { role: 'user', parts: calls.map((call) => functionResponse(call, resultOf)) },
    ],
  };
}

function functionResponse(call: JsonObject, resultOf: (name: string) => string): JsonObject {
  const name = textAt(call, 'name') ?? '';
  const id = textAt(call, 'id');
  return { functionResponse: { name, response: { output: resultOf(name) }, ...(id === undefined ? {} : { id }) } };
}

function readUsage(usage: JsonObject): SeenUsage {
  const prompt = numberAt(usage, 'promptTokenCount');
  const cached = numberAt(usage, 'cachedContentTokenCount');
  const thoughts = numberAt(usage, 'thoughtsTokenCount');
  const candidates = numberAt(usage, 'candidatesTokenCount');
  return {
    input: prompt === undefined ? undefined : prompt - (cached ?? 0),
    cached_read: cached,
    cache_write: undefined,
    output: candidates === undefined ? thoughts : candidates + (thoughts ?? 0),
    reasoning: thoughts,
  };
}
