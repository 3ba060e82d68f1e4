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
import { depthWithin, isRecord, listOf, setOwnField, stringOf, WIRE_LIMITS } from '../../wire/index.js';
import type { ClientRequest, ReadRequest } from '../dialect.js';
import { requestInvalid } from '../request-invalid.js';
import { readContents } from './read-contents.js';
import { readSchema } from './read-schema.js';
import { field, PROTO_NAMES } from './wire.js';
import type { FieldName } from './wire.js';

/** A client's call of `generateContent` or `streamGenerateContent`. Both spellings of a field are read, as the provider does. */
export function readRequest(wire: ClientRequest): ReadRequest {
  const { body, query } = wire;
  const { model, stream } = readPath(wire.path);
  if (!depthWithin(body, WIRE_LIMITS.jsonDepthMax + ENVELOPE_DEPTH))
    throw requestInvalid('The body is nested too deeply.');
  const instructions = readInstructions(field(body, 'systemInstruction'));
  const tools = readTools(body['tools']);
  const choice = readToolConfig(field(body, 'toolConfig'));
  const config = readGenerationConfig(field(body, 'generationConfig'));
  const extra: JsonObject = {
    ...without(body, ['contents', 'model', 'tools', 'systemInstruction', 'toolConfig', 'generationConfig']),
    ...(tools.others.length === 0 ? {} : { tools: tools.others }),
    ...nonEmpty('toolConfig', choice.rest),
    ...nonEmpty('generationConfig', config.rest),
  };
  const request: ModelRequest = {
    model,
    ...(instructions === undefined ? {} : { instructions }),
    messages: readContents(body['contents']),
    ...(tools.functions.length === 0 ? {} : { tools: tools.functions }),
    ...(choice.toolChoice === undefined ? {} : { toolChoice: choice.toolChoice }),
    ...config.fields,
    ...(Object.keys(extra).length === 0 ? {} : { extra: { dialect: 'gemini', fields: extra } }),
  };
  return { request, stream, framing: stream && query['alt'] !== 'sse' ? 'json_array' : 'sse', wantsUsage: true };
}

/** What this wire puts around arguments, results and schemas of the deepest nesting that is kept. */
const ENVELOPE_DEPTH = 16;

const PATH = /^\/v1[a-z0-9]{0,8}\/models\/(.+):([A-Za-z]{1,64})$/u;

function readPath(path: string): { readonly model: string; readonly stream: boolean } {
  const [, name, method] = PATH.exec(path) ?? [];
  const model = name === undefined ? undefined : decoded(name);
  if (model === undefined || (method !== 'generateContent' && method !== 'streamGenerateContent')) {
    throw requestInvalid(
      `The path "${path}" names no model and method; use /v1beta/models/MODEL:generateContent or :streamGenerateContent.`,
    );
  }
  return { model, stream: method === 'streamGenerateContent' };
}

function decoded(name: string): string | undefined {
  try {
    return decodeURIComponent(name);
  } catch {
    return undefined;
  }
}

function readInstructions(instruction: JsonValue | undefined): string | undefined {
  if (instruction === undefined) return undefined;
  if (typeof instruction === 'string') return instruction;
  const parts = isRecord(instruction) ? (instruction['parts'] ?? []) : instruction;
  const list = isRecord(parts) ? [parts] : listOf(parts);
  const texts = list.map((part) => (isRecord(part) ? stringOf(part['text']) : stringOf(part)));
  if (texts.length === 0) return undefined;
  return texts
    .map((text, index) => text ?? fail(`"systemInstruction.parts[${index}]" must be a text part.`))
    .join('\n');
}

interface ReadTools {
  readonly functions: readonly ToolDefinition[];
  /** The provider's own tools, such as search or code execution. */
  readonly others: readonly JsonObject[];
}

function readTools(tools: JsonValue | undefined): ReadTools {
  const functions: ToolDefinition[] = [];
  const others: JsonObject[] = [];
  if (tools === undefined || tools === null) return { functions, others };
  if (!Array.isArray(tools)) throw requestInvalid('"tools" must be a list.');
  for (const [index, tool] of listOf(tools).entries()) {
    if (!isRecord(tool)) throw requestInvalid(`"tools[${index}]" must be an object.`);
    const declared = listOf(field(tool, 'functionDeclarations'));
    for (const [at, declaration] of declared.entries()) {
      functions.push(readDeclaration(declaration, `tools[${index}].functionDeclarations[${at}]`));
    }
    const rest = without(tool, ['functionDeclarations']);
    if (Object.keys(rest).length > 0) others.push(rest);
  }
  return { functions, others };
}

function readDeclaration(declaration: unknown, at: string): ToolDefinition {
  const name = isRecord(declaration) ? stringOf(declaration['name']) : undefined;
  if (!isRecord(declaration) || name === undefined) throw requestInvalid(`"${at}.name" is missing.`);
  const description = stringOf(declaration['description']);
  const schema = field(declaration, 'parametersJsonSchema');
  const own = declaration['parameters'];
  const parameters = isRecord(schema) ? schema : isRecord(own) ? readSchema(own) : undefined;
  return {
    name,
    ...(description === undefined ? {} : { description }),
    ...(parameters === undefined ? {} : { parameters }),
  };
}

interface ReadToolConfig {
  readonly toolChoice: ToolChoice | undefined;
  readonly rest: JsonObject;
}

function readToolConfig(config: JsonValue | undefined): ReadToolConfig {
  if (!isRecord(config)) return { toolChoice: undefined, rest: {} };
  const rest = without(config, ['functionCallingConfig']);
  const calling = field(config, 'functionCallingConfig');
  if (!isRecord(calling)) return { toolChoice: undefined, rest };
  const mode = calling['mode'];
  const names = listOf(field(calling, 'allowedFunctionNames')).filter((name) => typeof name === 'string');
  const toolChoice = readMode(mode, names);
  // VALIDATED and lists of names have no neutral word; they go back as they came.
  const isWhole = mode === 'AUTO' || mode === 'NONE' || (mode === 'ANY' && names.length <= 1);
  const kept = isWhole ? without(calling, ['mode', 'allowedFunctionNames']) : without(calling, []);
  return { toolChoice, rest: { ...rest, ...nonEmpty('functionCallingConfig', kept) } };
}

function readMode(mode: unknown, names: readonly string[]): ToolChoice | undefined {
  const [name, more] = names;
  switch (mode) {
    case 'AUTO':
    case 'VALIDATED':
      return 'auto';
    case 'NONE':
      return 'none';
    case 'ANY':
      return name !== undefined && more === undefined ? { name } : 'required';
    default:
      return undefined;
  }
}

type ConfigFields = Pick<
  ModelRequest,
  | 'maxOutputTokens'
  | 'temperature'
  | 'topP'
  | 'topK'
  | 'seed'
  | 'presencePenalty'
  | 'frequencyPenalty'
  | 'stop'
  | 'thinking'
  | 'responseFormat'
>;

const NUMBERS = [
  'maxOutputTokens',
  'temperature',
  'topP',
  'topK',
  'seed',
  'presencePenalty',
  'frequencyPenalty',
] as const;

function readGenerationConfig(config: JsonValue | undefined): {
  readonly fields: ConfigFields;
  readonly rest: JsonObject;
} {
  if (!isRecord(config)) return { fields: {}, rest: {} };
  const numbers: Record<string, number> = {};
  for (const name of NUMBERS) {
    const value = readNumber(field(config, name), name);
    if (value !== undefined) numbers[name] = value;
  }
  if (numbers['maxOutputTokens'] !== undefined && numbers['maxOutputTokens'] < 1) {
    throw requestInvalid('"generationConfig.maxOutputTokens" must be at least 1.');
  }
  const stop = field(config, 'stopSequences');
  const thinking = field(config, 'thinkingConfig');
  const format = readFormat(config);
  const known: FieldName[] = [...NUMBERS, 'stopSequences', 'thinkingConfig'];
  const formatFields: FieldName[] = ['responseMimeType', 'responseSchema', 'responseJsonSchema'];
  return {
    fields: {
      ...numbers,
      ...(stop === undefined ? {} : { stop: readStop(stop) }),
      ...(thinking === undefined ? {} : { thinking: readThinking(thinking) }),
      ...(format === undefined ? {} : { responseFormat: format }),
    },
    rest: without(config, [...known, ...(format === undefined ? [] : formatFields)]),
  };
}

/** JSON of protocol buffers may carry numbers as text. */
function readNumber(value: JsonValue | undefined, name: string): number | undefined {
  if (value === undefined) return undefined;
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number === 'number' && Number.isFinite(number)) return number;
  throw requestInvalid(`"generationConfig.${name}" must be a number.`);
}

function readStop(stop: JsonValue): readonly string[] {
  const list = listOf(stop).filter((sequence) => typeof sequence === 'string');
  if (!Array.isArray(stop) || list.length !== stop.length)
    throw requestInvalid('"generationConfig.stopSequences" must be a list of texts.');
  return list;
}

function readFormat(config: JsonObject): ResponseFormat | undefined {
  if (field(config, 'responseMimeType') !== 'application/json') return undefined;
  const schema = field(config, 'responseJsonSchema');
  const own = field(config, 'responseSchema');
  if (isRecord(schema)) return { type: 'json_schema', name: 'response', schema };
  return isRecord(own) ? { type: 'json_schema', name: 'response', schema: readSchema(own) } : { type: 'json' };
}

const LEVELS: ReadonlySet<string> = new Set<ThinkingLevel>([
  'none',
  'minimal',
  'low',
  'medium',
  'high',
  'xhigh',
  'max',
]);

function readThinking(config: JsonValue): Thinking {
  if (!isRecord(config)) throw requestInvalid('"generationConfig.thinkingConfig" must be an object.');
  const show = field(config, 'includeThoughts');
  const budgetTokens = readNumber(field(config, 'thinkingBudget'), 'thinkingConfig.thinkingBudget');
  const level = stringOf(field(config, 'thinkingLevel'))?.toLowerCase();
  if (level !== undefined && !isLevel(level))
    throw requestInvalid(`"generationConfig.thinkingConfig.thinkingLevel" has no value "${level}".`);
  return {
    ...(level === undefined ? {} : { level }),
    ...(budgetTokens === undefined ? {} : { budgetTokens }),
    ...(typeof show === 'boolean' ? { show } : {}),
  };
}

function isLevel(level: string): level is ThinkingLevel {
  return LEVELS.has(level);
}

/** What is left when the named fields are taken out, in both spellings; null is absent on this wire. */
function without(record: JsonObject, names: readonly string[]): JsonObject {
  const taken = new Set(names.flatMap((name) => (isFieldName(name) ? [name, PROTO_NAMES[name]] : [name])));
  const rest: Record<string, JsonValue | undefined> = {};
  for (const [name, value] of Object.entries(record)) {
    if (!taken.has(name) && value !== undefined && value !== null) setOwnField(rest, name, value);
  }
  return rest;
}

function isFieldName(name: string): name is FieldName {
  return Object.hasOwn(PROTO_NAMES, name);
}

function nonEmpty(name: string, record: JsonObject): JsonObject {
  return Object.keys(record).length === 0 ? {} : { [name]: record };
}

function fail(message: string): never {
  throw requestInvalid(message);
}
