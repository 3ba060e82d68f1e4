import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { DIALECTS } from '../src/dialects/index.js';
import { HoldfastError } from '../src/run/index.js';
import { Engine } from '../src/run/index.js';
import type { CallOptions, Hop } from '../src/run/index.js';
import type { StampedEvent } from '../src/turn/index.js';
import { answer, chunk, DONE, scriptedProvider } from './scripted-provider.js';
import type { ScriptedProvider, Step } from './scripted-provider.js';

const engine = new Engine();
const open: ScriptedProvider[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((provider) => provider.close()));
});

async function serve(...scripts: readonly (readonly Step[])[]): Promise<ScriptedProvider> {
  const provider = await scriptedProvider(...scripts);
  open.push(provider);
  return provider;
}

function hop(url: string, over: Partial<Hop> = {}): Hop {
  return {
    provider: { name: 'acme', vendor: 'acme', dialect: 'openai-chat', baseUrl: url, auth: undefined, quirks: {} },
    model: 'acme-1',
    capabilities: {
      itemStart: 'before_arguments',
      argumentDeltas: true,
      reasoningDeltas: true,
      pings: false,
      resume: false,
      usageMidstream: false,
    },
    maxOutputTokens: undefined,
    outputLimit: undefined,
    contextWindow: undefined,
    configEntry: undefined,
    ...over,
  };
}

const ASK = {
  model: '',
  messages: [{ role: 'user', parts: [{ type: 'text', text: 'go' }] }],
  tools: [{ name: 'write_file', parameters: { type: 'object' } }],
} as const;

function options(url: string, over: Partial<CallOptions> = {}): CallOptions {
  return { chain: [hop(url)], request: ASK, limits: { backoffBaseMs: 5 }, ...over };
}

async function play(call: CallOptions): Promise<StampedEvent[]> {
  const events: StampedEvent[] = [];
  for await (const event of engine.call(call)) events.push(event);
  return events;
}

function types(events: readonly StampedEvent[]): string[] {
  return events.map((event) => event.type);
}

const OPEN_CALL = chunk({
  tool_calls: [{ index: 0, id: 'call_a', type: 'function', function: { name: 'write_file', arguments: '' } }],
});

describe('a provider that answers', () => {
  it('gives a stream of events without gaps (I2), and the same answer as a promise', async () => {
    const provider = await serve(answer('Hello.'));
    const events = await play(options(provider.url));
    expect(types(events)).toEqual([
      'call.started',
      'attempt.started',
      'attempt.sent',
      'attempt.accepted',
      'item.started',
      'item.delta',
      'reply.ending',
      'item.completed',
      'reply.finished',
      'attempt.completed',
      'call.completed',
    ]);
    expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index + 1));
    const result = await engine.call(options(provider.url)).result();
    expect({
      text: result.text,
      finish: result.finish,
      incomplete: result.incomplete,
      attempts: result.attempts,
    }).toEqual({
      text: 'Hello.',
      finish: 'stop',
      incomplete: false,
      attempts: 1,
    });
  });
});

describe('a provider that is down for a moment', () => {
  it('is asked again with the same request, and the attempts are counted', async () => {
    const provider = await serve([{ status: 503, body: '{"error":{"message":"down"}}' }], answer('Back.'));
    const events = await play(options(provider.url));
    const retry = events.find((event) => event.type === 'retry.scheduled');
    expect(retry).toMatchObject({ number: 2, numberMax: 8, changes: [], reason: { kind: 'transient' } });
    expect(events.at(-1)).toMatchObject({ type: 'call.completed', finish: 'stop' });
    expect(provider.seen[1]?.body).toEqual(provider.seen[0]?.body);
  });

  it('and stays so is given up after its retries', async () => {
    const provider = await serve([{ status: 503, body: '{}' }]);
    const failed = (await play(options(provider.url, { limits: { transientMax: 2, backoffBaseMs: 5 } }))).at(-1);
    expect(failed).toMatchObject({
      type: 'call.failed',
      failure: { kind: 'transient', attempts: 3, upstream: { status: 503 } },
    });
    expect(provider.seen).toHaveLength(3);
  });
});

describe('an answer that breaks off after text', () => {
  const broken: readonly Step[] = [{ open: true }, { send: chunk({ content: 'Step 1: st' }) }, { end: 'reset' }];

  it('is retracted before the next one is shown (I18)', async () => {
    const provider = await serve(broken, answer('Step 1: stop.'));
    const events = await play(options(provider.url));
    const order = types(events).filter((type) => /retracted|scheduled|attempt.started|call/.test(type));
    expect(order).toEqual([
      'call.started',
      'attempt.started',
      'attempt.retracted',
      'retry.scheduled',
      'attempt.started',
      'call.completed',
    ]);
    expect(events.at(-1)).toMatchObject({ items: [{ content: { kind: 'message', text: 'Step 1: stop.' } }] });
  });

  it('ends the call where the consumer cannot withdraw it', async () => {
    const provider = await serve(broken, answer('never'));
    const events = await play(options(provider.url, { canRetract: false }));
    expect(events.at(-1)).toMatchObject({
      type: 'call.failed',
      failure: { kind: 'transient', code: 'stream_dropped' },
    });
    expect(provider.seen).toHaveLength(1);
  });

  it('leaves the partial text with the error, and never as an answer (I8)', async () => {
    const provider = await serve(broken);
    const failed = engine.call(options(provider.url, { limits: { transientMax: 0 } })).result();
    await expect(failed).rejects.toBeInstanceOf(HoldfastError);
    await expect(failed).rejects.toMatchObject({ partialText: 'Step 1: st', items: [] });
  });
});

describe('a tool call that goes silent', () => {
  const silent: readonly Step[] = [{ open: true }, { send: OPEN_CALL }, { end: 'hang' }];
  const deadlines = { silenceMs: 150 };

  it('ends at its budget with the whole verdict, and its socket is closed', async () => {
    const provider = await serve(silent);
    const events = await play(options(provider.url, { deadlines, limits: { deadlineMax: 0 } }));
    expect(types(events)).toContain('deadline.fired');
    expect(events.at(-1)).toMatchObject({
      type: 'call.failed',
      failure: {
        code: 'deadline_silence',
        deadline: {
          watchdog: 'silence',
          budgetMs: 150,
          anchor: 'item_started',
          phase: 'item',
          activeItems: [{ kind: 'tool_call', name: 'write_file', chars: 0 }],
        },
      },
    });
    await provider.seen[0]?.closed;
  });

  it('is asked for again with a note at the tail of an unchanged prompt (I19)', async () => {
    const provider = await serve(silent, answer('In pieces.'));
    await play(options(provider.url, { deadlines }));
    const [first, second] = provider.seen.map((seen) => seen.body.messages);
    expect(second?.slice(0, first?.length)).toEqual(first);
    expect(second?.slice(first?.length ?? 0)).toEqual([
      { role: 'system', content: expect.stringContaining('smaller pieces') },
    ]);
  });
});

describe('a provider that writes for a while and then goes silent', () => {
  it('is cut at the budget after its last delta, however often the timer rang before', async () => {
    const deltas = Array.from({ length: 12 }, (): Step[] => [
      { send: chunk({ content: 'a ' }) },
      { waitMs: 40 },
    ]).flat();
    const provider = await serve([{ open: true }, ...deltas, { end: 'hang' }]);
    const events = await play(options(provider.url, { deadlines: { silenceMs: 200 }, limits: { deadlineMax: 0 } }));
    expect(events.filter((event) => event.type === 'item.delta')).toHaveLength(12);
    expect(events.at(-1)).toMatchObject({
      failure: { code: 'deadline_silence', deadline: { anchor: 'item_delta', budgetMs: 200 } },
    });
  });
});

describe('a provider that never sends a first token', () => {
  it('is asked the same twice and not a third time (I17)', async () => {
    const provider = await serve([{ open: true }, { send: ': ping\n\n' }, { end: 'hang' }]);
    const failed = (await play(options(provider.url, { deadlines: { prefillMs: 80 } }))).at(-1);
    expect(failed).toMatchObject({
      type: 'call.failed',
      failure: { code: 'deadline_deterministic', kind: 'deadline', attempts: 2 },
    });
    expect(provider.seen).toHaveLength(2);
  });
});

describe('a stop (I28)', () => {
  it('ends the wait before a retry at once', async () => {
    const provider = await serve([{ status: 503, body: '{}' }]);
    const stop = new AbortController();
    const events: StampedEvent[] = [];
    for await (const event of engine.call(
      options(provider.url, {
        signal: stop.signal,
        limits: { backoffBaseMs: 600_000, backoffMaxMs: 600_000, waitMaxMs: 700_000 },
      }),
    )) {
      events.push(event);
      if (event.type === 'retry.scheduled') setTimeout(() => stop.abort(), 10);
    }
    expect(events.at(-1)).toMatchObject({ type: 'call.failed', failure: { kind: 'stopped' } });
    expect(provider.seen).toHaveLength(1);
  });

  it('closes the provider’s connection in the middle of an answer', async () => {
    const provider = await serve([{ open: true }, { send: chunk({ content: 'a' }) }, { end: 'hang' }]);
    const stop = new AbortController();
    const events: StampedEvent[] = [];
    for await (const event of engine.call(options(provider.url, { signal: stop.signal }))) {
      events.push(event);
      if (event.type === 'item.delta') stop.abort();
    }
    expect(events.at(-1)).toMatchObject({ type: 'call.failed', failure: { kind: 'stopped' } });
    await provider.seen[0]?.closed;
  });

  it('before the start sends nothing', async () => {
    const provider = await serve(answer('x'));
    const events = await play(options(provider.url, { signal: AbortSignal.abort() }));
    expect(events.at(-1)).toMatchObject({ type: 'call.failed', failure: { kind: 'stopped' } });
    expect(provider.seen).toHaveLength(0);
  });
});

describe('a reader that leaves early', () => {
  it('closes the connection', async () => {
    const provider = await serve([{ open: true }, { send: chunk({ content: 'a' }) }, { end: 'hang' }]);
    for await (const event of engine.call(options(provider.url))) if (event.type === 'item.delta') break;
    await provider.seen[0]?.closed;
  });
});

describe('a reader that does not read (I32)', () => {
  it('stops the provider instead of filling memory, and is not blamed on it', async () => {
    const flood = Array.from({ length: 400 }, (): Step => ({ send: chunk({ content: 'x'.repeat(100_000) }) }));
    const provider = await serve([{ open: true }, ...flood, { send: chunk({}, 'stop') + DONE }, { end: 'close' }]);
    let paused = false;
    let text = 0;
    for await (const event of engine.call(options(provider.url, { deadlines: { silenceMs: 400 } }))) {
      if (event.type === 'item.delta') text += event.text.length;
      if (event.type === 'item.delta' && !paused) {
        paused = true;
        const before = process.memoryUsage().arrayBuffers;
        await new Promise((resolve) => {
          setTimeout(resolve, 1_000);
        });
        expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(20_000_000);
      }
      if (event.type === 'call.failed') throw new Error(event.failure.message);
    }
    expect(text).toBe(40_000_000);
  });
});

describe('answers that are no stream', () => {
  it.each([
    {
      name: 'a web page',
      step: { status: 200, headers: { 'content-type': 'text/html' }, body: '<h1>Welcome</h1>' },
      code: 'wrong_content_type',
    },
    {
      name: 'an empty body',
      step: { status: 200, headers: { 'content-type': 'text/event-stream' }, body: '' },
      code: 'stream_ended_early',
    },
    {
      name: 'a redirect (S16)',
      step: { status: 302, headers: { location: 'http://127.0.0.1:1/' }, body: '' },
      code: 'upstream_redirect',
    },
  ])('$name is named $code', async ({ step, code }) => {
    const provider = await serve([step]);
    const limits = { protocolMax: 0, transientMax: 0 };
    expect((await play(options(provider.url, { limits }))).at(-1)).toMatchObject({
      type: 'call.failed',
      failure: { code },
    });
    expect(provider.seen).toHaveLength(1);
  });

  it('a compressed stream is named, and a compressed error is understood', async () => {
    const gzip = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    const provider = await serve(
      [{ status: 429, headers: gzip, body: gzipSync('{"error":{"message":"spent","code":"insufficient_quota"}}') }],
      [{ status: 200, headers: gzip, body: gzipSync('{}') }],
    );
    const limits = { protocolMax: 0, transientMax: 0 };
    expect((await play(options(provider.url, { limits }))).at(-1)).toMatchObject({ failure: { kind: 'billing' } });
    expect((await play(options(provider.url, { limits }))).at(-1)).toMatchObject({
      failure: { code: 'reply_encoded' },
    });
  });

  it('nobody listening is named with its host', async () => {
    const provider = await scriptedProvider();
    await provider.close();
    const failed = (await play(options(provider.url, { limits: { transientMax: 0 } }))).at(-1);
    expect(failed).toMatchObject({
      failure: { code: 'connection_refused', atFault: 'network', message: expect.stringContaining('127.0.0.1') },
    });
  });
});

describe('a cap spent thinking', () => {
  const spent: readonly Step[] = [
    { open: true },
    { send: chunk({ reasoning_content: 'Hm.' }) + chunk({}, 'length') + DONE },
    { end: 'close' },
  ];
  const capped = {
    chain: [hop('', { configEntry: 'presets.default.brain.max_output_tokens' })],
    request: { ...ASK, maxOutputTokens: 512 },
  } as const;

  it('is withdrawn and asked for once more with four times the cap (I20)', async () => {
    const provider = await serve(spent, answer('7.'));
    const events = await play({ ...options(provider.url), request: capped.request });
    expect(events.find((event) => event.type === 'attempt.retracted')).toMatchObject({ reason: 'output_cap_thinking' });
    expect(provider.seen.map((seen) => seen.body['max_tokens'])).toEqual([512, 2_048]);
    expect(events.at(-1)).toMatchObject({ type: 'call.completed' });
  });

  it('names the entry when the larger one is refused, and carries the refusal', async () => {
    const provider = await serve(spent, [
      { status: 402, body: '{"error":{"message":"top up","code":"insufficient_quota"}}' },
    ]);
    const chain = [hop(provider.url, { configEntry: 'presets.default.brain.max_output_tokens' })] as const;
    const failed = (await play({ ...options(provider.url), chain, request: capped.request })).at(-1);
    expect(failed).toMatchObject({
      failure: {
        kind: 'output_cap_thinking',
        configEntry: 'presets.default.brain.max_output_tokens',
        cause: { kind: 'billing' },
      },
    });
  });
});

describe('a raised request that fails for a reason of its own', () => {
  const spent: readonly Step[] = [
    { open: true },
    { send: chunk({ reasoning_content: 'Hm.' }) + chunk({}, 'length') + DONE },
    { end: 'close' },
  ];
  const filtered = '{"error":{"message":"filtered","code":"content_filter"}}';
  const overflow = 'data: {"error":{"message":"too long","code":"context_length_exceeded"}}\n\n';

  it.each<{ name: string; raised: readonly Step[]; kind: string }>([
    { name: 'blocked at once', raised: [{ status: 400, body: filtered }], kind: 'content' },
    {
      name: 'blocked after half an answer',
      raised: [
        { open: true },
        { send: chunk({ content: 'Half' }) + chunk({}, 'content_filter') + DONE },
        { end: 'close' },
      ],
      kind: 'content',
    },
    {
      name: 'refused after it had begun to answer',
      raised: [{ open: true }, { send: chunk({ content: 'Half' }) + overflow }, { end: 'close' }],
      kind: 'context_overflow',
    },
  ])('$name, is told as $kind and not as the cap’s failure', async ({ raised, kind }) => {
    const provider = await serve(spent, raised);
    const failed = (await play({ ...options(provider.url), request: { ...ASK, maxOutputTokens: 512 } })).at(-1);
    expect(failed).toMatchObject({ type: 'call.failed', failure: { kind, attempts: 2 } });
  });

  it('takes its cap to the next provider no further than that model can write', async () => {
    const down = await serve(spent, [{ status: 503, body: '{}' }]);
    const small = await serve(answer('7.'));
    const chain = [hop(down.url), hop(small.url, { outputLimit: 1_000 })] as const;
    const limits = { transientMax: 0 };
    await play({ ...options(down.url), chain, limits, request: { ...ASK, maxOutputTokens: 512 } });
    const caps = [...down.seen, ...small.seen].map((seen) => seen.body['max_tokens']);
    expect(caps).toEqual([512, 2_048, 1_000]);
  });
});

describe('a request that fails in two ways that it would meet again', () => {
  it('is not sent a third time (I17)', async () => {
    const hang: readonly Step[] = [{ open: true }, { end: 'hang' }];
    const empty: readonly Step[] = [{ open: true }, { send: chunk({}, 'stop') + DONE }, { end: 'close' }];
    const provider = await serve(hang, empty, hang);
    const failed = (await play(options(provider.url, { deadlines: { prefillMs: 80 } }))).at(-1);
    expect(failed).toMatchObject({ type: 'call.failed', failure: { attempts: 2 } });
    expect(provider.seen).toHaveLength(2);
  });
});

describe('a key that no header can carry', () => {
  it('is the operator’s, and is not tried again', async () => {
    const provider = await serve(answer('never'));
    const bare = hop(provider.url);
    const chain = [
      { ...bare, provider: { ...bare.provider, auth: { header: 'authorization', value: 'Bearer k\nx' } } },
    ] as const;
    const failed = (await play({ ...options(provider.url), chain })).at(-1);
    expect(failed).toMatchObject({ failure: { code: 'request_unsendable', atFault: 'operator', attempts: 1 } });
    expect(provider.seen).toHaveLength(0);
  });
});

describe('a chain of two providers', () => {
  it('moves on after the first one’s retries and says so', async () => {
    const down = await serve([{ status: 503, body: '{}' }]);
    const up = await serve(answer('Hi from b.'));
    const chain = [hop(down.url), hop(up.url, { model: 'b-1' })] as const;
    const events = await play({ ...options(down.url), chain, limits: { transientMax: 0 } });
    expect(events.find((event) => event.type === 'fallback.chosen')).toMatchObject({
      from: 'acme/acme-1',
      to: 'acme/b-1',
    });
    expect(events.at(-1)).toMatchObject({ type: 'call.completed' });
  });

  it('takes the client’s own body along within a vendor, and no state of it to another (I6)', async () => {
    const down = await serve([{ status: 503, body: '{}' }]);
    const same = await serve([{ status: 503, body: '{}' }]);
    const other = await serve(answer('Hi.'));
    const call = {
      id: 'c1',
      type: 'function',
      function: { name: 'f', arguments: '{}' },
      extra_content: { google: { thought_signature: 'c2ln' } },
    };
    const body = {
      model: 'main',
      future_field: 1,
      messages: [
        { role: 'user', content: 'go' },
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'tool', tool_call_id: 'c1', content: 'ok' },
      ],
    };
    const client = { path: '/v1/chat/completions', query: {}, headers: {}, body };
    const read = DIALECTS['openai-chat']?.readRequest(client);
    if (read === undefined) throw new Error('The dialect is there.');
    const chat = hop(other.url);
    const elsewhere = { ...chat, provider: { ...chat.provider, name: 'b', vendor: 'b' } };
    await play({
      chain: [hop(down.url), hop(same.url), elsewhere],
      request: read.request,
      original: { dialect: 'openai-chat', client },
      limits: { transientMax: 0 },
    });
    const bodies = [down, same, other].map((provider) => JSON.stringify(provider.seen[0]?.body));
    expect(bodies.map((text) => [text.includes('c2ln'), text.includes('future_field')])).toEqual([
      [true, true],
      [true, true],
      [false, true],
    ]);
  });

  it('tells the next provider’s model what cut the first one’s', async () => {
    const silent = await serve([{ open: true }, { send: OPEN_CALL }, { end: 'hang' }]);
    const up = await serve(answer('In pieces.'));
    const chain = [hop(silent.url), hop(up.url)] as const;
    await play({ ...options(silent.url), chain, deadlines: { silenceMs: 100 }, limits: { deadlineMax: 0 } });
    expect(up.seen[0]?.body.messages.at(-1)).toEqual({
      role: 'system',
      content: expect.stringContaining('smaller pieces'),
    });
  });

  it('is not walked for a request that is wrong (I16)', async () => {
    const refusing = await serve([
      { status: 400, body: '{"error":{"message":"bad tools","type":"invalid_request_error"}}' },
    ]);
    const other = await serve(answer('never'));
    const events = await play({ ...options(refusing.url), chain: [hop(refusing.url), hop(other.url)] });
    expect(events.at(-1)).toMatchObject({ type: 'call.failed', failure: { kind: 'request', attempts: 1 } });
    expect([refusing.seen.length, other.seen.length]).toEqual([1, 0]);
  });
});

describe('a credential', () => {
  it('goes to the provider in the header that its wire wants', async () => {
    const provider = await serve(answer('x'));
    const withKey = hop(provider.url);
    const chain = [
      { ...withKey, provider: { ...withKey.provider, auth: { header: 'authorization', value: 'Bearer k' } } },
    ] as const;
    await play({ ...options(provider.url), chain });
    expect(provider.seen[0]?.headers.authorization).toBe('Bearer k');
  });
});

describe('deadlines that could never end a wait (I13)', () => {
  it.each([0, -1, Number.POSITIVE_INFINITY, Number.NaN])('are refused: %s', (silenceMs) => {
    expect(() => engine.call(options('http://127.0.0.1:1', { deadlines: { silenceMs } }))).toThrow(
      /deadlines\.silenceMs/,
    );
  });
});
