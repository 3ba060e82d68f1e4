import type { JsonObject, ToolInput } from '../../turn/index.js';
import { depthWithin, isRecord, parseJson, WIRE_LIMITS } from '../../wire/index.js';

/**
 * The arguments of one call while they arrive. Nothing is parsed before the end: a piece costs its own length.
 *
 * Some servers send growing snapshots instead of pieces. Where that is not known beforehand, a second piece that
 * repeats the first is held back until the third, or the end, tells which of the two it is.
 */
export class ArgumentText {
  #mode: 'pieces' | 'snapshots';
  #text = '';
  #held = '';
  #count = 0;

  constructor(snapshots: boolean) {
    this.#mode = snapshots ? 'snapshots' : 'pieces';
  }

  /** Characters seen and kept. */
  get chars(): number {
    return this.#text.length + this.#held.length;
  }

  /** What was said so far. After `settle` it is the whole. */
  get value(): string {
    return this.#text;
  }

  /** Before `settle`: whether the wire carried no argument text at all. */
  get isBare(): boolean {
    return this.#text.trim() === '' && this.#held === '';
  }

  /** What of this piece is new and certain: the text of a delta, possibly none. */
  add(piece: string): string {
    if (piece === '') return '';
    this.#count += 1;
    if (this.#held !== '' && this.#mode === 'pieces') return this.#decide(piece);
    if (this.#mode === 'snapshots') return this.#grow(piece);
    if (this.#count === 1 && piece.trim() === 'null') return this.#hold(piece);
    if (this.#count === 2 && this.#text.startsWith('{') && extendsText(piece, this.#text)) return this.#hold(piece);
    return this.#say(piece);
  }

  /** The reply has ended. Returns what was held back and is said now. */
  settle(): string {
    const held = this.#held;
    this.#held = '';
    if (held === '') return '';
    // A server's way to say "no arguments".
    if (this.#text === '' && held.trim() === 'null') return '';
    if (this.#mode === 'pieces' && objectIn(this.#text + held) !== undefined) return this.#say(held);
    if (extendsText(held, this.#text)) return this.#say(held.slice(this.#text.length));
    return this.#say(held);
  }

  /** After `settle`, and for a reply that was not cut: nothing and `null` mean a call without parameters. */
  input(): ToolInput {
    const text = this.#text;
    if (text.trim() === '' || text.trim() === 'null')
      return { form: 'json', text: text === '' ? '{}' : text, value: {} };
    const value = objectIn(text);
    return value === undefined ? { form: 'invalid', text } : { form: 'json', text, value };
  }

  #decide(piece: string): string {
    const held = this.#held;
    this.#held = '';
    if (!extendsText(piece, held) || this.#text === '') return this.#say(held) + this.#say(piece);
    this.#mode = 'snapshots';
    return this.#say(held.slice(this.#text.length)) + this.#grow(piece);
  }

  /** A snapshot that does not go on with what was said waits for one that does. */
  #grow(snapshot: string): string {
    const extend = snapshot.startsWith(this.#text);
    this.#held = extend ? '' : snapshot;
    return extend ? this.#say(snapshot.slice(this.#text.length)) : '';
  }

  #hold(piece: string): string {
    this.#held = piece;
    return '';
  }

  #say(text: string): string {
    this.#text += text;
    return text;
  }
}

function extendsText(longer: string, text: string): boolean {
  return longer.length > text.length && longer.startsWith(text);
}

function objectIn(text: string): JsonObject | undefined {
  const json = parseJson(text);
  if (!json.ok || !isRecord(json.value)) return undefined;
  return depthWithin(json.value, WIRE_LIMITS.jsonDepthMax) ? json.value : undefined;
}
