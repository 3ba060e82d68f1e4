import type {
  Item,
  JsonObject,
  JsonValue,
  Message,
  OpaqueState,
  Part,
  ToolCallContent,
  ToolResult,
} from '../../turn/index.js';
import type { Target } from '../dialect.js';
import { UNKNOWN_VENDOR } from '../unknown-vendor.js';
import { replayFields } from './extra-content.js';
import { wireCallId } from './wire-call-id.js';
import { isList } from './wire.js';
import { writePart, writeUserContent } from './write-parts.js';

/**
 * The conversation in this wire's messages, for its strictest server: one assistant message per reply, one tool
 * message per result directly after it, and no field that its vendor did not make.
 */
export function writeMessages(
  messages: readonly Message[],
  target: Target,
  notices: Set<string>,
): readonly JsonObject[] {
  return messages.flatMap((message) => {
    switch (message.role) {
      case 'system':
        return [{ role: instructionsRole(target), content: message.text }];
      case 'user':
        return [{ role: 'user', content: writeUserContent(message.parts) }];
      case 'assistant':
        return writeAssistant(message.items, target, notices);
      case 'tool':
        return writeResults(message.results, target, notices);
    }
  });
}

/** `developer` is safe at OpenAI alone. */
export function instructionsRole(target: Target): string {
  return target.quirks.instructionsRole ?? 'system';
}

/** The field that stands for arguments which never were a JSON object. It is read back as such. */
export const INVALID_ARGUMENTS = '_invalid_arguments';

function writeAssistant(items: readonly Item[], target: Target, notices: Set<string>): readonly JsonObject[] {
  noteWhatIsLeftOut(items, target, notices);
  const text = textOfKind(items, 'message');
  const refusal = textOfKind(items, 'refusal');
  const calls = items.flatMap((item) => writeCall(item, target));
  // Servers refuse an assistant message with neither text nor calls.
  if (text === '' && refusal === '' && calls.length === 0) return [];
  // `refusal` is OpenAI's own field; elsewhere the words are the message.
  const keepsRefusal = target.vendor === 'openai';
  const said = keepsRefusal ? text : text + refusal;
  const own = statesOf(items, target.vendor, ({ kind }) => kind !== 'tool_call');
  const message: JsonObject = {
    ...replayFields(own),
    role: 'assistant',
    content: writeContent(said, own),
    ...(keepsRefusal && refusal !== '' ? { refusal } : {}),
    ...writeReasoning(own),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
  return [message];
}

/** Mistral wants its thinking chunks back inside `content`. */
function writeContent(text: string, own: readonly OpaqueState[]): JsonValue {
  const chunks = own.flatMap(({ kind, value }) => (kind === 'content_array' && isList(value) ? value : []));
  if (chunks.length === 0) return text === '' ? null : text;
  return text === '' ? chunks : [...chunks, { type: 'text', text }];
}

function writeReasoning(own: readonly OpaqueState[]): JsonObject {
  const texts = own.flatMap(({ kind, value }) =>
    kind === 'reasoning_content' && typeof value === 'string' ? value : [],
  );
  const details = own.flatMap(({ kind, value }) => (kind === 'reasoning_details' && isList(value) ? value : []));
  return {
    ...(texts.length === 0 ? {} : { reasoning_content: texts.join('') }),
    ...(details.length === 0 ? {} : { reasoning_details: details }),
  };
}

function writeCall({ content, opaque }: Item, target: Target): readonly JsonObject[] {
  if (content.kind !== 'tool_call') return [];
  const own = (opaque ?? []).filter(({ vendor }) => vendor === target.vendor);
  return [{ ...replayFields(own), id: wireCallId(content.callId, target.vendor), ...writeTool(content) }];
}

function writeTool({ name, input }: ToolCallContent): JsonObject {
  switch (input.form) {
    case 'text':
      return { type: 'custom', custom: { name, input: input.text } };
    case 'json':
      return { type: 'function', function: { name, arguments: input.text } };
    case 'invalid':
      return { type: 'function', function: { name, arguments: JSON.stringify({ [INVALID_ARGUMENTS]: input.text }) } };
  }
}

/** Results directly after their calls. Media has no place in them, so it follows in a message of its own. */
function writeResults(results: readonly ToolResult[], target: Target, notices: Set<string>): readonly JsonObject[] {
  const media: Part[] = [];
  const messages: JsonObject[] = results.map(({ callId, parts }) => {
    const texts = parts.flatMap((part) => (part.type === 'text' ? part.text : []));
    const others = parts.filter((part) => part.type !== 'text');
    media.push(...others);
    const content = texts.length === 0 && others.length > 0 ? MEDIA_FOLLOWS : texts.join('\n');
    return { role: 'tool', tool_call_id: wireCallId(callId, target.vendor), content };
  });
  if (media.length === 0) return messages;
  notices.add('Tool results hold text alone on this wire; their media was sent in a user message after them.');
  return [...messages, { role: 'user', content: media.map(writePart) }];
}

const MEDIA_FOLLOWS = 'The media of this result is in the next message.';

function textOfKind(items: readonly Item[], kind: 'message' | 'refusal'): string {
  return items.map(({ content }) => (content.kind === kind ? content.text : '')).join('');
}

function statesOf(
  items: readonly Item[],
  vendor: string,
  picks: (content: Item['content']) => boolean,
): readonly OpaqueState[] {
  const picked = items.filter(({ content }) => picks(content));
  return picked.flatMap(({ opaque }) => opaque ?? []).filter((state) => state.vendor === vendor);
}

function noteWhatIsLeftOut(items: readonly Item[], target: Target, notices: Set<string>): void {
  for (const { content, opaque } of items) {
    if (content.kind === 'foreign') notices.add(`A part "${content.wireKind}" of an earlier reply was left out.`);
    for (const { vendor } of opaque ?? []) {
      if (vendor === target.vendor) continue;
      const whose = vendor === UNKNOWN_VENDOR ? 'nobody named as its own' : `${vendor} made for itself`;
      notices.add(`State that ${whose} was not sent to ${target.vendor}.`);
    }
  }
}
