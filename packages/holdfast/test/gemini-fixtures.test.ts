import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { GEMINI } from '../src/dialects/gemini/index.js';
import type { ReaderOptions, Target } from '../src/dialects/dialect.js';
import { attemptId, callId, UNKNOWN_PRODUCER } from '../src/turn/index.js';
import type { Item, JsonObject, Message, ReplyEvent, Usage } from '../src/turn/index.js';
import { isRecord, listOf, SseReader, stringOf } from '../src/wire/index.js';

const FOLDER = new URL('../../../../shared/fixtures/', import.meta.url);
const isHere = existsSync(new URL('MANIFEST.json', FOLDER));

interface Entry {
  readonly file: string;
  readonly shape: string;
  readonly status: number;
  readonly expect: JsonObject;
}

function entries(): readonly Entry[] {
  if (!isHere) return [];
  const manifest: unknown = JSON.parse(read('MANIFEST.json'));
  return listOf(manifest)
    .filter(isRecord)
    .flatMap((entry) => {
      const file = stringOf(entry['file']) ?? '';
      const http = entry['http'];
      const shown = entry['expect'];
      if (!file.startsWith('gemini/') || !isRecord(shown)) return [];
      const status = isRecord(http) && typeof http['status'] === 'number' ? http['status'] : 200;
      return [{ file, shape: stringOf(entry['shape']) ?? '', status, expect: shown }];
    });
}

function read(file: string): string {
  return readFileSync(new URL(file, FOLDER), 'utf8');
}

const OPTIONS: ReaderOptions = {
  attempt: attemptId(callId('fixture'), 1),
  vendor: 'google',
  provider: 'google',
  maxOutputTokens: undefined,
  quirks: {},
};

function decode(file: string, pieceBytes = Number.POSITIVE_INFINITY): readonly ReplyEvent[] {
  if (file.endsWith('.json')) return GEMINI.readReplyBody(read(file), OPTIONS);
  const bytes = readFileSync(new URL(file, FOLDER));
  const frames = new SseReader();
  const reader = GEMINI.newReplyReader(OPTIONS);
  const events: ReplyEvent[] = [];
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    for (const frame of frames.push(bytes.subarray(at, at + pieceBytes))) events.push(...reader.push(frame));
  }
  for (const frame of frames.end()) events.push(...reader.push(frame));
  return [...events, ...reader.end()];
}

/** What the manifest says of a reply, read from our events. */
function summary(events: readonly ReplyEvent[]): JsonObject {
  const kinds = new Map(events.flatMap((event) => (event.type === 'item.started' ? [[event.item, event.kind]] : [])));
  const chars = (kind: string): number =>
    events.reduce(
      (sum, event) => sum + (event.type === 'item.delta' && kinds.get(event.item) === kind ? event.text.length : 0),
      0,
    );
  const last = events.findLast((event) => event.type === 'reply.ending');
  return {
    text_chars: chars('message'),
    reasoning_chars: chars('reasoning'),
    tool_calls: events.flatMap((event) =>
      event.type === 'item.started' && event.kind === 'tool_call' ? [event.name ?? ''] : [],
    ),
    finish: last === undefined ? null : last.raw,
  };
}

function items(events: readonly ReplyEvent[]): readonly Item[] {
  return events.flatMap((event) => (event.type === 'item.completed' ? [event.result] : []));
}

const replies = entries().filter(({ file, status }) => status < 400 && !file.endsWith('.request.json'));
const errors = entries().filter(({ status }) => status >= 400);

describe.skipIf(!isHere)('the recorded replies of ../shared/fixtures/gemini', () => {
  it('are there', () => {
    expect(replies.length).toBeGreaterThan(30);
    expect(errors.length).toBeGreaterThan(5);
  });

  it.each(replies)('$file reads as its manifest entry says', ({ file, expect: shown }) => {
    const events = decode(file);
    const calls = listOf(shown['tool_calls']).filter(isRecord);
    expect(summary(events)).toEqual({
      text_chars: shown['text_chars'],
      reasoning_chars: shown['reasoning_chars'] ?? 0,
      tool_calls: calls.map((call) => call['name']),
      finish: shown['finish'] ?? shown['block_reason'] ?? null,
    });
    const failed = events.some((event) => event.type === 'reply.failed');
    const read = items(events);
    if (!failed) {
      expect(read.some((item) => item.opaque !== undefined)).toBe(shown['signature']);
      const complete = read.flatMap(({ content, opaque }) =>
        content.kind === 'tool_call' && content.input.form === 'json'
          ? [{ args: content.input.value, signed: opaque !== undefined }]
          : [],
      );
      expect(complete).toEqual(calls.map((call) => ({ args: call['args'], signed: call['signed'] === true })));
    }
    expect(usageOf(events)).toEqual(wantedUsage(shown['usage']));
  });

  it.each(replies.filter(({ shape }) => shape !== 'json'))(
    '$file reads the same in single bytes and in sevens',
    ({ file }) => {
      const whole = decode(file);
      expect(decode(file, 1)).toEqual(whole);
      expect(decode(file, 7)).toEqual(whole);
    },
  );

  it('fails where the wire carries an error or an undispatchable call, and nowhere else', () => {
    const failed = replies.filter(({ file }) => decode(file).some((event) => event.type === 'reply.failed'));
    expect(failed.map(({ file }) => file).toSorted()).toEqual([
      'gemini/constructed-malformed-function-call.sse',
      'gemini/error-mid-stream-raw-json.txt',
      'gemini/unexpected-tool-call-json.json',
    ]);
  });

  it('never end where no finish was named', () => {
    const unfinished = replies.filter(
      ({ expect: shown }) => (shown['finish'] ?? null) === null && shown['block_reason'] === undefined,
    );
    expect(unfinished.length).toBeGreaterThan(3);
    for (const { file } of unfinished) {
      expect(decode(file).filter((event) => event.type === 'reply.finished' || event.type === 'reply.failed')).toEqual(
        [],
      );
    }
  });
});

describe.skipIf(!isHere)('the recorded error answers of ../shared/fixtures/gemini', () => {
  it('are of the kinds that the reference names', () => {
    const kinds = errors.map(({ file, status }) => {
      const failure = GEMINI.readFailure({
        provider: 'google',
        model: 'm',
        status,
        headers: {},
        body: read(file),
        at: 0,
      });
      return [file.replace('gemini/', ''), failure.kind, failure.retryAfterMs];
    });
    expect(kinds).toEqual([
      ['constructed-error-400-missing-signature.json', 'request', undefined],
      ['constructed-error-400-signature-invalid.json', 'request', undefined],
      ['constructed-error-503-overloaded.json', 'transient', undefined],
      ['error-400-api-key-invalid.json', 'auth', undefined],
      ['error-400-api-key-vertex.json', 'auth', undefined],
      ['error-400-context-length.json', 'context_overflow', undefined],
      ['error-403-iam.json', 'auth', undefined],
      ['error-404-model.json', 'model_unknown', undefined],
      ['error-429-quota-details.json', 'transient', 48_000],
      ['error-429-vertex-quota.json', 'billing', undefined],
    ]);
  });
});

const TARGET: Target = { vendor: 'google', stream: true, quirks: {}, capabilities: UNKNOWN_PRODUCER };

describe.skipIf(!isHere)('a recorded conversation that is taken up again', () => {
  it.each([
    { group: 'five-turn-tool-loop', answers: ['.t1.sse', '.t2.sse'], next: '.t5.request.json' },
    { group: 'five-turn-tool-loop', answers: ['.t1.sse'], next: '.t2.request.json' },
    { group: 'tool-signature', answers: ['.t1.sse'], next: '.t2.request.json' },
    { group: 'tool-signature-json', answers: ['.t1.json'], next: '.t2.request.json' },
  ])('$group$next carries the signatures of $answers in their places', ({ group, answers, next }) => {
    const recorded: unknown = JSON.parse(read(`gemini/${group}${next}`));
    const body = isRecord(recorded) ? recorded : {};
    const { request } = GEMINI.readRequest({
      path: '/v1beta/models/m:streamGenerateContent',
      query: {},
      headers: {},
      body,
    });
    let turn = 0;
    const messages = request.messages.map((message): Message => {
      const answer = message.role === 'assistant' ? answers[turn] : undefined;
      if (message.role === 'assistant') turn += 1;
      return answer === undefined ? message : { role: 'assistant', items: items(decode(`gemini/${group}${answer}`)) };
    });
    const written = GEMINI.writeRequest({ ...request, messages }, TARGET);
    expect(signatures(written.body)).toEqual(signatures(body));
    expect(signatures(body).length).toBeGreaterThan(0);
    expect(calls(written.body)).toEqual(calls(body));
    expect(written.notices).toEqual([]);
  });
});

/** Each signature with the kind of part and the number of the content that carries it; base64 of both alphabets alike. */
function signatures(body: JsonObject): readonly unknown[] {
  return contents(body).flatMap((content, index) =>
    listOf(content['parts'])
      .filter(isRecord)
      .filter((part) => part['thoughtSignature'] !== undefined)
      .map((part) => [
        index,
        'functionCall' in part ? 'call' : 'text',
        stringOf(part['thoughtSignature'])?.replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/u, ''),
      ]),
  );
}

function calls(body: JsonObject): readonly unknown[] {
  return contents(body).flatMap((content) =>
    listOf(content['parts'])
      .filter(isRecord)
      .map((part) => part['functionResponse'] ?? part['functionCall'])
      .filter((call) => isRecord(call))
      .map(({ name, args, response }) => ({ name, args, response })),
  );
}

function contents(body: JsonObject): readonly JsonObject[] {
  return listOf(body['contents']).filter(isRecord);
}

function usageOf(events: readonly ReplyEvent[]): Usage | undefined {
  return events.findLast((event) => event.type === 'usage.reported')?.usage;
}

function wantedUsage(usage: unknown): Usage | undefined {
  if (!isRecord(usage) || typeof usage['promptTokenCount'] !== 'number') return undefined;
  const count = (name: string): number => (typeof usage[name] === 'number' ? usage[name] : 0);
  const isOutput = usage['candidatesTokenCount'] !== undefined || usage['thoughtsTokenCount'] !== undefined;
  return {
    inputTokens: count('promptTokenCount') + count('toolUsePromptTokenCount'),
    cacheReadTokens: undefined,
    cacheWriteTokens: undefined,
    outputTokens: isOutput ? count('candidatesTokenCount') + count('thoughtsTokenCount') : undefined,
    reasoningTokens: usage['thoughtsTokenCount'] === undefined ? undefined : count('thoughtsTokenCount'),
  };
}
