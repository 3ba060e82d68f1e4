import type { Item, JsonObject, JsonValue, Message, Part, ToolInput, ToolResult } from '../../turn/index.js';
import { isRecord, parseJson, WIRE_LIMITS, depthWithin } from '../../wire/index.js';
import type { Target } from '../dialect.js';
import { UNKNOWN_VENDOR } from '../unknown-vendor.js';
import { GOOGLE, signatureOf } from './signature.js';

/**
 * The conversation as `contents`. One item is one part, in its place and with its own signature: a signed part is
 * never merged, moved or signed anew. All results of a step go into one content.
 */
export function writeContents(messages: readonly Message[], target: Target, notices: string[]): readonly JsonValue[] {
  const contents: JsonObject[] = [];
  const calls: Map<string, Call> = new Map();
  const turnStart = messages.findLastIndex(({ role }) => role === 'user' || role === 'system');
  let results: JsonValue[] = [];
  for (const [index, message] of messages.entries()) {
    if (message.role !== 'tool') results = [];
    switch (message.role) {
      case 'system':
        contents.push({ role: 'user', parts: [{ text: message.text }] });
        break;
      case 'user': {
        const parts = message.parts.flatMap((part) => writePart(part, notices));
        if (parts.length > 0) contents.push({ role: 'user', parts });
        break;
      }
      case 'assistant': {
        noteCalls(message.items, calls);
        const isStep = index > turnStart;
        const parts = writeItems(message.items, { target, notices, isStep });
        if (parts.length > 0) contents.push({ role: 'model', parts });
        break;
      }
      case 'tool':
        if (results.length === 0) contents.push({ role: 'user', parts: results });
        results.push(...message.results.map((result) => writeResult(result, calls.get(result.callId), notices)));
        break;
    }
  }
  return contents;
}

interface Call {
  readonly name: string;
  readonly idFromProvider: boolean;
}

interface Step {
  readonly target: Target;
  readonly notices: string[];
  /** Whether it belongs to the current turn, whose first calls Gemini 3 wants signed. */
  readonly isStep: boolean;
}

/**
 * The provider's documented value for calls that another model made. It goes out only where the state of
 * a named vendor shows that origin, and never over a true signature.
 */
const SKIP_SIGNATURE = 'skip_thought_signature_validator';

function noteCalls(items: readonly Item[], calls: Map<string, Call>): void {
  for (const { content } of items) {
    if (content.kind === 'tool_call')
      calls.set(content.callId, { name: content.name, idFromProvider: content.idFromProvider });
  }
}

function writeItems(items: readonly Item[], step: Step): readonly JsonValue[] {
  const { vendor } = step.target;
  const states = items.flatMap((item) => item.opaque ?? []);
  const isForeign = states.some((state) => state.vendor !== vendor && state.vendor !== UNKNOWN_VENDOR);
  const isOwn = states.length === 0 || states.some((state) => state.vendor === vendor);
  const needsSkip = isForeign && step.isStep && vendor === GOOGLE;
  const firstCall = needsSkip ? items.find((item) => item.content.kind === 'tool_call') : undefined;
  const parts: JsonValue[] = [];
  for (const item of items) {
    if (item.content.kind === 'reasoning' && !isOwn) continue;
    const part = writeItem(item, vendor);
    if (part !== undefined) parts.push(item === firstCall ? withSkip(part, item, step.notices) : part);
  }
  return parts;
}

function withSkip(part: JsonObject, { content }: Item, notices: string[]): JsonObject {
  if ('thoughtSignature' in part || content.kind !== 'tool_call') return part;
  notices.push(
    `The call "${content.name}" was made by a model of another vendor; Gemini's placeholder signature was sent for it.`,
  );
  return { ...part, thoughtSignature: SKIP_SIGNATURE };
}

function writeItem(item: Item, vendor: string): JsonObject | undefined {
  const signature = signatureOf(item, vendor);
  const signed = signature === undefined ? {} : { thoughtSignature: signature };
  const { content } = item;
  switch (content.kind) {
    case 'message':
    case 'refusal':
      return content.text === '' && signature === undefined ? undefined : { text: content.text, ...signed };
    case 'reasoning':
      return content.text === '' && signature === undefined
        ? undefined
        : { text: content.text, thought: true, ...signed };
    case 'tool_call': {
      const { name, callId, idFromProvider, input } = content;
      return { functionCall: { ...(idFromProvider ? { id: callId } : {}), name, args: writeArgs(input) }, ...signed };
    }
    case 'foreign':
      // A foreign item of another wire does not hold its own kind as a field.
      return isRecord(content.value) && Object.hasOwn(content.value, content.wireKind)
        ? { ...content.value, ...signed }
        : undefined;
  }
}

/** This wire has no place for text arguments, so they go under one name. */
export function writeArgs(input: ToolInput): JsonObject {
  return input.form === 'json' ? input.value : { input: input.text };
}

function writePart(part: Part, notices: string[]): readonly JsonObject[] {
  switch (part.type) {
    case 'text':
      return [{ text: part.text }];
    case 'media':
      return [
        {
          inlineData: {
            mimeType: part.mediaType,
            data: part.data,
            ...(part.name === undefined ? {} : { displayName: part.name }),
          },
        },
      ];
    case 'media_url':
      return [
        { fileData: { ...(part.mediaType === undefined ? {} : { mimeType: part.mediaType }), fileUri: part.url } },
      ];
    case 'foreign':
      if (part.dialect === 'gemini' && isRecord(part.value)) return [part.value];
      notices.push(`A part of the ${part.dialect} wire has no counterpart in Gemini and was left out.`);
      return [];
  }
}

function writeResult(result: ToolResult, call: Call | undefined, notices: string[]): JsonObject {
  const texts = result.parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  const media = result.parts.filter((part) => part.type !== 'text').flatMap((part) => writePart(part, notices));
  const isBare = texts.length === 0 && media.length > 0;
  return {
    functionResponse: {
      ...(call?.idFromProvider === true ? { id: result.callId } : {}),
      name: result.name ?? call?.name ?? '',
      response: isBare ? {} : writeResponse(texts.join('\n'), result.isError),
      ...(media.length === 0 ? {} : { parts: media }),
    },
  };
}

/** An object goes as it is where that changes not one character of it; all other text goes under one name. */
function writeResponse(text: string, isError: boolean): JsonObject {
  if (isError) return { error: text };
  return exactObject(text) ?? { output: text };
}

/** Not the empty object: beside media it says that there is no text. */
function exactObject(text: string): JsonObject | undefined {
  if (!text.startsWith('{"')) return undefined;
  const json = parseJson(text);
  if (!json.ok || !isRecord(json.value) || !depthWithin(json.value, WIRE_LIMITS.jsonDepthMax)) return undefined;
  return JSON.stringify(json.value) === text && wrappedText(json.value) === undefined ? json.value : undefined;
}

/** What `writeResponse` wrapped, or a client did in the same way. */
export function wrappedText(response: JsonObject): { readonly text: string; readonly isError: boolean } | undefined {
  const [only, more] = Object.entries(response);
  if (only === undefined || more !== undefined) return undefined;
  const [name, text] = only;
  if (typeof text !== 'string') return undefined;
  if (name === 'output') return { text, isError: false };
  return name === 'error' ? { text, isError: true } : undefined;
}
