import type { JsonObject, JsonValue } from '../../turn/index.js';
import { isRecord } from '../../wire/index.js';
import { isList, textOf } from './wire.js';

/**
 * Thinking chunks of one reply, as they go back: a stream cuts one chunk into many, so the first chunk of a delta goes
 * on with the last one kept. What was not cut stays exactly as it came.
 */
export class ThinkingChunks {
  readonly #entries: Entry[] = [];

  get isEmpty(): boolean {
    return this.#entries.length === 0;
  }

  /** The chunks of one delta. */
  join(chunks: readonly JsonValue[]): void {
    for (const [at, chunk] of chunks.entries()) {
      const last = at === 0 ? this.#entries.at(-1) : undefined;
      if (last === undefined || !isRecord(last.chunk) || !isRecord(chunk) || last.chunk.type !== chunk.type) {
        this.#entries.push({ chunk, text: thinkingText(chunk), isJoined: false });
      } else {
        last.chunk = { ...last.chunk, ...chunk, ...lastSignature(last.chunk, chunk) };
        last.text += thinkingText(chunk);
        last.isJoined = true;
      }
    }
  }

  /** The chunks of a body that was not streamed. */
  take(whole: readonly JsonValue[]): void {
    for (const chunk of whole) this.#entries.push({ chunk, text: '', isJoined: false });
  }

  get value(): readonly JsonValue[] {
    return this.#entries.map(({ chunk, text, isJoined }) => {
      if (!isJoined || !isRecord(chunk)) return chunk;
      return { ...chunk, thinking: isList(chunk.thinking) ? [{ type: 'text', text }] : text };
    });
  }
}

/** The text of a thinking chunk: a string (Anthropic's form) or a list of text parts (Mistral's). */
export function thinkingText(chunk: JsonValue): string {
  if (!isRecord(chunk)) return '';
  const { thinking } = chunk;
  if (!isList(thinking)) return textOf(thinking);
  return thinking.map((part) => (isRecord(part) ? textOf(part.text) : '')).join('');
}

interface Entry {
  chunk: JsonValue;
  text: string;
  isJoined: boolean;
}

/** An empty signature beside a text says nothing. */
function lastSignature(last: JsonObject, chunk: JsonObject): JsonObject {
  const signature = textOf(chunk.signature) === '' ? last.signature : chunk.signature;
  return signature === undefined ? {} : { signature };
}
