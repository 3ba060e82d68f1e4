import type { Dialect, WriterOptions } from 'holdfast/dialects';
import type { ReplyEvent } from 'holdfast/turn';
import type { Delivery } from '../scenario/scenario.js';
import type { Refusal } from '../strict/refusal.js';
import { ABSENT_ID } from './beat.js';
import type { Act, Beat } from './beat.js';

/** A reply as bytes in time. */
export interface Performance {
  readonly writes: readonly Write[];
  readonly end: { readonly afterMs: number; readonly how: 'close' | 'reset' | 'hang' };
}

export interface Write {
  readonly afterMs: number;
  readonly bytes: Buffer;
}

export interface RenderedReply {
  /** `undefined`: they never come. */
  readonly headersAfterMs: number | undefined;
  readonly performance: Performance;
}

export interface RenderOptions {
  readonly dialect: Dialect;
  readonly writer: WriterOptions;
  /** The provider's error for a step that names one. */
  readonly errorOf: (act: Extract<Act, { type: 'error' }>) => Refusal;
}

/** A streamed reply: each event through the dialect's own writer, then what the scenario does to the bytes. */
export function renderStream(beats: readonly Beat[], options: RenderOptions, delivery: Delivery = {}): RenderedReply {
  const writer = options.dialect.newReplyWriter(options.writer);
  const texts: { afterMs: number; text: string }[] = [];
  let waitMs = 0;
  let how: Performance['end']['how'] = 'close';
  const put = (text: string): void => {
    if (text === '') return;
    texts.push({ afterMs: waitMs, text: withoutAbsentIds(text) });
    waitMs = 0;
  };
  for (const { afterMs, act } of beats) {
    // What comes later, or by another way, is no longer the same arrival.
    if (afterMs > 0 || act.type !== 'event') put(writer.flush?.() ?? '');
    waitMs += afterMs;
    if (act.type === 'cut') {
      how = act.how;
      if (act.midEvent) halve(texts);
      break;
    }
    put(act.type === 'event' ? writer.write(act.event) : wireText(act, options, texts.length === 0));
  }
  return { headersAfterMs: 0, performance: { writes: deliver(texts, delivery), end: { afterMs: waitMs, how } } };
}

/** A whole reply: headers and body come when all of it is written. A cut leaves half of the body. */
export function renderWhole(beats: readonly Beat[], options: RenderOptions): RenderedReply {
  const events: ReplyEvent[] = [];
  let waitMs = 0;
  let text: string | undefined;
  let how: Performance['end']['how'] | undefined;
  for (const { afterMs, act } of beats) {
    waitMs += afterMs;
    if (act.type === 'event') events.push(act.event);
    else if (act.type === 'raw') text = act.text;
    else if (act.type === 'error') text = JSON.stringify(options.errorOf(act).body);
    else if (act.type === 'cut') how = act.how;
  }
  if (how === 'hang') return { headersAfterMs: undefined, performance: { writes: [], end: { afterMs: 0, how } } };
  const whole = text ?? withoutAbsentIds(JSON.stringify(options.dialect.writeReplyBody(events, options.writer)));
  const bytes = Buffer.from(how === undefined ? whole : whole.slice(0, Math.floor(whole.length / 2)));
  const performance: Performance = { writes: [{ afterMs: 0, bytes }], end: { afterMs: 0, how: how ?? 'close' } };
  return { headersAfterMs: waitMs, performance };
}

const ABSENT_ID_FIELD = new RegExp(`"id":"${ABSENT_ID}\\d+",`, 'g');

function withoutAbsentIds(text: string): string {
  return text.replace(ABSENT_ID_FIELD, '');
}

function wireText(
  act: Exclude<Act, { type: 'event' } | { type: 'cut' }>,
  options: RenderOptions,
  isFirst: boolean,
): string {
  switch (act.type) {
    case 'comment':
      return options.writer.framing === 'sse' ? ': keep-alive\n\n' : '\n';
    case 'raw':
      return act.text;
    case 'error':
      return errorText(options, JSON.stringify(options.errorOf(act).body), isFirst);
  }
}

/** Google puts the bare error object behind the last event; OpenAI sends it as an event and then nothing. */
function errorText({ dialect, writer }: RenderOptions, body: string, isFirst: boolean): string {
  if (dialect.name !== 'gemini') return `data: ${body}\n\n`;
  if (writer.framing === 'sse') return `${body}\n`;
  return isFirst ? `[${body}]` : `,\r\n${body}]`;
}

function halve(texts: { afterMs: number; text: string }[]): void {
  const last = texts.at(-1);
  if (last !== undefined) last.text = last.text.slice(0, Math.ceil(last.text.length / 2));
}

function deliver(texts: readonly { afterMs: number; text: string }[], delivery: Delivery): readonly Write[] {
  const { bytesPerWrite, everyMs = 0, lineEnd, byteOrderMark } = delivery;
  const writes = texts.map(({ afterMs, text }, n) => {
    const lines = lineEnd === undefined ? text : text.replace(/\r\n|\r|\n/g, LINE_ENDS[lineEnd]);
    return { afterMs, bytes: Buffer.from(byteOrderMark === true && n === 0 ? `\uFEFF${lines}` : lines) };
  });
  if (bytesPerWrite === undefined) return writes;
  return writes.flatMap(({ afterMs, bytes }) => {
    const count = Math.ceil(bytes.length / bytesPerWrite);
    return Array.from({ length: count }, (_, n) => ({
      afterMs: n === 0 ? Math.max(afterMs, everyMs) : everyMs,
      bytes: bytes.subarray(n * bytesPerWrite, (n + 1) * bytesPerWrite),
    }));
  });
}

const LINE_ENDS: Readonly<Record<NonNullable<Delivery['lineEnd']>, string>> = { lf: '\n', crlf: '\r\n', cr: '\r' };
