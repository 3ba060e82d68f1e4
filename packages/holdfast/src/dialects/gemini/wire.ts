import type { JsonObject, JsonValue } from '../../turn/index.js';
import { isRecord } from '../../wire/index.js';

/** One `GenerateContentResponse` as far as it is read. Of several candidates the first alone is. */
export interface WireChunk {
  readonly parts: readonly WirePart[];
  readonly finishReason: string | undefined;
  /** Why the prompt was blocked. */
  readonly blockReason: string | undefined;
  /** The provider's words beside a finish or a block: its message, or the safety categories that blocked. */
  readonly detail: string | undefined;
  readonly usage: WireUsage | undefined;
}

export type WirePart =
  | {
      readonly kind: 'text';
      readonly text: string;
      readonly thought: boolean;
      /** Independent of `thought`: a signed part is not a thought. */
      readonly signature: string | undefined;
    }
  | { readonly kind: 'call'; readonly call: WireCall; readonly signature: string | undefined }
  /** `value` is the part without its signature. */
  | {
      readonly kind: 'foreign';
      readonly wireKind: string;
      readonly value: JsonObject;
      readonly signature: string | undefined;
    };

export interface WireCall {
  /** Absent on later pieces of streamed arguments. */
  readonly name: string | undefined;
  readonly id: string | undefined;
  readonly args: JsonValue | undefined;
  readonly updates: readonly ArgUpdate[];
  readonly willContinue: boolean;
}

/** One step of streamed arguments (Vertex): a value, or a piece of a string, at a place. */
export interface ArgUpdate {
  readonly path: string;
  /** `undefined` where the piece holds nothing and only closes its string. */
  readonly value: string | number | boolean | null | undefined;
  readonly willContinue: boolean;
}

export interface WireUsage {
  readonly prompt: number | undefined;
  readonly cached: number | undefined;
  readonly candidates: number | undefined;
  readonly thoughts: number | undefined;
  readonly toolPrompt: number | undefined;
}

/** `undefined` for what is no reply chunk of this wire. */
export function readChunk(value: unknown): WireChunk | undefined {
  if (!isRecord(value)) return undefined;
  const { candidates, promptFeedback, usageMetadata } = value;
  const known = Array.isArray(candidates) || isRecord(promptFeedback) || isRecord(usageMetadata);
  if (!known) return undefined;
  const candidate = firstCandidate(candidates);
  const feedback = isRecord(promptFeedback) ? promptFeedback : {};
  const content = candidate['content'];
  return {
    parts: isRecord(content) ? readParts(content['parts']) : [],
    finishReason: words(candidate['finishReason']),
    blockReason: words(feedback['blockReason']),
    detail:
      words(candidate['finishMessage']) ?? words(feedback['blockReasonMessage']) ?? blockedBy(candidate, feedback),
    usage: isRecord(usageMetadata) ? readCounts(usageMetadata) : undefined,
  };
}

/** One part of a reply or of a replayed reply; `undefined` for a part that holds nothing at all. */
export function readPart(value: unknown): WirePart | undefined {
  if (!isRecord(value)) return undefined;
  const signature = words(field(value, 'thoughtSignature'));
  const call = field(value, 'functionCall');
  if (isRecord(call)) return { kind: 'call', call: readCall(call), signature };
  const thought = value['thought'] === true;
  const text = value['text'];
  if (typeof text === 'string') return { kind: 'text', text, thought, signature };
  const wireKind = foreignKind(value);
  if (wireKind !== undefined) return { kind: 'foreign', wireKind, value: withoutSignature(value), signature };
  return signature === undefined ? undefined : { kind: 'text', text: '', thought, signature };
}

/** A field by its JSON name or its proto name, as the provider reads both; null is absent there. */
export function field(record: JsonObject, name: FieldName): JsonValue | undefined {
  return record[name] ?? record[PROTO_NAMES[name]] ?? undefined;
}

export type FieldName = keyof typeof PROTO_NAMES;

/** The fields that clients send in both spellings. */
export const PROTO_NAMES = {
  systemInstruction: 'system_instruction',
  generationConfig: 'generation_config',
  toolConfig: 'tool_config',
  functionDeclarations: 'function_declarations',
  functionCallingConfig: 'function_calling_config',
  allowedFunctionNames: 'allowed_function_names',
  parametersJsonSchema: 'parameters_json_schema',
  functionCall: 'function_call',
  functionResponse: 'function_response',
  thoughtSignature: 'thought_signature',
  inlineData: 'inline_data',
  fileData: 'file_data',
  mimeType: 'mime_type',
  fileUri: 'file_uri',
  displayName: 'display_name',
  maxOutputTokens: 'max_output_tokens',
  temperature: 'temperature',
  seed: 'seed',
  topP: 'top_p',
  topK: 'top_k',
  stopSequences: 'stop_sequences',
  presencePenalty: 'presence_penalty',
  frequencyPenalty: 'frequency_penalty',
  responseMimeType: 'response_mime_type',
  responseSchema: 'response_schema',
  responseJsonSchema: 'response_json_schema',
  thinkingConfig: 'thinking_config',
  includeThoughts: 'include_thoughts',
  thinkingLevel: 'thinking_level',
  thinkingBudget: 'thinking_budget',
} as const;

/** Flags and hints of a part; every other key is what the part is. */
const PART_FLAGS: ReadonlySet<string> = new Set([
  'thought',
  'thoughtSignature',
  'thought_signature',
  'partMetadata',
  'videoMetadata',
  'mediaResolution',
]);

function firstCandidate(candidates: unknown): JsonObject {
  if (!Array.isArray(candidates)) return {};
  const list: readonly unknown[] = candidates;
  for (const candidate of list) {
    // Vertex and old hosts drop `index`; absent is the first.
    if (isRecord(candidate) && (candidate['index'] ?? 0) === 0) return candidate;
  }
  return {};
}

function readParts(parts: unknown): readonly WirePart[] {
  if (!Array.isArray(parts)) return [];
  const list: readonly unknown[] = parts;
  const read: WirePart[] = [];
  for (const part of list) {
    const known = readPart(part);
    if (known !== undefined) read.push(known);
  }
  return read;
}

function readCall(call: JsonObject): WireCall {
  const args = call['args'];
  const updates = call['partialArgs'];
  return {
    name: words(call['name']),
    id: words(call['id']),
    args: args ?? undefined,
    updates: Array.isArray(updates) ? readUpdates(updates) : [],
    willContinue: call['willContinue'] === true,
  };
}

function readUpdates(updates: readonly unknown[]): readonly ArgUpdate[] {
  const read: ArgUpdate[] = [];
  for (const update of updates) {
    if (!isRecord(update)) continue;
    const path = update['jsonPath'];
    if (typeof path !== 'string') continue;
    read.push({ path, value: updateValue(update), willContinue: update['willContinue'] === true });
  }
  return read;
}

function updateValue(update: JsonObject): ArgUpdate['value'] {
  const { stringValue, numberValue, boolValue } = update;
  if (typeof stringValue === 'string') return stringValue;
  if (typeof numberValue === 'number') return numberValue;
  if (typeof boolValue === 'boolean') return boolValue;
  return 'nullValue' in update ? null : undefined;
}

function foreignKind(part: JsonObject): string | undefined {
  for (const key of Object.keys(part)) {
    if (!PART_FLAGS.has(key) && part[key] !== null) return key;
  }
  return undefined;
}

function withoutSignature(part: JsonObject): JsonObject {
  const kept = Object.entries(part).filter(([key]) => key !== 'thoughtSignature' && key !== 'thought_signature');
  return Object.fromEntries(kept);
}

function readCounts(usage: JsonObject): WireUsage {
  return {
    prompt: count(usage['promptTokenCount']),
    cached: count(usage['cachedContentTokenCount']),
    candidates: count(usage['candidatesTokenCount']),
    thoughts: count(usage['thoughtsTokenCount']),
    toolPrompt: count(usage['toolUsePromptTokenCount']),
  };
}

function blockedBy(...rated: readonly JsonObject[]): string | undefined {
  const blocked: string[] = [];
  for (const { safetyRatings } of rated) {
    if (!Array.isArray(safetyRatings)) continue;
    const ratings: readonly unknown[] = safetyRatings;
    for (const rating of ratings) {
      if (!isRecord(rating) || rating['blocked'] !== true) continue;
      const category = words(rating['category']);
      if (category !== undefined) blocked.push(category);
    }
  }
  return blocked.length === 0 ? undefined : blocked.join(', ');
}

function count(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
}

function words(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
