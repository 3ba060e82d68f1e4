import { createParser } from 'eventsource-parser';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SseFrame } from '../src/wire/index.js';
import { SseReader } from '../src/wire/index.js';

const TEXT = fc.constantFrom(
  'data: ',
  'data:',
  'data',
  'event: x',
  'event:',
  'id: 1',
  'retry: 5',
  ':',
  ' ',
  '\t',
  '\n',
  '\r',
  '\r\n',
  '\n\n',
  '{"a":1}',
  '{',
  '[',
  'żółw',
  '🐢',
  '\u2028',
  '\uFEFF',
  '\u0000',
  'plain text',
  'x'.repeat(60),
);
const BYTES = fc.oneof(
  { weight: 12, arbitrary: TEXT.map((text) => Buffer.from(text)) },
  { weight: 1, arbitrary: fc.uint8Array({ minLength: 1, maxLength: 4 }).map((bytes) => Buffer.from(bytes)) },
);
const BODY = fc.array(BYTES, { maxLength: 60 }).map((pieces) => Buffer.concat(pieces));
const CUTS = fc.array(fc.nat({ max: 2_000 }), { maxLength: 20 });

function read(body: Buffer, cuts: readonly number[], eventCharsMax: number): SseFrame[] {
  const reader = new SseReader({ eventCharsMax });
  const inside = cuts.filter((cut) => cut < body.length).toSorted((a, b) => a - b);
  const edges = [0, ...inside, body.length];
  const frames = edges.slice(1).flatMap((end, i) => reader.push(body.subarray(edges[i], end)));
  return [...frames, ...reader.end()];
}

const FIELD = /^(data|event|id|retry)(?:$|: ?)/u;

/** The same rules once more, written for plainness and with the whole body at hand. */
function readPlainly(body: Buffer, charsMax: number): SseFrame[] {
  const plain = new PlainReader(charsMax);
  const lines = new TextDecoder().decode(body).split(/\r\n|\r|\n/u);
  if (lines.at(-1) === '') lines.pop();
  for (const line of lines) plain.read(line);
  plain.endEvent();
  plain.endStray();
  return plain.frames;
}

class PlainReader {
  readonly frames: SseFrame[] = [];
  readonly #charsMax: number;
  #name: string | undefined;
  #data: string[] = [];
  #stray: string[] = [];

  constructor(charsMax: number) {
    this.#charsMax = charsMax;
  }

  read(line: string): void {
    const field = FIELD.exec(line);
    if (line.startsWith(':')) this.frames.push({ type: 'comment' });
    else if (this.#stray.length > 0 && (field === null || !line.includes(':'))) this.#readStray(line);
    else if (line === '') this.endEvent();
    else if (field !== null) this.#readField(field[1], line.slice(field[0].length));
    else if (this.#data.length === 0 && /^[ \t]{0,64}[[{]/u.test(line)) this.#stray.push(line);
  }

  #readStray(line: string): void {
    this.#stray.push(line);
    if (line === '') this.#name = undefined;
  }

  #readField(field: string | undefined, value: string): void {
    this.endStray();
    if (field === 'data') this.#data.push(value);
    if (field === 'event') this.#name = value === '' || value.length > 128 ? undefined : value;
  }

  endEvent(): void {
    const data = this.#data.join('\n');
    if (data.length > this.#charsMax) this.frames.push({ type: 'oversize', chars: data.length });
    else if (data.replaceAll('\n', '') !== '') this.frames.push({ type: 'event', name: this.#name, data });
    this.#data = [];
    this.#name = undefined;
  }

  endStray(): void {
    const text = this.#stray.join('\n');
    const isOversize = text.length > this.#charsMax;
    if (this.#stray.length > 0)
      this.frames.push(isOversize ? { type: 'oversize', chars: text.length } : { type: 'stray', text: text.trimEnd() });
    this.#stray = [];
  }
}

describe('a body that is cut anywhere (I4)', () => {
  it('gives the frames of the whole body', () => {
    fc.assert(
      fc.property(BODY, CUTS, fc.constantFrom(50, 100, 1_000_000), (body, cuts, max) => {
        expect(read(body, cuts, max)).toEqual(read(body, [], max));
      }),
      { numRuns: 2_000 },
    );
  });

  it('gives the frames of the whole body when it comes byte by byte', () => {
    fc.assert(
      fc.property(BODY, fc.constantFrom(50, 1_000_000), (body, max) => {
        expect(read(body, [...body.keys()], max)).toEqual(read(body, [], max));
      }),
      { numRuns: 500 },
    );
  });

  it('tells a line far beyond the limit alike', () => {
    const long = fc
      .tuple(TEXT, fc.integer({ min: 300, max: 900 }))
      .map(([head, chars]) => Buffer.from(`${head}${'y'.repeat(chars)}\n`));
    const body = fc.array(fc.oneof(long, BYTES), { maxLength: 20 }).map((pieces) => Buffer.concat(pieces));
    fc.assert(
      fc.property(body, CUTS, (bytes, cuts) => {
        expect(read(bytes, cuts, 20)).toEqual(read(bytes, [], 20));
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('any body', () => {
  it('gives what the plain rules give', () => {
    fc.assert(
      fc.property(BODY, CUTS, fc.constantFrom(50, 1_000_000), (body, cuts, max) => {
        expect(read(body, cuts, max)).toEqual(readPlainly(body, max));
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('a body that holds events and nothing else', () => {
  it('gives the events that eventsource-parser gives, those without data apart', () => {
    const line = fc.tuple(
      fc.constantFrom('data: ', 'data:', 'event: x', 'id: 1', ': c', 'foo: '),
      fc.constantFrom('', 'a', ' {"a":1}', 'b: c', '🐢', '\u2028'),
      fc.constantFrom('\n', '\r\n', '\r'),
    );
    const event = fc.tuple(fc.array(line, { maxLength: 5 }), fc.constantFrom('\n', '\r\n'));
    const body = fc
      .array(event, { maxLength: 10 })
      .map((events) => events.map(([lines, end]) => lines.flat().join('') + end).join(''));
    fc.assert(
      fc.property(body, CUTS, (text, cuts) => {
        const theirs: SseFrame[] = [];
        const parser = createParser({
          onEvent: ({ event: name, data }) => theirs.push({ type: 'event', name, data }),
          onComment: () => theirs.push({ type: 'comment' }),
        });
        parser.feed(text);
        const whole = `${text}\n\n`;
        parser.feed('\n\n');
        const said = theirs.filter((frame) => frame.type !== 'event' || frame.data.replaceAll('\n', '') !== '');
        expect(read(Buffer.from(whole), cuts, 1_000_000)).toEqual(said);
      }),
      { numRuns: 2_000 },
    );
  });
});
