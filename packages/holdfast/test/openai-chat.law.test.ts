import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Target } from '../src/dialects/dialect.js';
import { OPENAI_CHAT } from '../src/dialects/openai-chat/index.js';
import { itemId, mergeUsage, NO_USAGE, UNKNOWN_PRODUCER } from '../src/turn/index.js';
import type {
  Item,
  Message,
  ModelRequest,
  OpaqueState,
  Part,
  ReplyEvent,
  ToolInput,
  Usage,
} from '../src/turn/index.js';
import { brokenPromises, itemsOf, outcome, play, playPieces, READER } from './chat-wire.js';

/** JSON that is read back as it was written: no -0, which JSON does not know. */
const json = fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.parse(JSON.stringify(value)));
const jsonObject = fc
  .dictionary(fc.string({ maxLength: 6 }), json, { maxKeys: 3 })
  .map((value) => JSON.parse(JSON.stringify(value)));
const name = fc.stringMatching(/^[a-z_]{1,8}$/u);
const text = fc.string({ unit: 'grapheme', maxLength: 30 });
const words = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 });
const base64 = fc.base64String({ minLength: 4, maxLength: 24 });

const part: fc.Arbitrary<Part> = fc.oneof(
  text.map((said): Part => ({ type: 'text', text: said })),
  fc
    .tuple(fc.constantFrom('image/png', 'audio/wav', 'audio/mp3', 'application/pdf'), base64)
    .map(([mediaType, data]): Part => ({ type: 'media', mediaType, data })),
  fc.webUrl().map((url): Part => ({ type: 'media_url', mediaType: undefined, url })),
  json.map((value): Part => ({ type: 'foreign', dialect: 'openai-chat', value: { type: 'odd', value } })),
);

const input: fc.Arbitrary<ToolInput> = fc.oneof(
  jsonObject.map((value): ToolInput => ({ form: 'json', text: JSON.stringify(value), value })),
  words.map((said): ToolInput => ({ form: 'text', text: said })),
  words.map((said): ToolInput => ({ form: 'invalid', text: `{"a": ${said}` })),
);

const signature: fc.Arbitrary<readonly OpaqueState[]> = words.map((value) => [
  { vendor: 'google', kind: 'thought_signature', value },
]);

/** Thinking of a vendor, in the fields that it wants back. */
function thinking(vendor: string): fc.Arbitrary<Item> {
  const details = fc.array(
    fc.record({
      type: fc.constantFrom('reasoning.encrypted', 'reasoning.other'),
      data: words,
      index: fc.nat({ max: 3 }),
    }),
    { minLength: 1, maxLength: 3 },
  );
  return fc.tuple(words, fc.option(details, { nil: undefined })).map(([said, array]): Item => {
    const content: OpaqueState = { vendor, kind: 'reasoning_content', value: said };
    const more: readonly OpaqueState[] =
      array === undefined ? [] : [{ vendor, kind: 'reasoning_details', value: array }];
    return { content: { kind: 'reasoning', text: said }, opaque: [content, ...more] };
  });
}

function toolCall(callId: string): fc.Arbitrary<Item> {
  return fc.tuple(name, input, fc.option(signature, { nil: undefined })).map(([tool, given, opaque]): Item => ({
    content: { kind: 'tool_call', callId, idFromProvider: true, name: tool, input: given },
    opaque,
  }));
}

/** One reply that carries a signature of Google's, so that its thinking is known for Google's. */
const reply: fc.Arbitrary<readonly Item[]> = fc
  .tuple(
    fc.option(thinking('google'), { nil: undefined }),
    fc.tuple(words, signature),
    fc.uniqueArray(fc.uuid(), { maxLength: 3 }).chain((ids) => fc.tuple(...ids.map(toolCall))),
  )
  .map(([thought, [said, opaque], calls]): readonly Item[] => [
    ...(thought === undefined ? [] : [thought]),
    { content: { kind: 'message', text: said }, opaque },
    ...calls,
  ]);

/** A reply, and the results of its calls. */
const step: fc.Arbitrary<readonly Message[]> = fc.tuple(reply, text).map(([items, said]) => {
  const results = items.flatMap(({ content }) =>
    content.kind === 'tool_call'
      ? { callId: content.callId, name: content.name, parts: [{ type: 'text', text: said } as const], isError: false }
      : [],
  );
  const answered: readonly Message[] = results.length === 0 ? [] : [{ role: 'tool', results }];
  return [{ role: 'assistant', items }, ...answered];
});

const conversation: fc.Arbitrary<readonly Message[]> = fc
  .tuple(
    fc.array(part, { minLength: 1, maxLength: 3 }),
    fc.array(
      fc.oneof(
        step,
        words.map((said): readonly Message[] => [{ role: 'system', text: said }]),
      ),
      { maxLength: 3 },
    ),
  )
  .map(([parts, steps]) => [{ role: 'user', parts }, ...steps.flat()]);

const settings: fc.Arbitrary<Partial<ModelRequest>> = fc.record(
  {
    instructions: words,
    tools: fc.array(
      fc.record({ name, description: words, parameters: jsonObject, strict: fc.boolean() }, { requiredKeys: ['name'] }),
      { minLength: 1, maxLength: 2 },
    ),
    toolChoice: fc.oneof(fc.constantFrom('auto' as const, 'none' as const, 'required' as const), fc.record({ name })),
    parallelToolCalls: fc.constant(false),
    maxOutputTokens: fc.integer({ min: 1, max: 100_000 }),
    temperature: fc.constantFrom(0, 0.5, 1),
    topP: fc.constantFrom(0.1, 1),
    seed: fc.nat(),
    stop: fc.array(words, { minLength: 1, maxLength: 2 }),
    thinking: fc.record({ level: fc.constantFrom('none' as const, 'low' as const, 'max' as const) }),
    responseFormat: fc.oneof(
      fc.constant({ type: 'json' as const }),
      fc.record({ type: fc.constant('json_schema' as const), name, schema: jsonObject }),
    ),
    extra: fc.record({ dialect: fc.constant('openai-chat'), fields: fc.record({ user: words, metadata: jsonObject }) }),
  },
  { requiredKeys: [] },
);

const GOOGLE: Target = { vendor: 'google', stream: true, quirks: {}, capabilities: UNKNOWN_PRODUCER };

describe('a request on this wire', () => {
  it('is read back as it was written, its vendor’s opaque state included (I6)', () => {
    fc.assert(
      fc.property(
        conversation,
        settings,
        fc.constantFrom('max_tokens', 'max_completion_tokens'),
        (messages, more, capField) => {
          const request: ModelRequest = { model: 'm', messages, ...more };
          const { body } = OPENAI_CHAT.writeRequest(request, { ...GOOGLE, quirks: { capField } });
          const wire = JSON.parse(JSON.stringify(body));
          expect(OPENAI_CHAT.readRequest({ path: '', query: {}, headers: {}, body: wire })).toEqual({
            request,
            stream: true,
            framing: 'sse',
            wantsUsage: true,
          });
        },
      ),
      { numRuns: 300 },
    );
  });

  it('of a vendor that nobody named keeps its thinking under no name', () => {
    fc.assert(
      fc.property(thinking('unknown'), words, (thought, said) => {
        const items: readonly Item[] = [thought, { content: { kind: 'message', text: said }, opaque: undefined }];
        const messages: readonly Message[] = [
          { role: 'user', parts: [{ type: 'text', text: 'Hi' }] },
          { role: 'assistant', items },
        ];
        const { body } = OPENAI_CHAT.writeRequest({ model: 'm', messages }, { ...GOOGLE, vendor: 'unknown' });
        expect(OPENAI_CHAT.readRequest({ path: '', query: {}, headers: {}, body }).request.messages).toEqual(messages);
      }),
    );
  });

  it('holds nothing of another vendor', () => {
    fc.assert(
      fc.property(conversation, (messages) => {
        const { body } = OPENAI_CHAT.writeRequest({ model: 'm', messages }, { ...GOOGLE, vendor: 'other' });
        const wire = JSON.stringify(body['messages']);
        expect(/"(?:extra_content|reasoning_content|reasoning_details)":/u.test(wire)).toBe(false);
      }),
    );
  });
});

/** Items of one reply as a provider may produce them, and how their texts are cut into deltas. */
const replyItems: fc.Arbitrary<readonly Item[]> = fc
  .tuple(
    fc.option(words, { nil: undefined }),
    fc.option(words, { nil: undefined }),
    fc.option(signature, { nil: undefined }),
    fc.uniqueArray(fc.uuid(), { maxLength: 3 }).chain((ids) => fc.tuple(...ids.map(toolCallOf))),
  )
  .map(([thought, said, opaque, calls]): readonly Item[] => {
    const acme = (value: string): readonly OpaqueState[] => [{ vendor: 'acme', kind: 'reasoning_content', value }];
    return [
      ...(thought === undefined
        ? []
        : [{ content: { kind: 'reasoning', text: thought }, opaque: acme(thought) } as const]),
      ...(said === undefined ? [] : [{ content: { kind: 'message', text: said }, opaque } as const]),
      ...calls,
    ];
  });

function toolCallOf(callId: string): fc.Arbitrary<Item> {
  return fc.tuple(name, jsonObject, fc.option(signature, { nil: undefined })).map(([tool, value, opaque]): Item => {
    const given = { form: 'json', text: JSON.stringify(value), value } as const;
    return { content: { kind: 'tool_call', callId, idFromProvider: true, name: tool, input: given }, opaque };
  });
}

const counts: fc.Arbitrary<Usage> = fc
  .record({ input: fc.nat(), read: fc.nat(), write: fc.nat(), output: fc.nat(), thought: fc.nat() })
  .map(({ input: inputTokens, read, write, output, thought }) => ({
    inputTokens: inputTokens,
    cacheReadTokens: read,
    cacheWriteTokens: write,
    outputTokens: output,
    reasoningTokens: Math.min(thought, output),
  }));

interface Told {
  readonly items: readonly Item[];
  readonly cuts: readonly number[];
  readonly usage: Usage;
}

/** Deltas of every item, then all completions: calls complete at the end of a reply. */
function tell({ items, cuts, usage }: Told): readonly ReplyEvent[] {
  const isEarly = ({ content }: Item): boolean => content.kind === 'reasoning';
  const begun = items.flatMap((item, position) => [
    ...begin(item, position, cuts[position % cuts.length] ?? 0),
    ...(isEarly(item) ? [completed(item, position)] : []),
  ]);
  const done = items.flatMap((item, position) => (isEarly(item) ? [] : completed(item, position)));
  const reason = items.some(({ content }) => content.kind === 'tool_call') ? 'tool_calls' : 'stop';
  return [
    ...begun,
    ...done,
    { type: 'usage.reported', usage },
    { type: 'reply.finished', reason, raw: reason, detail: undefined },
  ];
}

/** Its start and its deltas. A size of 0 stands for a producer that sends none. */
function begin({ content }: Item, position: number, size: number): readonly ReplyEvent[] {
  const item = itemId(READER.attempt, position);
  const call = content.kind === 'tool_call' ? content : undefined;
  const { kind } = content;
  const start: ReplyEvent = {
    type: 'item.started',
    item,
    kind,
    name: call?.name,
    callId: call?.callId,
    inferred: false,
  };
  const whole = wholeText(content);
  const count = size === 0 ? 0 : Math.ceil(whole.length / size);
  const pieces = Array.from({ length: count }, (_, at) => whole.slice(at * size, (at + 1) * size));
  return [start, ...pieces.map((piece): ReplyEvent => ({ type: 'item.delta', item, text: piece }))];
}

function completed(result: Item, position: number): ReplyEvent {
  return { type: 'item.completed', item: itemId(READER.attempt, position), result };
}

function wholeText(content: Item['content']): string {
  if (content.kind === 'foreign') return '';
  return content.kind === 'tool_call' ? content.input.text : content.text;
}

const told: fc.Arbitrary<Told> = fc.record({
  items: replyItems,
  cuts: fc.array(fc.integer({ min: 0, max: 12 }), { minLength: 1, maxLength: 3 }),
  usage: counts,
});

function written(events: readonly ReplyEvent[]): string {
  const options = { replyId: 'r', model: 'm', createdAtSeconds: 1, framing: 'sse', wantsUsage: true } as const;
  const writer = OPENAI_CHAT.newReplyWriter(options);
  return events.map((event) => writer.write(event)).join('');
}

/** In one order: our writer puts the message's own state last, so an item without text may begin later. */
function sorted(items: readonly Item[]): readonly string[] {
  return items.map((item) => JSON.stringify(item)).toSorted();
}

function usageOf(events: readonly ReplyEvent[]): Usage {
  return events.reduce(
    (sum, event) => (event.type === 'usage.reported' ? mergeUsage(sum, event.usage) : sum),
    NO_USAGE,
  );
}

describe('a reply on this wire', () => {
  it('is read back as it was written: items, state, finish and counts', () => {
    fc.assert(
      fc.property(told, (reply_) => {
        const events = tell(reply_);
        const read = play(written(events));
        expect(brokenPromises(read)).toEqual([]);
        expect(sorted(withoutOurs(itemsOf(read)))).toEqual(sorted(itemsOf(events)));
        expect(outcome(read).finish).toBe(outcome(events).finish);
        expect(usageOf(read)).toEqual(reply_.usage);
      }),
      { numRuns: 300 },
    );
  });

  it('as a whole body is read back the same', () => {
    fc.assert(
      fc.property(told, (reply_) => {
        const events = tell(reply_);
        const options = { replyId: 'r', model: 'm', createdAtSeconds: 1, framing: 'sse', wantsUsage: true } as const;
        const read = OPENAI_CHAT.readReplyBody(JSON.stringify(OPENAI_CHAT.writeReplyBody(events, options)), READER);
        expect(sorted(withoutOurs(itemsOf(read)))).toEqual(sorted(itemsOf(events)));
        expect(outcome(read).finish).toBe(outcome(events).finish);
        expect(usageOf(read)).toEqual(reply_.usage);
      }),
    );
  });

  it('may be cut anywhere: the events are the same (I4), and the cut one completes no call', () => {
    fc.assert(
      fc.property(told, fc.array(fc.nat(), { maxLength: 4 }), (reply_, places) => {
        const bytes = new TextEncoder().encode(written(tell(reply_)));
        const cuts = [0, ...places.map((place) => place % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length];
        const pieces = cuts.slice(1).map((to, at) => bytes.subarray(cuts[at], to));
        expect(playPieces(pieces)).toEqual(play(bytes));
        // Up to the last finish reason nothing has ended.
        const end = new TextDecoder().decode(bytes).lastIndexOf('"finish_reason":"');
        const half = play(new TextEncoder().encode(new TextDecoder().decode(bytes).slice(0, end)));
        expect(outcome(half)).toMatchObject({ calls: [], finish: undefined });
      }),
      { numRuns: 100 },
    );
  });
});

describe('a stream of anything at all (I5)', () => {
  const odd = fc.oneof(
    json,
    fc.record({
      choices: fc.array(fc.record({ index: fc.constantFrom(0, 1, null), delta: json, finish_reason: json })),
    }),
  );
  const field = fc.oneof(
    json,
    fc.array(
      fc.record(
        { index: json, id: json, function: fc.record({ name: json, arguments: json }), type: json },
        { requiredKeys: [] },
      ),
    ),
  );
  const fields = fc.record(
    {
      content: field,
      tool_calls: field,
      reasoning: json,
      reasoning_details: field,
      thinking_blocks: field,
      extra_content: json,
      refusal: json,
      function_call: json,
    },
    { requiredKeys: [] },
  );
  const chunk = fields.map((delta) => ({ choices: [{ index: 0, delta }] }));

  it('never throws, and what opens closes at most once', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(odd, chunk), { maxLength: 12 }), fc.boolean(), (chunks, done) => {
        const stream =
          chunks.map((value) => `data: ${JSON.stringify(value)}\n\n`).join('') + (done ? 'data: [DONE]\n\n' : '');
        expect(brokenPromises(play(stream))).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });
});

/** Our own mark of whose state it is comes back as foreign state of the vendor that we are to the reader. */
function withoutOurs(items: readonly Item[]): readonly Item[] {
  return items.flatMap((item) => {
    const opaque = item.opaque?.filter(
      ({ value }) => !JSON.stringify(value).startsWith('{"extra_content":{"holdfast":'),
    );
    const isOurs = item.content.kind === 'message' && item.content.text === '' && opaque?.length === 0;
    return isOurs ? [] : { ...item, opaque: opaque?.length === 0 ? undefined : opaque };
  });
}
