import type {
  JsonObject,
  JsonValue,
  ModelRequest,
  ResponseFormat,
  Thinking,
  ThinkingLevel,
  ToolChoice,
  ToolDefinition,
} from '../../turn/index.js';
import type { Target, WireRequest } from '../dialect.js';
import { mergeExtra } from './extra-fields.js';
import { writeContents } from './write-contents.js';

/** Our request as `generateContent`. What this wire has no word for is left out with a notice. */
export function writeRequest(request: ModelRequest, target: Target): WireRequest {
  const notices: string[] = [];
  const contents = writeContents(request.messages, target, notices);
  const generationConfig = writeGenerationConfig(request, notices);
  const toolConfig = writeToolConfig(request, target);
  if (request.parallelToolCalls === false) {
    notices.push('Gemini cannot be told to make one call at a time; parallel_tool_calls: false was left out.');
  }
  const { instructions, tools } = request;
  const body: JsonObject = {
    contents,
    ...(instructions === undefined ? {} : { systemInstruction: { parts: [{ text: instructions }] } }),
    ...(tools === undefined || tools.length === 0
      ? {}
      : { tools: [{ functionDeclarations: writeTools(tools, notices) }] }),
    ...(toolConfig === undefined ? {} : { toolConfig }),
    ...(generationConfig === undefined ? {} : { generationConfig }),
  };
  const extra = request.extra?.dialect === 'gemini' ? request.extra.fields : undefined;
  return {
    method: 'POST',
    path: requestPath(request.model, target.stream),
    headers: {},
    body: extra === undefined ? body : mergeExtra(body, extra),
    notices,
  };
}

/** Relative to the base URL, which holds the version. */
export function requestPath(model: string, stream: boolean): string {
  const name = model.split('/').map(encodeURIComponent).join('/');
  return `/models/${name}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`;
}

function writeTools(tools: readonly ToolDefinition[], notices: string[]): readonly JsonValue[] {
  if (tools.some((tool) => tool.strict === true)) {
    notices.push('Gemini has no strict schemas for tools; strict: true was left out.');
  }
  return tools.map(({ name, description, parameters }) => ({
    name,
    ...(description === undefined ? {} : { description }),
    ...(parameters === undefined ? {} : { parametersJsonSchema: parameters }),
  }));
}

function writeToolConfig(request: ModelRequest, target: Target): JsonObject | undefined {
  const hasTools = request.tools !== undefined && request.tools.length > 0;
  const streamed = hasTools && target.stream && target.quirks.streamFunctionCallArguments === true;
  const functionCallingConfig: JsonObject = {
    ...(request.toolChoice === undefined ? {} : writeToolChoice(request.toolChoice)),
    ...(streamed ? { streamFunctionCallArguments: true } : {}),
  };
  return Object.keys(functionCallingConfig).length === 0 ? undefined : { functionCallingConfig };
}

function writeToolChoice(choice: ToolChoice): JsonObject {
  if (typeof choice !== 'string') return { mode: 'ANY', allowedFunctionNames: [choice.name] };
  switch (choice) {
    case 'auto':
      return { mode: 'AUTO' };
    case 'none':
      return { mode: 'NONE' };
    case 'required':
      return { mode: 'ANY' };
  }
}

/** In this order, which is as good as any and never changes. */
const PLAIN_FIELDS = [
  'temperature',
  'topP',
  'topK',
  'maxOutputTokens',
  'seed',
  'presencePenalty',
  'frequencyPenalty',
] as const;

function writeGenerationConfig(request: ModelRequest, notices: string[]): JsonObject | undefined {
  const { stop, responseFormat, thinking } = request;
  const plain: Record<string, number> = {};
  for (const name of PLAIN_FIELDS) {
    const value = request[name];
    if (value !== undefined) plain[name] = value;
  }
  const thinkingConfig = thinking === undefined ? undefined : writeThinking(thinking, notices);
  const config: JsonObject = {
    ...plain,
    ...(stop === undefined ? {} : { stopSequences: stop }),
    ...(responseFormat === undefined ? {} : writeResponseFormat(responseFormat)),
    ...(thinkingConfig === undefined ? {} : { thinkingConfig }),
  };
  return Object.keys(config).length === 0 ? undefined : config;
}

function writeResponseFormat(format: ResponseFormat): JsonObject {
  const json = { responseMimeType: 'application/json' };
  return format.type === 'json' ? json : { ...json, responseJsonSchema: format.schema };
}

/** A level and a budget in one request are a 400, so the level wins. */
function writeThinking(thinking: Thinking, notices: string[]): JsonObject | undefined {
  const { level, budgetTokens, show } = thinking;
  if (level !== undefined && budgetTokens !== undefined) {
    notices.push('Gemini takes a thinking level or a budget, never both; the budget was left out.');
  }
  if (level === 'none') notices.push('Gemini has no thinking level "none"; MINIMAL was sent.');
  if (level === 'xhigh' || level === 'max') notices.push(`Gemini has no thinking level "${level}"; HIGH was sent.`);
  const config: JsonObject = {
    ...(show === undefined ? {} : { includeThoughts: show }),
    ...(level === undefined ? {} : { thinkingLevel: LEVELS[level] }),
    ...(level !== undefined || budgetTokens === undefined ? {} : { thinkingBudget: budgetTokens }),
  };
  return Object.keys(config).length === 0 ? undefined : config;
}

const LEVELS: Readonly<Record<ThinkingLevel, string>> = {
  none: 'MINIMAL',
  minimal: 'MINIMAL',
  low: 'LOW',
  medium: 'MEDIUM',
  high: 'HIGH',
  xhigh: 'HIGH',
  max: 'HIGH',
};
