import { OPENAI_CHAT } from '../src/dialects/openai-chat/index.js';
import type { ReaderOptions } from '../src/dialects/dialect.js';
import { attemptId, callId } from '../src/turn/index.js';
import type { Item, ItemId, ReplyEvent } from '../src/turn/index.js';
import { SseReader } from '../src/wire/index.js';

export const READER: ReaderOptions = {
  attempt: attemptId(callId('c'), 1),
  vendor: 'acme',
  provider: 'acme',
  maxOutputTokens: undefined,
  quirks: {},
};

export const DONE = 'data: [DONE]\n\n';

/** One event of the stream with this JSON. */
export function data(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

/** A chunk of choice 0. */
export function delta(fields: object, more: object = {}): string {
  return data({
    id: 'c1',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'm',
    choices: [{ index: 0, delta: fields, finish_reason: null, ...more }],
  });
}

export function finish(reason: string, more: object = {}): string {
  return delta({}, { finish_reason: reason, ...more });
}

export function usage(counts: object): string {
  return data({ id: 'c1', choices: [], usage: counts });
}

/** One entry of `tool_calls`. */
export function call(fields: object): string {
  return delta({ tool_calls: [fields] });
}

/** The events of a whole stream whose body then ends. */
export function play(stream: string | Uint8Array, options: Partial<ReaderOptions> = {}): ReplyEvent[] {
  const bytes = typeof stream === 'string' ? new TextEncoder().encode(stream) : stream;
  return playPieces([bytes], options);
}

export function playPieces(pieces: readonly Uint8Array[], options: Partial<ReaderOptions> = {}): ReplyEvent[] {
  const sse = new SseReader();
  const reader = OPENAI_CHAT.newReplyReader({ ...READER, ...options });
  const events: ReplyEvent[] = [];
  for (const piece of pieces) {
    for (const frame of sse.push(piece)) events.push(...reader.push(frame));
  }
  for (const frame of sse.end()) events.push(...reader.push(frame));
  events.push(...reader.end());
  return events;
}

/** What matters of a reply, in one value. */
export interface Outcome {
  readonly text: string;
  readonly calls: readonly { readonly id: string; readonly name: string; readonly args: string }[];
  readonly finish: string | undefined;
  readonly failure: string | undefined;
  /** Kinds of items that never completed. */
  readonly open: readonly string[];
}

export function outcome(events: readonly ReplyEvent[]): Outcome {
  const started = events.filter((event) => event.type === 'item.started');
  const completed = new Set(events.flatMap((event) => (event.type === 'item.completed' ? event.item : [])));
  const messages = new Set(started.flatMap(({ item, kind }) => (kind === 'message' ? item : [])));
  const failed = events.find((event) => event.type === 'reply.failed');
  return {
    text: events.map((event) => (event.type === 'item.delta' && messages.has(event.item) ? event.text : '')).join(''),
    calls: itemsOf(events).flatMap(callOf),
    finish: events.find((event) => event.type === 'reply.finished')?.reason,
    failure: failed === undefined ? undefined : `${failed.failure.kind} ${failed.failure.code}`,
    open: started.flatMap(({ item, kind }) => (completed.has(item) ? [] : kind)),
  };
}

function callOf({ content }: Item): Outcome['calls'] {
  if (content.kind !== 'tool_call') return [];
  const { callId: id, name, input } = content;
  return [{ id, name, args: input.form === 'json' ? input.text : `${input.form}: ${input.text}` }];
}

export function itemsOf(events: readonly ReplyEvent[]): readonly Item[] {
  return events.flatMap((event) => (event.type === 'item.completed' ? event.result : []));
}

/** What opens closes at most once, is its deltas where it has any, and nothing follows the end. */
export function brokenPromises(events: readonly ReplyEvent[]): readonly string[] {
  const end = events.findIndex(({ type }) => type === 'reply.finished' || type === 'reply.failed');
  const late = end === -1 ? [] : events.slice(end + 1).map(({ type }) => `${type} after the end`);
  const items = new Set(events.flatMap((event) => ('item' in event ? event.item : [])));
  return [...late, ...[...items].flatMap((item) => brokenItem(item, events))];
}

function brokenItem(item: ItemId, events: readonly ReplyEvent[]): readonly string[] {
  const own = events.filter((event) => 'item' in event && event.item === item);
  const order = own.map(({ type }) => LETTERS.get(type) ?? '').join('');
  const text = own.map((event) => (event.type === 'item.delta' ? event.text : '')).join('');
  const done = own.find((event) => event.type === 'item.completed');
  const isOther = done !== undefined && order.includes('d') && textOf(done.result) !== text;
  return [
    ...(/^sd*c?$/u.test(order) ? [] : [`${item} goes ${order}`]),
    ...(isOther ? [`${item} is not its deltas`] : []),
  ];
}

const LETTERS: ReadonlyMap<ReplyEvent['type'], string> = new Map([
  ['item.started', 's'],
  ['item.delta', 'd'],
  ['item.completed', 'c'],
]);

function textOf({ content }: Item): string | undefined {
  if (content.kind === 'foreign') return undefined;
  return content.kind === 'tool_call' ? content.input.text : content.text;
}
