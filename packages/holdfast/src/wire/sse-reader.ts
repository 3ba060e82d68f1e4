import type { WireLimits } from './limits.js';
import { WIRE_LIMITS } from './limits.js';
import type { SseFrame } from './sse-frame.js';
import { TextPile } from './text-pile.js';
import { Utf8Decoder } from './utf8-decoder.js';

/**
 * Bytes of an event stream, cut anywhere, as frames. The frames do not depend on the cuts. Time is linear in the
 * bytes, memory is bounded by the limit, and nothing throws, whatever is sent.
 *
 * It follows WHATWG's "interpreting an event stream" with four differences, each for a habit of providers: an event
 * at the end of the body counts without its blank line; an event whose data is empty is nothing; text outside of any
 * event that starts like JSON is kept as `stray`; `id` and `retry` are of no use here and are skipped.
 */
export class SseReader {
  readonly #charsMax: number;
  readonly #decoder = new Utf8Decoder();
  #frames: SseFrame[] = [];
  #isFirst = true;
  #endedWithCr = false;
  /** The line whose end has not come, or its beginning where it has grown too long. */
  readonly #line = new TextPile('');
  /** Characters of that line that are not kept. */
  #lineCut = 0;

  #name: string | undefined;
  /** Of the current event, line breaks included; -1 where it has no data yet. Beyond the limit nothing is kept. */
  #dataChars = -1;
  /** Nearly every event is one line. */
  #firstData = '';
  readonly #moreData = new TextPile('\n');
  #hasMoreData = false;

  /** Of the current stray text, line breaks included; -1 outside of one. Beyond the limit nothing is kept. */
  #strayChars = -1;
  readonly #stray = new TextPile('\n');

  constructor(limits?: Partial<WireLimits>) {
    this.#charsMax = limits?.eventCharsMax ?? WIRE_LIMITS.eventCharsMax;
  }

  push(bytes: Uint8Array): SseFrame[] {
    this.#readText(this.#decoder.push(bytes));
    return this.#takeFrames();
  }

  /** The body has ended. What its last line and its last event held counts. */
  end(): SseFrame[] {
    this.#readText(this.#decoder.end());
    if (!this.#line.isEmpty) this.#endLine('');
    this.#dispatch();
    this.#endStray();
    return this.#takeFrames();
  }

  #takeFrames(): SseFrame[] {
    const frames = this.#frames;
    this.#frames = [];
    return frames;
  }

  /** Each character is searched once for LF and once for CR, however many lines there are. */
  #readText(text: string): void {
    if (text === '') return;
    let from = this.#skipAtStart(text);
    this.#endedWithCr = text.endsWith('\r');
    let lf = indexFrom(text, '\n', from);
    let cr = indexFrom(text, '\r', from);
    for (let end = Math.min(lf, cr); end < text.length; end = Math.min(lf, cr)) {
      if (this.#line.isEmpty) this.#readLine(text, from, end);
      else this.#endLine(text.slice(from, end));
      from = end === cr && lf === cr + 1 ? lf + 1 : end + 1;
      if (lf < from) lf = indexFrom(text, '\n', from);
      if (cr < from) cr = indexFrom(text, '\r', from);
    }
    if (from < text.length) this.#keepTail(text.slice(from));
  }

  /** The one byte order mark that a stream may begin with, and the LF of a CRLF whose CR came before. */
  #skipAtStart(text: string): number {
    const mark = this.#isFirst ? '\uFEFF' : '\n';
    const mayBegin = this.#isFirst || this.#endedWithCr;
    this.#isFirst = false;
    return mayBegin && text.startsWith(mark) ? 1 : 0;
  }

  #keepTail(tail: string): void {
    if (this.#lineCut > 0) {
      this.#lineCut += tail.length;
      return;
    }
    this.#line.add(tail);
    const chars = this.#line.chars;
    if (chars <= this.#charsMax + HEAD_CHARS) return;
    this.#line.add(this.#line.take().slice(0, HEAD_CHARS));
    this.#lineCut = chars - HEAD_CHARS;
  }

  /** The end of a line that began in an earlier push. */
  #endLine(rest: string): void {
    const cut = this.#lineCut === 0 ? 0 : this.#lineCut + rest.length;
    if (cut === 0) this.#line.add(rest);
    this.#lineCut = 0;
    const line = this.#line.take();
    if (cut === 0) this.#readLine(line, 0, line.length);
    else this.#readField(line, cut);
  }

  #readLine(text: string, from: number, end: number): void {
    if (from === end) {
      if (this.#strayChars >= 0) this.#addStray('', 0);
      this.#dispatch();
      return;
    }
    // Nearly every line that is not blank.
    if (text.startsWith('data: ', from)) this.#addData(text.slice(from + 6, end), 0);
    else this.#readField(text.slice(from, end), 0);
  }

  /** `cut` is how many characters the line had beyond those that are here. */
  #readField(line: string, cut: number): void {
    if (line.startsWith(':')) {
      this.#frames.push(COMMENT);
      return;
    }
    const colon = line.indexOf(':');
    const field = colon === -1 ? line : line.slice(0, colon);
    if (this.#strayChars >= 0 && colon === -1) this.#addStray(line, cut);
    else if (field === 'data') this.#addData(valueAfter(line, colon), cut);
    else if (field === 'event') this.#nameEvent(valueAfter(line, colon), cut);
    else if (field === 'id' || field === 'retry') this.#endStray();
    else if (this.#strayChars >= 0 || (this.#dataChars < 0 && STARTS_LIKE_JSON.test(line))) this.#addStray(line, cut);
  }

  #nameEvent(value: string, cut: number): void {
    this.#endStray();
    this.#name = value === '' || value.length + cut > NAME_CHARS_MAX ? undefined : value;
  }

  #addData(value: string, cut: number): void {
    this.#endStray();
    const isFirst = this.#dataChars < 0;
    this.#dataChars += value.length + cut + 1;
    if (this.#dataChars > this.#charsMax) this.#dropData();
    else if (isFirst) this.#firstData = value;
    else {
      this.#hasMoreData = true;
      this.#moreData.add(value);
    }
  }

  #dropData(): void {
    this.#firstData = '';
    this.#moreData.take();
  }

  #dispatch(): void {
    const chars = this.#dataChars;
    const name = this.#name;
    this.#name = undefined;
    if (chars < 0) return;
    this.#dataChars = -1;
    const data = this.#hasMoreData ? `${this.#firstData}\n${this.#moreData.take()}` : this.#firstData;
    this.#hasMoreData = false;
    if (chars > this.#charsMax) this.#frames.push({ type: 'oversize', chars });
    else if (!ONLY_LINE_BREAKS.test(data)) this.#frames.push({ type: 'event', name, data });
  }

  #addStray(line: string, cut: number): void {
    this.#strayChars += line.length + cut + 1;
    if (this.#strayChars > this.#charsMax) this.#stray.take();
    else this.#stray.add(line);
  }

  #endStray(): void {
    const chars = this.#strayChars;
    if (chars < 0) return;
    this.#strayChars = -1;
    const text = this.#stray.take().trimEnd();
    this.#frames.push(chars > this.#charsMax ? { type: 'oversize', chars } : { type: 'stray', text });
  }
}

/** Enough of a line to tell its field, and a whole event name. */
const HEAD_CHARS = 256;
/** A longer name says nothing to anyone. */
const NAME_CHARS_MAX = 128;
const COMMENT: SseFrame = { type: 'comment' };
const STARTS_LIKE_JSON = /^[ \t]{0,64}[[{]/u;
const ONLY_LINE_BREAKS = /^\n*$/u;

/** The length of the text where it is not found. */
function indexFrom(text: string, char: string, from: number): number {
  const found = text.indexOf(char, from);
  return found === -1 ? text.length : found;
}

function valueAfter(line: string, colon: number): string {
  if (colon === -1) return '';
  return line.slice(line.startsWith(' ', colon + 1) ? colon + 2 : colon + 1);
}
