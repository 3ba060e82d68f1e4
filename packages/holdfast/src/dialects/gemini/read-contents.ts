import type { Item, ItemContent, JsonObject, JsonValue, Message, Part, ToolResult } from '../../turn/index.js';
import { isRecord, listOf, stringOf } from '../../wire/index.js';
import { requestInvalid } from '../request-invalid.js';
import { wholeInput } from './partial-args.js';
import { GOOGLE, signed } from './signature.js';
import { field, readPart } from './wire.js';
import type { WirePart } from './wire.js';
import { wrappedText } from './write-contents.js';

/**
 * A client's `contents` as messages. Each part of a model's content is one item, so that it goes back as one part;
 * several contents of one role in a row are normal. Parts of a user's content keep their order.
 */
export function readContents(contents: JsonValue | undefined): readonly Message[] {
  if (!Array.isArray(contents) || contents.length === 0) {
    throw requestInvalid('"contents" must be a list with at least one content.');
  }
  const history = new History();
  for (const [index, content] of listOf(contents).entries()) history.read(content, index);
  return history.messages;
}

interface Call {
  readonly callId: string;
  /** The id that the client knows. */
  readonly wireId: string | undefined;
  readonly name: string;
}

type Open =
  | { readonly role: 'user'; readonly parts: Part[] }
  | { readonly role: 'assistant'; readonly items: Item[] }
  | { readonly role: 'tool'; readonly results: ToolResult[] };

class History {
  readonly messages: Message[] = [];
  #open: Open | undefined;
  /** Calls of the latest step that have no result yet, in order. */
  #unanswered: Call[] = [];

  read(content: unknown, index: number): void {
    if (!isRecord(content)) throw requestInvalid(`"contents[${index}]" must be an object.`);
    const isModel = readRole(content, index) === 'model';
    const parts = content['parts'] ?? [];
    if (!Array.isArray(parts)) throw requestInvalid(`"contents[${index}].parts" must be a list.`);
    // Contents of a user stay apart; those of a step's results and of a model flow together.
    if (!isModel && this.#open?.role === 'user') this.#open = undefined;
    for (const [position, part] of listOf(parts).entries()) {
      if (!isRecord(part)) throw requestInvalid(`"contents[${index}].parts[${position}]" must be an object.`);
      if (isModel) this.#readModelPart(part, `${index}_${position}`);
      else this.#readUserPart(part, `${index}_${position}`);
    }
  }

  #readModelPart(part: JsonObject, place: string): void {
    const read = readPart(part);
    const item = read === undefined ? undefined : this.#readItem(read, place);
    if (item === undefined) return;
    if (this.#open?.role !== 'assistant') {
      this.#unanswered = [];
      this.#open = { role: 'assistant', items: [] };
      this.messages.push(this.#open);
    }
    this.#open.items.push(item);
    if (read?.kind === 'call' && item.content.kind === 'tool_call') {
      const { callId, name } = item.content;
      this.#unanswered.push({ callId, name, wireId: read.call.id });
    }
  }

  #readItem(part: WirePart, place: string): Item | undefined {
    const opaque = signed(part.signature, GOOGLE);
    switch (part.kind) {
      case 'text':
        if (part.text === '' && opaque === undefined) return undefined;
        return { content: { kind: part.thought ? 'reasoning' : 'message', text: part.text }, opaque };
      case 'call':
        return { content: this.#readCall(part, place), opaque };
      case 'foreign':
        return { content: { kind: 'foreign', wireKind: part.wireKind, value: part.value }, opaque };
    }
  }

  #readCall({ call }: WirePart & { readonly kind: 'call' }, place: string): ItemContent {
    const at = place.replace('_', '].parts[');
    if (call.name === undefined) throw requestInvalid(`"contents[${at}].functionCall.name" is missing.`);
    const input = wholeInput(call.args);
    if (input === undefined || input.form !== 'json')
      throw requestInvalid(`"contents[${at}].functionCall.args" must be an object.`);
    const isTaken = this.#open?.role === 'assistant' && this.#unanswered.some(({ callId }) => callId === call.id);
    const idFromProvider = call.id !== undefined && !isTaken;
    const callId = call.id !== undefined && !isTaken ? call.id : `call_h${place}`;
    return { kind: 'tool_call', callId, idFromProvider, name: call.name, input };
  }

  #readUserPart(part: JsonObject, place: string): void {
    const response = field(part, 'functionResponse');
    if (isRecord(response)) {
      if (this.#open?.role !== 'tool') {
        this.#open = { role: 'tool', results: [] };
        this.messages.push(this.#open);
      }
      this.#open.results.push(this.#readResult(response, place));
      return;
    }
    const read = readUserPart(part);
    if (read === undefined) return;
    if (this.#open?.role !== 'user') {
      this.#open = { role: 'user', parts: [] };
      this.messages.push(this.#open);
    }
    this.#open.parts.push(read);
  }

  #readResult(response: JsonObject, place: string): ToolResult {
    const name = stringOf(response['name']);
    const wireId = stringOf(response['id']);
    const body = response['response'];
    const parts = listOf(response['parts'])
      .filter(isRecord)
      .flatMap((part) => readUserPart(part) ?? []);
    const wrapped = isRecord(body) ? wrappedText(body) : undefined;
    const text = wrapped?.text ?? JSON.stringify(body ?? {});
    const isBare = parts.length > 0 && wrapped === undefined && text === '{}';
    return {
      callId: this.#answered(wireId, name) ?? wireId ?? `call_h${place}`,
      name,
      parts: isBare ? parts : [{ type: 'text', text }, ...parts],
      isError: wrapped?.isError ?? false,
    };
  }

  /** By id, else by name in the order of the calls. */
  #answered(wireId: string | undefined, name: string | undefined): string | undefined {
    const byId = wireId === undefined ? -1 : this.#unanswered.findIndex((call) => call.wireId === wireId);
    const index = byId === -1 ? this.#unanswered.findIndex((call) => call.name === name) : byId;
    return index === -1 ? undefined : this.#unanswered.splice(index, 1)[0]?.callId;
  }
}

/** `function` is the old name of a user's content that holds results. */
function readRole(content: JsonObject, index: number): 'user' | 'model' {
  const role = content['role'] ?? 'user';
  if (role === 'model') return 'model';
  if (role === 'user' || role === 'function') return 'user';
  throw requestInvalid(`"contents[${index}].role" must be "user" or "model".`);
}

function readUserPart(part: JsonObject): Part | undefined {
  const text = part['text'];
  if (typeof text === 'string') return { type: 'text', text };
  const inline = field(part, 'inlineData');
  if (isRecord(inline)) {
    const name = stringOf(field(inline, 'displayName'));
    const mediaType = stringOf(field(inline, 'mimeType')) ?? '';
    return { type: 'media', mediaType, data: stringOf(inline['data']) ?? '', ...(name === undefined ? {} : { name }) };
  }
  const file = field(part, 'fileData');
  if (isRecord(file)) {
    return {
      type: 'media_url',
      mediaType: stringOf(field(file, 'mimeType')),
      url: stringOf(field(file, 'fileUri')) ?? '',
    };
  }
  return readPart(part) === undefined ? undefined : { type: 'foreign', dialect: 'gemini', value: part };
}
