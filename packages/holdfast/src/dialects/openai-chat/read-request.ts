import type { JsonObject, JsonValue, ModelRequest, ThinkingLevel } from '../../turn/index.js';
import { depthWithin, isRecord, WIRE_LIMITS } from '../../wire/index.js';
import type { ClientRequest, ReadRequest } from '../dialect.js';
import { readMessages } from './read-messages.js';
import { readResponseFormat } from './read-response-format.js';
import { readToolChoice, readTools } from './read-tools.js';
import { requestInvalid } from '../request-invalid.js';
import { isList } from './wire.js';

/** A client's call of `/chat/completions`. Fields without a neutral name are kept for this wire, and not judged. */
export function readRequest({ body }: ClientRequest): ReadRequest {
  if (!depthWithin(body, WIRE_LIMITS.jsonDepthMax)) {
    throw requestInvalid(`The body is nested more than ${WIRE_LIMITS.jsonDepthMax} levels deep; send a flatter one.`);
  }
  refuse(body);
  const { instructions, messages } = readMessages(body.messages);
  const { known, foreign } = readSettings(body);
  const request: ModelRequest = {
    model: readModel(body.model),
    ...(instructions === undefined ? {} : { instructions }),
    messages,
    ...known,
    ...readPlainFields(body),
    ...(Object.keys(foreign).length === 0 ? {} : { extra: { dialect: 'openai-chat', fields: foreign } }),
  };
  const options = body.stream_options;
  const wantsUsage = isRecord(options) && options.include_usage === true;
  return { request, stream: readBoolean(body, 'stream') === true, framing: 'sse', wantsUsage };
}

interface ReadSettings {
  readonly known: Partial<ModelRequest>;
  /** What has no neutral form goes back under its own name, on this wire alone. */
  readonly foreign: JsonObject;
}

function readSettings(body: JsonObject): ReadSettings {
  const tools = readTools(body.tools);
  const choice = readToolChoice(body.tool_choice);
  const format = readResponseFormat(body.response_format);
  const level = LEVELS.find((name) => name === body.reasoning_effort);
  // A level that only some server knows.
  const ownLevel = level === undefined && isPresent(body.reasoning_effort) ? body.reasoning_effort : undefined;
  return {
    known: {
      ...(tools.functions.length === 0 ? {} : { tools: tools.functions }),
      ...(choice.toolChoice === undefined ? {} : { toolChoice: choice.toolChoice }),
      ...(level === undefined ? {} : { thinking: { level } }),
      ...(format.responseFormat === undefined ? {} : { responseFormat: format.responseFormat }),
    },
    foreign: {
      ...unknownFields(body),
      ...(tools.others.length === 0 ? {} : { tools: tools.others }),
      ...(choice.foreign === undefined ? {} : { tool_choice: choice.foreign }),
      ...(format.foreign === undefined ? {} : { response_format: format.foreign }),
      ...(ownLevel === undefined ? {} : { reasoning_effort: ownLevel }),
    },
  };
}

const LEVELS: readonly ThinkingLevel[] = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'];

const KNOWN_FIELDS: ReadonlySet<string> = new Set([
  'model',
  'messages',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'max_tokens',
  'max_completion_tokens',
  'temperature',
  'top_p',
  'seed',
  'presence_penalty',
  'frequency_penalty',
  'stop',
  'response_format',
  'reasoning_effort',
  'stream',
  'stream_options',
  'n',
]);

/** What we cannot do as asked is refused, since another answer than the asked one is worse than none. */
function refuse(body: JsonObject): void {
  if (isPresent(body.n) && body.n !== 1) throw requestInvalid('"n" must be 1; ask once for each answer.');
  if (isPresent(body.functions) || isPresent(body.function_call)) {
    throw requestInvalid('"functions" and "function_call" are the legacy form; send "tools" and "tool_choice".');
  }
}

function unknownFields(body: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(body).filter(([name]) => !KNOWN_FIELDS.has(name)));
}

function readModel(model: JsonValue | undefined): string {
  if (typeof model !== 'string' || model === '') throw requestInvalid('"model" is missing; name a model.');
  return model;
}

function readPlainFields(body: JsonObject): Partial<ModelRequest> {
  const parallelToolCalls = readBoolean(body, 'parallel_tool_calls');
  const maxOutputTokens = readCount(body, 'max_completion_tokens') ?? readCount(body, 'max_tokens');
  const temperature = readNumber(body, 'temperature');
  const topP = readNumber(body, 'top_p');
  const seed = readNumber(body, 'seed');
  const presencePenalty = readNumber(body, 'presence_penalty');
  const frequencyPenalty = readNumber(body, 'frequency_penalty');
  const stop = readStop(body.stop);
  return {
    ...(parallelToolCalls === undefined ? {} : { parallelToolCalls }),
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(topP === undefined ? {} : { topP }),
    ...(seed === undefined ? {} : { seed }),
    ...(presencePenalty === undefined ? {} : { presencePenalty }),
    ...(frequencyPenalty === undefined ? {} : { frequencyPenalty }),
    ...(stop === undefined ? {} : { stop }),
  };
}

/** Null is absent on this wire. */
function isPresent(value: JsonValue | undefined): value is Exclude<JsonValue, null> {
  return value !== undefined && value !== null;
}

function readBoolean(body: JsonObject, name: string): boolean | undefined {
  const value = body[name];
  if (!isPresent(value)) return undefined;
  if (typeof value !== 'boolean') throw requestInvalid(`"${name}" must be true or false.`);
  return value;
}

function readNumber(body: JsonObject, name: string): number | undefined {
  const value = body[name];
  if (!isPresent(value)) return undefined;
  if (typeof value !== 'number') throw requestInvalid(`"${name}" must be a number.`);
  return value;
}

function readCount(body: JsonObject, name: string): number | undefined {
  const value = readNumber(body, name);
  if (value !== undefined && (!Number.isSafeInteger(value) || value < 1)) {
    throw requestInvalid(`"${name}" must be a whole number of at least 1.`);
  }
  return value;
}

function readStop(stop: JsonValue | undefined): readonly string[] | undefined {
  if (!isPresent(stop)) return undefined;
  if (typeof stop === 'string') return [stop];
  const texts = isList(stop) ? stop.filter((text) => typeof text === 'string') : undefined;
  if (texts === undefined || !isList(stop) || texts.length < stop.length) {
    throw requestInvalid('"stop" must be a string or a list of strings.');
  }
  return texts;
}
