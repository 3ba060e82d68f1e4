import type { JsonObject, JsonValue, Message, ToolResult } from '../../turn/index.js';
import { isRecord } from '../../wire/index.js';
import { readAssistant } from './read-assistant.js';
import { readParts, readText } from './read-parts.js';
import { requestInvalid } from '../request-invalid.js';
import { isList, textOf } from './wire.js';

export interface ReadMessages {
  /** The system and developer messages at the beginning, a blank line between them. */
  readonly instructions: string | undefined;
  readonly messages: readonly Message[];
}

export function readMessages(messages: JsonValue | undefined): ReadMessages {
  if (!isList(messages) || messages.length === 0) {
    throw requestInvalid('"messages" must be a list with at least one message.');
  }
  const records = messages.map((message, index) => {
    if (isRecord(message)) return message;
    throw requestInvalid(`"messages[${index}]" must be an object with a "role".`);
  });
  const firstOther = records.findIndex((message) => !isInstruction(message));
  // Instructions alone are no conversation, so the last of them becomes what is asked.
  const opening = firstOther === -1 ? records.length - 1 : firstOther;
  const texts = records
    .slice(0, opening)
    .map((message, index) => readText(message.content, `messages[${index}].content`));
  const reading = new Reading();
  for (const [index, message] of records.entries()) {
    if (index >= opening) reading.read(message, `messages[${index}]`);
  }
  return { instructions: texts.length === 0 ? undefined : texts.join('\n\n'), messages: reading.messages };
}

/** Results stand in messages of their own on this wire, and belong to one step in ours. */
class Reading {
  readonly messages: Message[] = [];
  readonly #names: Map<string, string> = new Map();
  #results: ToolResult[] | undefined;

  read(message: JsonObject, at: string): void {
    if (message.role === 'tool') {
      this.#readResult(message, at);
      return;
    }
    this.#results = undefined;
    this.messages.push(this.#readMessage(message, at));
  }

  #readMessage(message: JsonObject, at: string): Message {
    switch (textOf(message.role)) {
      case 'system':
      case 'developer':
        return { role: 'system', text: readText(message.content, `${at}.content`) };
      case 'user':
        return { role: 'user', parts: readParts(message.content, `${at}.content`) };
      case 'assistant':
        return this.#readAssistant(message, at);
      case 'function':
        throw requestInvalid(`"${at}" has the legacy role "function"; send the result with the role "tool".`);
      default:
        throw requestInvalid(`"${at}.role" must be "system", "developer", "user", "assistant" or "tool".`);
    }
  }

  #readAssistant(message: JsonObject, at: string): Message {
    if (isRecord(message.function_call)) {
      throw requestInvalid(`"${at}.function_call" is the legacy form; send "tool_calls".`);
    }
    const items = readAssistant(message, at);
    for (const { content } of items) {
      if (content.kind === 'tool_call') this.#names.set(content.callId, content.name);
    }
    return { role: 'assistant', items };
  }

  /** The name is that of the last call with this id: ids may repeat from one reply to the next. */
  #readResult(message: JsonObject, at: string): void {
    const callId = textOf(message.tool_call_id);
    if (callId === '') throw requestInvalid(`"${at}.tool_call_id" is missing; name the call that it answers.`);
    const own = textOf(message.name);
    const name = this.#names.get(callId) ?? (own === '' ? undefined : own);
    const parts = readParts(message.content, `${at}.content`);
    if (this.#results === undefined) {
      this.#results = [];
      this.messages.push({ role: 'tool', results: this.#results });
    }
    this.#results.push({ callId, name, parts, isError: false });
  }
}

function isInstruction({ role }: JsonObject): boolean {
  return role === 'system' || role === 'developer';
}
