import type { Item, JsonObject, JsonValue, OpaqueState, ToolInput } from '../../turn/index.js';
import { depthWithin, isRecord, parseJson, WIRE_LIMITS } from '../../wire/index.js';
import { UNKNOWN_VENDOR } from '../unknown-vendor.js';
import { opaqueOf, readExtraContent, readHoldfastExtra, signatureState } from './extra-content.js';
import { shownDetail } from './reasoning-details.js';
import { requestInvalid } from '../request-invalid.js';
import { thinkingText } from './thinking-chunks.js';
import { isList, textOf } from './wire.js';
import { INVALID_ARGUMENTS } from './write-messages.js';

/** An assistant message of a client's history as the items it stands for: thinking, text, refusal, calls. */
export function readAssistant(message: JsonObject, at: string): readonly Item[] {
  const chunks = isList(message.content) ? message.content.filter(isRecord) : [];
  const vendor = vendorOf(message);
  const items: Item[] = [];
  const reasoning = readReasoningItem(message, chunks, vendor);
  if (reasoning !== undefined) items.push(reasoning);
  const text = readContent(message.content, chunks, at);
  const state = messageState(message, vendor);
  if (text !== '' || state !== undefined) items.push({ content: { kind: 'message', text }, opaque: state });
  const refusal = textOf(message.refusal) + chunkTexts(chunks, 'refusal', 'refusal');
  if (refusal !== '') items.push({ content: { kind: 'refusal', text: refusal }, opaque: undefined });
  return [...items, ...readCalls(message.tool_calls, vendor, `${at}.tool_calls`)];
}

/** Our own writer names the vendor; a signature of Google's on the message or on a call names it as well. */
function vendorOf(message: JsonObject): string {
  const own = readHoldfastExtra(message.extra_content).vendor;
  if (own !== undefined) return own;
  const calls = isList(message.tool_calls) ? message.tool_calls.filter(isRecord) : [];
  const extras = [message.extra_content, ...calls.map((call) => call.extra_content)];
  return extras.some((extra) => isRecord(extra) && extra.google !== undefined) ? 'google' : UNKNOWN_VENDOR;
}

function readContent(content: JsonValue | undefined, chunks: readonly JsonObject[], at: string): string {
  if (content === undefined || content === null) return '';
  if (typeof content === 'string') return content;
  if (!isList(content)) throw requestInvalid(`"${at}.content" must be a string, a list of content parts or null.`);
  return chunkTexts(chunks, 'text', 'text');
}

function chunkTexts(chunks: readonly JsonObject[], type: string, field: string): string {
  return chunks.map((chunk) => (chunk.type === type ? textOf(chunk[field]) : '')).join('');
}

function readReasoningItem(message: JsonObject, chunks: readonly JsonObject[], vendor: string): Item | undefined {
  const content = textOf(message.reasoning_content);
  const details = isList(message.reasoning_details) ? message.reasoning_details : [];
  const blocks = isList(message.thinking_blocks) ? message.thinking_blocks : [];
  const thinking = chunks.filter(({ type }) => type === 'thinking');
  const own = readHoldfastExtra(message.extra_content);
  const opaque: OpaqueState[] = [];
  if (content !== '' && !own.onlyShows) opaque.push({ vendor, kind: 'reasoning_content', value: content });
  if (details.length > 0) opaque.push({ vendor, kind: 'reasoning_details', value: details });
  if (thinking.length > 0) opaque.push({ vendor, kind: 'content_array', value: thinking });
  if (blocks.length > 0) opaque.push({ vendor, kind: 'foreign', value: { thinking_blocks: blocks } });
  opaque.push(...own.reasoning);
  const shown = [
    content,
    textOf(message.reasoning),
    details.map(shownDetail).join(''),
    [...thinking, ...blocks].map(thinkingText).join(''),
  ];
  const text = shown.find((words) => words !== '') ?? '';
  if (text === '' && opaque.length === 0) return undefined;
  return { content: { kind: 'reasoning', text }, opaque: opaque.length === 0 ? undefined : opaque };
}

/** The state of the message itself; Google's compatibility endpoint writes the signature twice. */
function messageState(message: JsonObject, vendor: string): readonly OpaqueState[] | undefined {
  const { signature, foreign } = readExtraContent(withoutOwn(message.extra_content));
  const twin = textOf(message.thought_signature);
  const word = signature ?? (twin === '' ? undefined : twin);
  const states: OpaqueState[] = word === undefined ? [] : [signatureState(word)];
  states.push(...(opaqueOf({ signature: undefined, foreign }, vendor) ?? []));
  states.push(...readHoldfastExtra(message.extra_content).message);
  return states.length === 0 ? undefined : states;
}

function readCalls(calls: JsonValue | undefined, vendor: string, at: string): readonly Item[] {
  if (calls === undefined || calls === null) return [];
  if (!isList(calls)) throw requestInvalid(`"${at}" must be a list of tool calls.`);
  return calls.map((call, index) => readCall(call, vendor, `${at}[${index}]`));
}

function readCall(call: JsonValue, vendor: string, at: string): Item {
  if (!isRecord(call)) throw requestInvalid(`"${at}" must be an object with "id" and "function".`);
  const callId = textOf(call.id);
  if (callId === '') throw requestInvalid(`"${at}.id" is missing; its result names the call by it.`);
  const isCustom = isRecord(call.custom) && textOf(call.custom.name) !== '';
  const tool = isCustom ? call.custom : call.function;
  const name = isRecord(tool) ? textOf(tool.name) : '';
  if (!isRecord(tool) || name === '') throw requestInvalid(`"${at}.function.name" is missing.`);
  const input = isCustom ? ({ form: 'text', text: textOf(tool.input) } as const) : readArguments(tool.arguments, at);
  const states = [
    ...(opaqueOf(readExtraContent(withoutOwn(call.extra_content)), vendor) ?? []),
    ...readHoldfastExtra(call.extra_content).call,
  ];
  const content = { kind: 'tool_call', callId, idFromProvider: true, name, input } as const;
  return { content, opaque: states.length === 0 ? undefined : states };
}

/** What our own writer put in the place of arguments that never parsed is taken out again. */
function readArguments(value: JsonValue | undefined, at: string): ToolInput {
  if (value === undefined || value === null || value === '') return { form: 'json', text: '{}', value: {} };
  if (isRecord(value)) return { form: 'json', text: JSON.stringify(value), value };
  if (typeof value !== 'string') throw requestInvalid(`"${at}.function.arguments" must be a string of JSON.`);
  const json = parseJson(value);
  if (!json.ok || !isRecord(json.value) || !depthWithin(json.value, WIRE_LIMITS.jsonDepthMax)) {
    return { form: 'invalid', text: value };
  }
  const wrapped = json.value[INVALID_ARGUMENTS];
  if (typeof wrapped === 'string' && Object.keys(json.value).length === 1) return { form: 'invalid', text: wrapped };
  return { form: 'json', text: value, value: json.value };
}

/** Our own namespace is read by itself and is nobody's foreign state. */
function withoutOwn(extra: JsonValue | undefined): JsonValue | undefined {
  if (!isRecord(extra)) return extra;
  return Object.fromEntries(Object.entries(extra).filter(([name]) => name !== 'holdfast'));
}
