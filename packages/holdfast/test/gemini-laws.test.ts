import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ReaderOptions, Target, WriterOptions } from '../src/dialects/dialect.js';
import { GEMINI } from '../src/dialects/gemini/index.js';
import { attemptId, callId, itemId, MisuseError, UNKNOWN_PRODUCER } from '../src/turn/index.js';
import type {
  Item,
  JsonObject,
  Message,
  ModelRequest,
  OpaqueState,
  Part,
  ReplyEvent,
  ToolDefinition,
  ToolResult,
  Usage,
} from '../src/turn/index.js';
import { isRecord, parseJson, SseReader } from '../src/wire/index.js';

const TARGET: Target = { vendor: 'google', stream: true, quirks: {}, capabilities: UNKNOWN_PRODUCER };
const ATTEMPT = attemptId(callId('c'), 1);
const READER: ReaderOptions = {
  attempt: ATTEMPT,
  vendor: 'google',
  provider: 'p',
  maxOutputTokens: undefined,
  quirks: {},
};
const WRITER: WriterOptions = { replyId: 'r', model: 'm', createdAtSeconds: 1, framing: 'sse', wantsUsage: true };

const text = fc.string({ unit: 'binary', maxLength: 20 });
const words = fc.string({ unit: 'binary', minLength: 1, maxLength: 20 });
const name = fc.stringMatching(/^[a-z][a-z0-9_]{0,9}$/u);
const number = fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e6, max: 1e6 }).map((value) => value + 0);
const json: fc.Arbitrary<JsonObject> = fc.dictionary(
  fc.oneof(name, text),
  fc.oneof(
    text,
    number,
    fc.boolean(),
    fc.constant(null),
    fc.array(fc.oneof(text, number), { maxLength: 3 }),
    fc.dictionary(name, text, { maxKeys: 2 }),
  ),
  { maxKeys: 3, noNullPrototype: true },
);
const signature = fc.base64String({ minLength: 4, maxLength: 40 });
const signed: fc.Arbitrary<readonly OpaqueState[]> = signature.map((value) => [
  { vendor: 'google', kind: 'thought_signature', value },
]);
const opaque = fc.option(signed, { nil: undefined });

const prose: fc.Arbitrary<Item> = fc.oneof(
  fc.record({ content: fc.record({ kind: fc.constantFrom('message', 'reasoning'), text: words }), opaque }),
  fc.record({
    content: fc.record({ kind: fc.constantFrom('message', 'reasoning'), text: fc.constant('') }),
    opaque: signed,
  }),
);
const foreign: fc.Arbitrary<Item> = fc.record({
  content: fc.record({
    kind: fc.constant('foreign'),
    wireKind: fc.constant('executableCode'),
    value: fc.record({ executableCode: fc.record({ code: text, language: fc.constant('PYTHON') }) }),
  }),
  opaque,
});

function calls(idFromProvider: fc.Arbitrary<boolean>): fc.Arbitrary<Item> {
  return fc.record({ name, args: json, isOurs: idFromProvider, opaque, id: fc.uuid() }).map((call) => ({
    content: {
      kind: 'tool_call',
      callId: call.id,
      idFromProvider: call.isOurs,
      name: call.name,
      input: { form: 'json', text: JSON.stringify(call.args), value: call.args },
    },
    opaque: call.opaque,
  }));
}

const userPart: fc.Arbitrary<Part> = fc.oneof(
  text.map((value): Part => ({ type: 'text', text: value })),
  fc.base64String({ maxLength: 12 }).map((data): Part => ({ type: 'media', mediaType: 'image/png', data })),
  fc.webUrl().map((url): Part => ({ type: 'media_url', mediaType: 'image/png', url })),
  text.map((value): Part => ({ type: 'foreign', dialect: 'gemini', value: { hologram: value } })),
);
const user: fc.Arbitrary<Message> = fc
  .array(userPart, { minLength: 1, maxLength: 3 })
  .map((parts) => ({ role: 'user', parts }));

function resultOf(item: Item): fc.Arbitrary<readonly ToolResult[]> {
  const { content } = item;
  if (content.kind !== 'tool_call') return fc.constant([]);
  const said = fc.oneof(
    text,
    json.map((value) => JSON.stringify(value)),
  );
  const media = fc.array(fc.constant<Part>({ type: 'media', mediaType: 'image/png', data: 'QUJD' }), { maxLength: 1 });
  return fc
    .tuple(said, media, fc.boolean())
    .map(([value, more, isError]) => [
      { callId: content.callId, name: content.name, parts: [{ type: 'text', text: value }, ...more], isError },
    ]);
}

/** One reply with the results of its calls, and then a person again. */
const step: fc.Arbitrary<readonly Message[]> = fc
  .array(fc.oneof(prose, foreign, calls(fc.boolean())), { minLength: 1, maxLength: 4 })
  .chain((items) =>
    fc.tuple(
      fc.constant(items),
      fc.tuple(...items.map(resultOf)).map((rows) => rows.flat()),
      user,
    ),
  )
  .map(([items, results, next]) => [
    { role: 'assistant', items },
    ...(results.length === 0 ? [] : [{ role: 'tool' as const, results }]),
    next,
  ]);

const tool: fc.Arbitrary<ToolDefinition> = fc.record(
  { name, description: text, parameters: json },
  { requiredKeys: ['name'] },
);

const request: fc.Arbitrary<ModelRequest> = fc
  .record(
    {
      model: fc.stringMatching(/^[A-Za-z0-9][\w./:@ -]{0,20}$/u),
      instructions: text,
      first: user,
      steps: fc.array(step, { maxLength: 3 }),
      tools: fc.array(tool, { minLength: 1, maxLength: 3 }),
      toolChoice: fc.oneof(fc.constantFrom('auto' as const, 'none' as const, 'required' as const), fc.record({ name })),
      maxOutputTokens: fc.integer({ min: 1, max: 1_000_000 }),
      temperature: number,
      topP: number,
      topK: fc.nat(),
      seed: fc.integer(),
      presencePenalty: number,
      frequencyPenalty: number,
      stop: fc.array(text, { maxLength: 3 }),
      thinking: fc.oneof(
        fc.record({
          level: fc.constantFrom('minimal' as const, 'low' as const, 'medium' as const, 'high' as const),
          show: fc.boolean(),
        }),
        fc.record({ budgetTokens: fc.integer({ min: -1, max: 9_999 }) }),
      ),
      responseFormat: fc.oneof(
        fc.constant({ type: 'json' as const }),
        json.map((schema) => ({ type: 'json_schema' as const, name: 'response', schema })),
      ),
      extra: fc.record({
        dialect: fc.constant('gemini'),
        fields: fc.record({
          labels: fc.dictionary(name, text, { minKeys: 1, maxKeys: 2, noNullPrototype: true }),
          tools: fc.constant([{ googleSearch: {} }]),
          generationConfig: fc.record({ candidateCount: fc.nat(4) }),
        }),
      }),
    },
    { requiredKeys: ['model', 'first', 'steps'] },
  )
  .map(({ first, steps, ...rest }) => ({ ...rest, messages: [first, ...steps.flat()] }));

/** Ids that this house made are made anew by every reader, so they count by their order alone. */
function renamed(messages: readonly Message[]): readonly Message[] {
  const names = new Map<string, string>();
  return messages.map((message): Message => {
    if (message.role === 'assistant') {
      const items = message.items.map((item): Item => {
        const { content } = item;
        if (content.kind !== 'tool_call' || content.idFromProvider) return item;
        names.set(content.callId, `made-${names.size}`);
        return { ...item, content: { ...content, callId: names.get(content.callId) ?? '' } };
      });
      return { role: 'assistant', items };
    }
    if (message.role !== 'tool') return message;
    return {
      role: 'tool',
      results: message.results.map((result) => ({ ...result, callId: names.get(result.callId) ?? result.callId })),
    };
  });
}

function readBack(written: ReturnType<typeof GEMINI.writeRequest>): ModelRequest {
  const sent = parseJson(JSON.stringify(written.body));
  const body = sent.ok && isRecord(sent.value) ? sent.value : {};
  const [path = '', query] = written.path.split('?');
  expect(query).toBe('alt=sse');
  return GEMINI.readRequest({ path: `/v1beta${path}`, query: { alt: 'sse' }, headers: {}, body }).request;
}

describe('a request of this wire', () => {
  it('is read back as it was written, every signature included (I6)', () => {
    fc.assert(
      fc.property(request, (asked) => {
        const wire = GEMINI.writeRequest(asked, TARGET);
        const read = readBack(wire);
        expect({ ...read, messages: renamed(read.messages) }).toEqual({ ...asked, messages: renamed(asked.messages) });
        expect(wire.notices).toEqual([]);
        expect(JSON.stringify(GEMINI.writeRequest(read, TARGET).body)).toBe(JSON.stringify(wire.body));
      }),
      { numRuns: 300 },
    );
  });

  it('of any shape is read or refused, and never breaks the reader', () => {
    const body = fc.oneof(
      fc.object({
        key: fc.constantFrom(
          'contents',
          'parts',
          'text',
          'functionCall',
          'functionResponse',
          'name',
          'tools',
          'generationConfig',
          '__proto__',
        ),
        maxDepth: 4,
      }),
      fc.record({
        contents: fc.array(fc.record({ role: fc.constantFrom('user', 'model'), parts: fc.array(fc.jsonValue()) })),
      }),
    );
    fc.assert(
      fc.property(body, (value) => {
        const sent = parseJson(JSON.stringify(value));
        const client = sent.ok && isRecord(sent.value) ? sent.value : {};
        try {
          GEMINI.readRequest({ path: '/v1beta/models/m:generateContent', query: {}, headers: {}, body: client });
        } catch (error) {
          expect(error).toBeInstanceOf(MisuseError);
        }
      }),
      { numRuns: 300 },
    );
  });
});

interface Reply {
  readonly items: readonly Item[];
  readonly usage: Usage | undefined;
  readonly reason: 'stop' | 'length' | 'unknown';
}

const count = fc.option(fc.nat(100_000), { nil: undefined });
const usage: fc.Arbitrary<Usage> = fc
  .tuple(count, count, count, fc.nat(1_000))
  .map(([input, cached, reasoning, more]) => ({
    inputTokens: input,
    cacheReadTokens: cached,
    cacheWriteTokens: undefined,
    outputTokens: (reasoning ?? 0) + more,
    reasoningTokens: reasoning,
  }));
const reply: fc.Arbitrary<Reply> = fc.record({
  items: fc.array(fc.oneof(prose, foreign, calls(fc.constant(true))), { maxLength: 6 }),
  usage: fc.option(usage, { nil: undefined }),
  reason: fc.constantFrom('stop', 'length', 'unknown'),
});

function eventsOf({ items, usage: counts, reason }: Reply): readonly ReplyEvent[] {
  const hasCalls = items.some(({ content }) => content.kind === 'tool_call');
  const finish = reason === 'stop' && hasCalls ? 'tool_calls' : reason;
  return [
    ...items.flatMap((item, position) => itemEvents(item, position)),
    ...(counts === undefined ? [] : [{ type: 'usage.reported' as const, usage: counts }]),
    { type: 'reply.finished', reason: finish, raw: undefined, detail: undefined },
  ];
}

function itemEvents(result: Item, position: number): readonly ReplyEvent[] {
  const { content } = result;
  const item = itemId(ATTEMPT, position);
  const call = content.kind === 'tool_call' ? content : undefined;
  const shown = content.kind === 'message' || content.kind === 'reasoning' ? content.text : '';
  return [
    { type: 'item.started', item, kind: content.kind, name: call?.name, callId: call?.callId, inferred: false },
    ...Array.from(shown).map((piece) => ({ type: 'item.delta' as const, item, text: piece })),
    { type: 'item.completed', item, result },
  ];
}

function play(body: string, cuts: readonly number[] = []): readonly ReplyEvent[] {
  const bytes = new TextEncoder().encode(body);
  const frames = new SseReader();
  const reader = GEMINI.newReplyReader(READER);
  const events: ReplyEvent[] = [];
  const edges = [...new Set([0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length])].toSorted(
    (a, b) => a - b,
  );
  for (const [index, from] of edges.entries()) {
    for (const frame of frames.push(bytes.subarray(from, edges[index + 1] ?? bytes.length)))
      events.push(...reader.push(frame));
  }
  for (const frame of frames.end()) events.push(...reader.push(frame));
  return [...events, ...reader.end()];
}

function completed(events: readonly ReplyEvent[]): readonly Item[] {
  return events.flatMap((event) => (event.type === 'item.completed' ? [event.result] : []));
}

/** This wire marks no ends: prose of one kind in a row is one item, and a signature follows its text on a part of its own. */
function asTheWireTells(items: readonly Item[]): readonly Item[] {
  const told: Item[] = [];
  for (const item of items) {
    const { content } = item;
    if (content.kind !== 'message' && content.kind !== 'reasoning') {
      told.push(item);
      continue;
    }
    const before = told.at(-1);
    const merges = before?.content.kind === content.kind && before.opaque === undefined && content.text !== '';
    if (merges) told.pop();
    const lead = merges && before.content.kind === content.kind ? before.content.text : '';
    if (content.text !== '')
      told.push({ content: { kind: content.kind, text: lead + content.text }, opaque: undefined });
    if (item.opaque !== undefined) told.push({ content: { kind: content.kind, text: '' }, opaque: item.opaque });
  }
  return told;
}

describe('a reply of this wire', () => {
  it('is read back as it was written, wherever its bytes are cut (I4)', () => {
    fc.assert(
      fc.property(reply, fc.array(fc.nat(), { maxLength: 5 }), (told, cuts) => {
        const events = eventsOf(told);
        const writer = GEMINI.newReplyWriter(WRITER);
        const body = events.map((event) => writer.write(event)).join('');
        const read = play(body, cuts);
        expect(completed(read)).toEqual(asTheWireTells(told.items));
        expect(read.filter((event) => event.type === 'usage.reported')).toEqual(
          events.filter((event) => event.type === 'usage.reported'),
        );
        expect(read.at(-1)).toMatchObject({
          type: 'reply.finished',
          reason:
            events.at(-1)?.type === 'reply.finished'
              ? told.reason === 'stop' && told.items.some(({ content }) => content.kind === 'tool_call')
                ? 'tool_calls'
                : told.reason
              : '',
        });
        expect(play(body)).toEqual(read);
      }),
      { numRuns: 300 },
    );
  });

  it('as a whole body holds the same items and counts', () => {
    fc.assert(
      fc.property(reply, (told) => {
        const read = GEMINI.readReplyBody(JSON.stringify(GEMINI.writeReplyBody(eventsOf(told), WRITER)), READER);
        const merged = (items: readonly Item[]): readonly Item[] =>
          asTheWireTells(items.filter(({ content }) => content.kind !== 'foreign'));
        expect(merged(completed(read))).toEqual(merged(told.items));
        expect(read.findLast((event) => event.type === 'usage.reported')?.usage).toEqual(told.usage);
      }),
      { numRuns: 200 },
    );
  });
});

const key = fc.constantFrom(
  'candidates',
  'content',
  'parts',
  'text',
  'thought',
  'thoughtSignature',
  'functionCall',
  'name',
  'args',
  'partialArgs',
  'jsonPath',
  'stringValue',
  'willContinue',
  'finishReason',
  'usageMetadata',
  'promptTokenCount',
  'promptFeedback',
  'blockReason',
  'error',
  '__proto__',
);

describe('chunks of any shape (I5)', () => {
  const part = fc.oneof(
    fc.record({ text: words, thought: fc.boolean(), thoughtSignature: fc.oneof(text, number) }, { requiredKeys: [] }),
    fc.record({
      functionCall: fc.record(
        {
          name: fc.oneof(name, number),
          id: fc.constantFrom('a', 'b', ''),
          args: fc.jsonValue(),
          willContinue: fc.boolean(),
          partialArgs: fc.array(
            fc.record({
              jsonPath: fc.constantFrom('$.a', '$.a[0]', '$.b.c', 'x'),
              stringValue: text,
              willContinue: fc.boolean(),
            }),
          ),
        },
        { requiredKeys: [] },
      ),
    }),
    fc.jsonValue(),
  );
  const chunk = fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({
        candidates: fc.tuple(
          fc.record(
            {
              content: fc.record({ parts: fc.array(part, { maxLength: 4 }) }),
              finishReason: fc.constantFrom('STOP', 'MAX_TOKENS', 'SAFETY', 'OTHER', 'X'),
            },
            { requiredKeys: ['content'] },
          ),
        ),
      }),
    },
    { weight: 1, arbitrary: fc.object({ key, maxDepth: 5 }) },
    { weight: 1, arbitrary: fc.jsonValue() },
  );

  it('never break the reader, and what starts ends once at most, with the text of its deltas', () => {
    fc.assert(
      fc.property(fc.array(chunk, { maxLength: 6 }), (chunks) => {
        const events = play(chunks.map((value) => `data: ${JSON.stringify(value)}\r\n\r\n`).join(''));
        const open = new Map<string, string>();
        for (const [index, event] of events.entries()) {
          if (event.type === 'item.started') {
            expect(open.has(event.item)).toBe(false);
            open.set(event.item, '');
          } else if (event.type === 'item.delta') {
            expect(open.has(event.item)).toBe(true);
            open.set(event.item, (open.get(event.item) ?? '') + event.text);
          } else if (event.type === 'item.completed') {
            expect(shownBy(event.result)).toBe(open.get(event.item));
            open.delete(event.item);
          } else if (event.type === 'reply.finished' || event.type === 'reply.failed') {
            expect(index).toBe(events.length - 1);
          }
        }
        expect(Object.keys(Object.prototype)).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });
});

function shownBy({ content }: Item): string {
  switch (content.kind) {
    case 'message':
    case 'reasoning':
    case 'refusal':
      return content.text;
    case 'tool_call':
      return content.input.text;
    case 'foreign':
      return '';
  }
}
