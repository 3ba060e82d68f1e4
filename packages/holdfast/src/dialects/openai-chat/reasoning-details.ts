import type { JsonObject, JsonValue } from '../../turn/index.js';
import { isRecord, ownField, setOwnField } from '../../wire/index.js';

/**
 * The `reasoning_details` of one reply, joined as their vendors want them back: pieces with one index and one type are
 * one entry. Its text, summary and data are put together, its last signature counts, and every other field stays as
 * it came first. Other ids are other entries. The signature comes in a piece of its own, whose text is empty.
 */
export class ReasoningDetails {
  readonly #entries: Entry[] = [];
  readonly #byKey: Map<string, Entry> = new Map();

  get isEmpty(): boolean {
    return this.#entries.length === 0;
  }

  /** The pieces of one delta. */
  join(pieces: readonly JsonValue[]): void {
    for (const piece of pieces) {
      const key = keyOf(piece);
      const entry = key === undefined ? undefined : this.#byKey.get(key);
      if (isRecord(piece) && entry !== undefined && sameId(entry.fields, piece)) extend(entry, piece);
      else this.#open(piece, key);
    }
  }

  /** The array of a body that was not streamed: it is whole, so nothing is joined. */
  take(whole: readonly JsonValue[]): void {
    for (const entry of whole) this.#open(entry, undefined);
  }

  get value(): readonly JsonValue[] {
    return this.#entries.map((entry) => joined(entry));
  }

  #open(piece: JsonValue, key: string | undefined): void {
    if (!isRecord(piece)) {
      this.#entries.push({ whole: piece, fields: {}, parts: new Map() });
      return;
    }
    const entry: Entry = { whole: undefined, fields: { ...piece }, parts: new Map() };
    this.#entries.push(entry);
    if (key !== undefined) this.#byKey.set(key, entry);
  }
}

/** The part of the entry's text that is shown, where its type shows any. */
export function shownDetail(piece: JsonValue): string {
  if (!isRecord(piece)) return '';
  const { type, text, summary } = piece;
  if (type === 'reasoning.text' && typeof text === 'string') return text;
  return type === 'reasoning.summary' && typeof summary === 'string' ? summary : '';
}

interface Entry {
  /** A piece that is no object. It is kept and never joined. */
  readonly whole: JsonValue | undefined;
  readonly fields: Record<string, JsonValue | undefined>;
  /** What is added to a growing field, kept apart until somebody asks. */
  readonly parts: Map<string, string>;
}

const GROWING: ReadonlySet<string> = new Set(['text', 'summary', 'data']);

/** Without an index a text goes on with the last text; an encrypted block without one is always whole. */
function keyOf(piece: JsonValue): string | undefined {
  if (!isRecord(piece) || typeof piece.type !== 'string') return undefined;
  if (typeof piece.index === 'number') return `${piece.index} ${piece.type}`;
  return piece.type === 'reasoning.encrypted' ? undefined : `- ${piece.type}`;
}

function sameId(entry: Readonly<Record<string, JsonValue | undefined>>, piece: JsonObject): boolean {
  return typeof entry.id !== 'string' || typeof piece.id !== 'string' || entry.id === piece.id;
}

function extend(entry: Entry, piece: JsonObject): void {
  for (const [name, value] of Object.entries(piece)) {
    if (value === undefined || value === null || value === '') continue;
    const own = ownField(entry.fields, name) ?? undefined;
    if (GROWING.has(name) && typeof value === 'string' && typeof own === 'string') {
      entry.parts.set(name, (entry.parts.get(name) ?? '') + value);
    } else if (own === undefined || name === 'signature') {
      setOwnField(entry.fields, name, value);
    }
  }
}

function joined(entry: Entry): JsonValue {
  if (entry.whole !== undefined) return entry.whole;
  const fields = { ...entry.fields };
  for (const [name, more] of entry.parts) {
    const first = fields[name];
    if (typeof first === 'string') fields[name] = first + more;
  }
  return fields;
}
