import type {
  JsonObject,
  JsonValue,
  ModelRequest,
  ResponseFormat,
  ToolChoice,
  ToolDefinition,
} from '../../turn/index.js';
import type { Target, WireRequest } from '../dialect.js';
import { isList } from './wire.js';
import { instructionsRole, writeMessages } from './write-messages.js';

export const CHAT_PATH = '/chat/completions';

/** Our request as a Chat Completions body. Absent stays absent: strict servers refuse fields that they do not know. */
export function writeRequest(request: ModelRequest, target: Target): WireRequest {
  const notices: Set<string> = new Set();
  const { instructions, responseFormat, toolChoice } = request;
  const opening = instructions === undefined ? [] : [{ role: instructionsRole(target), content: instructions }];
  const extra = request.extra?.dialect === 'openai-chat' ? request.extra.fields : NOTHING;
  const tools = writeTools(request.tools, extra.tools);
  const body: JsonObject = {
    model: request.model,
    messages: [...opening, ...writeMessages(request.messages, target, notices)],
    ...writeStream(target),
    ...(tools.length === 0 ? {} : { tools }),
    ...(toolChoice === undefined ? {} : { tool_choice: writeToolChoice(toolChoice) }),
    // Unknown to some servers, and true is what all of them do anyway.
    ...(request.parallelToolCalls === false ? { parallel_tool_calls: false } : {}),
    ...writeCap(request, target),
    ...writeNumbers(request),
    ...(request.stop === undefined ? {} : { stop: request.stop }),
    ...(responseFormat === undefined ? {} : { response_format: writeResponseFormat(responseFormat) }),
    ...writeThinking(request, notices),
  };
  if (request.topK !== undefined) notices.add('This wire has no top_k; it was left out.');
  return {
    method: 'POST',
    path: CHAT_PATH,
    headers: {},
    // Ours first in order, and ours where both name a field.
    body: { ...body, ...extra, ...body },
    notices: [...notices],
  };
}

const NOTHING: JsonObject = {};

/** Counts come on request alone, and some servers refuse the request. */
export function writeStream(target: Target): JsonObject {
  if (!target.stream) return {};
  if (target.quirks.streamUsage === false) return { stream: true };
  return { stream: true, stream_options: { include_usage: true } };
}

/** Tools that are no functions have no neutral form; they come back from the client's own request. */
function writeTools(tools: readonly ToolDefinition[] | undefined, others: JsonValue | undefined): readonly JsonValue[] {
  return [...(tools ?? []).map(writeTool), ...(isList(others) ? others : [])];
}

function writeTool({ name, description, parameters, strict }: ToolDefinition): JsonObject {
  return {
    type: 'function',
    function: {
      name,
      ...(description === undefined ? {} : { description }),
      ...(parameters === undefined ? {} : { parameters }),
      ...(strict === undefined ? {} : { strict }),
    },
  };
}

function writeToolChoice(choice: ToolChoice): JsonValue {
  return typeof choice === 'string' ? choice : { type: 'function', function: { name: choice.name } };
}

/** OpenAI's newer models refuse `max_tokens`; nearly everybody else knows nothing but that. */
function writeCap({ maxOutputTokens }: ModelRequest, target: Target): JsonObject {
  return maxOutputTokens === undefined ? {} : { [target.quirks.capField ?? 'max_tokens']: maxOutputTokens };
}

function writeNumbers(request: ModelRequest): JsonObject {
  const { temperature, topP, seed, presencePenalty, frequencyPenalty } = request;
  return {
    ...(temperature === undefined ? {} : { temperature }),
    ...(topP === undefined ? {} : { top_p: topP }),
    ...(seed === undefined ? {} : { seed }),
    ...(presencePenalty === undefined ? {} : { presence_penalty: presencePenalty }),
    ...(frequencyPenalty === undefined ? {} : { frequency_penalty: frequencyPenalty }),
  };
}

function writeResponseFormat(format: ResponseFormat): JsonObject {
  if (format.type === 'json') return { type: 'json_object' };
  const { name, schema, strict } = format;
  return { type: 'json_schema', json_schema: { name, schema, ...(strict === undefined ? {} : { strict }) } };
}

function writeThinking({ thinking }: ModelRequest, notices: Set<string>): JsonObject {
  if (thinking?.budgetTokens !== undefined) {
    notices.add('This wire takes a thinking level and no token budget; the budget was left out.');
  }
  return thinking?.level === undefined ? {} : { reasoning_effort: thinking.level };
}
