import { request } from 'node:http';
import { DIALECTS } from 'holdfast/dialects';
import type { DialectName, ReaderOptions } from 'holdfast/dialects';
import { attemptId, callId } from 'holdfast/turn';
import type { JsonObject, ReplyEvent } from 'holdfast/turn';
import { SseReader } from 'holdfast/wire';

export type Served = 'gemini' | 'openai-chat';

export interface Question {
  readonly dialect: Served;
  readonly model: string;
  readonly stream?: boolean;
  /** Instead of a whole body: what differs from a plain question. */
  readonly change?: JsonObject;
  readonly headers?: Readonly<Record<string, string>>;
  /** After so long without a byte the client hangs up. */
  readonly idleMs?: number;
  /** Called with all bytes so far; true hangs up. */
  readonly enough?: (bytes: Buffer) => boolean;
}

export interface Heard {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly bytes: Buffer;
  /** `close`: the body ended. `reset`: the connection broke. `hang`: the client gave up. */
  readonly end: 'close' | 'reset' | 'hang';
  /** Milliseconds to the first byte of the body and to the end. */
  readonly firstByteMs: number | undefined;
  /** The longest silence between two arrivals, the first byte excluded. */
  readonly gapMs: number;
  readonly tookMs: number;
}

export const TOOL = {
  name: 'save_note',
  description: 'Saves a note.',
  parameters: {
    type: 'object',
    properties: { title: { type: 'string' }, content: { type: 'string' }, stars: { type: 'integer' } },
    required: ['title', 'content'],
  },
} as const;

export function bodyFor({ dialect, model, stream = true, change = {} }: Question): JsonObject {
  if (dialect === 'gemini') {
    const contents = [{ role: 'user', parts: [{ text: 'Please go on.' }] }];
    return { contents, tools: [{ functionDeclarations: [TOOL] }], ...change };
  }
  const messages = [{ role: 'user', content: 'Please go on.' }];
  const usage = stream ? { stream_options: { include_usage: true } } : {};
  return { model, messages, tools: [{ type: 'function', function: TOOL }], stream, ...usage, ...change };
}

function pathFor({ dialect, model, stream = true }: Question): string {
  if (dialect === 'openai-chat') return '/v1/chat/completions';
  return `/v1beta/models/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`;
}

/** One question over a real socket, heard to its end. */
export function ask(url: string, question: Question): Promise<Heard> {
  return post(url + pathFor(question), JSON.stringify(bodyFor(question)), question);
}

export function post(
  address: string,
  body: string,
  { dialect, headers, idleMs = 10_000, enough }: Question,
): Promise<Heard> {
  const key = dialect === 'gemini' ? { 'x-goog-api-key': 'any' } : { authorization: 'Bearer any' };
  const startedAt = performance.now();
  const elapsed = (): number => performance.now() - startedAt;
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let firstByteMs: number | undefined;
    let lastMs = 0;
    let gapMs = 0;
    let status: number | undefined;
    let given: Readonly<Record<string, unknown>> = {};
    const sending = request(address, {
      method: 'POST',
      agent: false,
      headers: { 'content-type': 'application/json', ...key, ...headers },
    });
    const finish = (end: Heard['end']): void => {
      clearTimeout(idle);
      sending.destroy();
      resolve({ status, headers: given, bytes: Buffer.concat(chunks), end, firstByteMs, gapMs, tookMs: elapsed() });
    };
    let idle = setTimeout(finish, idleMs, 'hang');
    sending.on('error', () => finish('reset'));
    sending.on('response', (response) => {
      status = response.statusCode;
      given = response.headers;
      response.on('data', (chunk: Buffer) => {
        const atMs = elapsed();
        if (firstByteMs !== undefined) gapMs = Math.max(gapMs, atMs - lastMs);
        firstByteMs ??= atMs;
        lastMs = atMs;
        chunks.push(chunk);
        clearTimeout(idle);
        idle = setTimeout(finish, idleMs, 'hang');
        if (enough?.(Buffer.concat(chunks)) === true) finish('hang');
      });
      response.on('end', () => finish('close'));
      response.on('error', () => finish('reset'));
    });
    sending.end(body);
  });
}

const options: ReaderOptions = {
  attempt: attemptId(callId('test'), 1),
  vendor: 'google',
  provider: 'simulator',
  maxOutputTokens: undefined,
  quirks: {},
};

/** The bytes of a stream as the house reads them; a body that did not end cleanly gets no end. */
export function eventsOf(dialect: DialectName, { bytes, end }: Heard, vendor = 'google'): readonly ReplyEvent[] {
  const frames = new SseReader();
  const reader = dialectOf(dialect).newReplyReader({ ...options, vendor });
  const heard = frames.push(bytes).flatMap((frame) => reader.push(frame));
  if (end !== 'close') return heard;
  return [...heard, ...frames.end().flatMap((frame) => reader.push(frame)), ...reader.end()];
}

export function bodyEventsOf(dialect: DialectName, { bytes }: Heard): readonly ReplyEvent[] {
  return dialectOf(dialect).readReplyBody(bytes.toString('utf8'), options);
}

export function jsonOf({ bytes }: Heard): unknown {
  return JSON.parse(bytes.toString('utf8'));
}

function dialectOf(name: DialectName): NonNullable<(typeof DIALECTS)[DialectName]> {
  const dialect = DIALECTS[name];
  if (dialect === undefined) throw new TypeError(`There is no dialect ${name} yet.`);
  return dialect;
}

export interface Summary {
  readonly status: number | undefined;
  readonly end: Heard['end'];
  readonly thinking: boolean;
  readonly text: string;
  readonly refusal: string;
  /** Each completed call: name, form of its arguments, whether it is signed. */
  readonly calls: readonly string[];
  /** Kinds, or names of tools, of the items that began and did not complete. */
  readonly open: readonly string[];
  readonly finish: string | undefined;
  readonly failure: string | undefined;
}

export function summaryOf(heard: Heard, events: readonly ReplyEvent[]): Summary {
  const items = events.flatMap((event) => (event.type === 'item.completed' ? [event.result] : []));
  const kindOf = new Map(
    events.flatMap((event) => (event.type === 'item.started' ? [[event.item, event.kind] as const] : [])),
  );
  const shown = (kind: string): string =>
    events.map((event) => (event.type === 'item.delta' && kindOf.get(event.item) === kind ? event.text : '')).join('');
  const calls = items.flatMap(({ content, opaque }) =>
    content.kind === 'tool_call'
      ? [`${content.name} ${content.input.form}${opaque === undefined ? '' : ' signed'}`]
      : [],
  );
  const finish = events.flatMap((event) => (event.type === 'reply.finished' ? [event.reason] : []));
  const failure = events.flatMap((event) => (event.type === 'reply.failed' ? [event.failure.kind] : []));
  return {
    status: heard.status,
    end: heard.end,
    thinking: shown('reasoning') !== '',
    text: shown('message'),
    refusal: shown('refusal'),
    calls,
    open: openIn(events),
    finish: finish.at(-1),
    failure: failure.at(-1),
  };
}

function openIn(events: readonly ReplyEvent[]): readonly string[] {
  const open = new Map<string, string>();
  for (const event of events) {
    if (event.type === 'item.started') open.set(event.item, event.name ?? event.kind);
    else if (event.type === 'item.completed') open.delete(event.item);
  }
  return [...open.values()];
}
