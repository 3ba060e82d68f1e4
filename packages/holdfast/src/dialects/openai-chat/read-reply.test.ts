import { describe, expect, it } from 'vitest';
import {
  brokenPromises,
  call,
  data,
  delta,
  DONE,
  finish,
  itemsOf,
  outcome,
  play,
  READER,
  usage,
} from '../../../test/chat-wire.js';
import { itemId } from '../../turn/index.js';
import type { ReplyEvent } from '../../turn/index.js';
import { OPENAI_CHAT } from './index.js';

const HELLO = delta({ role: 'assistant', content: '' }) + delta({ content: 'Hel' }) + delta({ content: 'lo' });

function fn(name: string | null, args?: unknown): object {
  return { function: { ...(name === '' ? {} : { name }), ...(args === undefined ? {} : { arguments: args }) } };
}

function message(text: string): ReplyEvent {
  return {
    type: 'item.completed',
    item: itemId(READER.attempt, 0),
    result: { content: { kind: 'message', text }, opaque: undefined },
  };
}

describe('an ordinary reply', () => {
  it('starts with its first text, completes where the wire ends, and counts', () => {
    const counts = { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 };
    expect(play(HELLO + finish('stop') + usage(counts) + DONE)).toEqual([
      { type: 'wire.kept_alive' },
      { type: 'item.started', item: 'c.1.0', kind: 'message', name: undefined, callId: undefined, inferred: false },
      { type: 'item.delta', item: 'c.1.0', text: 'Hel' },
      { type: 'item.delta', item: 'c.1.0', text: 'lo' },
      { type: 'reply.ending', raw: 'stop' },
      {
        type: 'usage.reported',
        usage: {
          inputTokens: 5,
          cacheReadTokens: undefined,
          cacheWriteTokens: undefined,
          outputTokens: 2,
          reasoningTokens: undefined,
        },
      },
      message('Hello'),
      { type: 'reply.finished', reason: 'stop', raw: 'stop', detail: undefined },
    ]);
  });

  it('is finished at [DONE], whatever follows', () => {
    const events = play(HELLO + finish('stop') + DONE + delta({ content: 'more' }) + data({ error: { message: 'x' } }));
    expect(outcome(events)).toEqual({ text: 'Hello', calls: [], finish: 'stop', failure: undefined, open: [] });
    expect(events.at(-1)?.type).toBe('reply.finished');
  });

  it('keeps the text of a <think> element as it is', () => {
    expect(outcome(play(delta({ content: '<think>a</think>b' }) + finish('stop') + DONE)).text).toBe(
      '<think>a</think>b',
    );
  });
});

describe('what proves that the wire lives and nothing else', () => {
  const pings = {
    'a comment': ': OPENROUTER PROCESSING\n\n',
    'a first chunk without choices': data({ choices: [], prompt_filter_results: [] }),
    'choices that are null': data({ choices: null }),
    'a chunk without choices': data({ id: 'c1' }),
    'a delta with a role alone': delta({ role: 'assistant' }),
    'an empty delta': delta({}),
    'an absent delta': data({ choices: [{ index: 0 }] }),
    'a null delta': data({ choices: [{ index: 0, delta: null, finish_reason: null }] }),
    'an empty text': delta({ content: '', reasoning_content: '', refusal: null, tool_calls: [] }),
    'another choice': data({ choices: [{ index: 1, delta: { content: 'no' } }] }),
    'an empty error': data({ error: {}, choices: [] }),
    'an event of another name': 'event: ping\ndata: hello\n\n',
    'JSON that is no object': 'data: 7\n\n',
    'data of blanks': 'data:    \n\n',
    'counts that are null': data({ choices: [], usage: null }),
    'an empty call': delta({ tool_calls: [{}], function_call: { name: '', arguments: '' } }),
  };

  it.each(Object.entries(pings))('is %s', (_name, ping) => {
    expect(play(ping)).toEqual([{ type: 'wire.kept_alive' }]);
  });
});

describe('the habits of servers', () => {
  it('a cumulative message beside each delta is not read', () => {
    const both = data({
      choices: [{ index: 0, delta: { content: 'a' }, message: { content: 'a' }, finish_reason: 'stop' }],
    });
    expect(outcome(play(both)).text).toBe('a');
  });

  it('choices that are interleaved by index give choice 0 alone', () => {
    const chunk = data({
      choices: [
        { index: 1, delta: { content: 'b' } },
        { index: 0, delta: { content: 'a' } },
      ],
    });
    expect(outcome(play(chunk + finish('stop'))).text).toBe('a');
  });

  it('padding, other ids and other model names in later chunks mean nothing', () => {
    const other = data({
      id: 'c2',
      model: 'n',
      p: 'abc',
      choices: [{ index: 0, delta: { content: '!', obfuscation: 'x' } }],
    });
    expect(outcome(play(HELLO + other + finish('stop') + DONE)).text).toBe('Hello!');
  });

  it('the pending event counts where the body ends without a blank line', () => {
    expect(outcome(play(HELLO + finish('stop').trimEnd())).finish).toBe('stop');
  });

  it('a server that ignores "stream" is read whole, as an event or as bare JSON', () => {
    const body = {
      object: 'chat.completion',
      choices: [{ index: 0, message: { content: 'Hi' }, finish_reason: 'stop' }],
    };
    const whole = { text: 'Hi', calls: [], finish: 'stop', failure: undefined, open: [] };
    expect(outcome(play(data(body) + DONE))).toEqual(whole);
    expect(outcome(play(JSON.stringify(body)))).toEqual(whole);
    expect(outcome(OPENAI_CHAT.readReplyBody(JSON.stringify(body), READER))).toEqual(whole);
  });

  it('chunks of a kind that has no counterpart are foreign items', () => {
    const chunk = { type: 'reference', reference_ids: [1] };
    expect(itemsOf(play(delta({ content: [{ type: 'text', text: 'a' }, chunk] }) + finish('stop')))).toEqual([
      { content: { kind: 'foreign', wireKind: 'reference', value: chunk }, opaque: undefined },
      { content: { kind: 'message', text: 'a' }, opaque: undefined },
    ]);
  });
});

describe('finish reasons', () => {
  const half = call({ index: 0, id: 'x', ...fn('f', '{"a":') });
  const whole = call({ index: 0, id: 'x', ...fn('f', '{}') });

  it.each([
    ['stop', 'stop'],
    ['eos', 'stop'],
    ['tool_calls', 'stop'],
    ['function_call', 'stop'],
    ['length', 'length'],
    ['model_length', 'length'],
    ['content_filter', 'content_filter'],
    ['sensitive', 'content_filter'],
    ['some_new_word', 'unknown'],
  ])('%s with text alone is %s', (raw, reason) => {
    expect(play(HELLO + finish(raw) + DONE).at(-1)).toEqual({ type: 'reply.finished', reason, raw, detail: undefined });
  });

  it.each(['stop', 'tool_calls', 'function_call', '', 'eos', 'some_new_word'])(
    '"%s" with a whole call is tool_calls',
    (raw) => {
      expect(outcome(play(whole + finish(raw) + DONE))).toMatchObject({ finish: 'tool_calls', open: [] });
    },
  );

  it.each([
    ['error', 'upstream_error'],
    ['network_error', 'upstream_error'],
    ['insufficient_system_resource', 'upstream_overloaded'],
  ])('%s is a failure', (raw, code) => {
    expect(outcome(play(whole + finish(raw) + DONE))).toEqual({
      text: '',
      calls: [],
      finish: undefined,
      failure: `transient ${code}`,
      open: ['tool_call'],
    });
  });

  it('that are repeated end one reply once', () => {
    const events = play(HELLO + finish('stop') + finish('stop') + DONE);
    expect(events.filter(({ type }) => type === 'reply.ending')).toHaveLength(1);
    expect(events.filter(({ type }) => type === 'reply.finished')).toHaveLength(1);
  });

  it.each([
    [['stop', 'tool_calls'], 'stop'],
    [['stop', 'length'], 'length'],
    [['stop', 'content_filter'], 'content_filter'],
    [['content_filter', 'stop'], 'content_filter'],
    [['length', 'content_filter'], 'content_filter'],
    [['', 'stop'], 'stop'],
  ])('%j: the first counts, or a worse one', (raws, raw) => {
    expect(play(HELLO + raws.map((word) => finish(word)).join('') + DONE).at(-1)).toMatchObject({ raw });
  });

  it('after every chunk complete nothing before the end (toolargs-08)', () => {
    const stream =
      finish('stop') +
      call({ index: 0, id: 'call_a', ...fn('ls', '') }) +
      finish('tool_calls') +
      call({ index: 0, ...fn('', '{"dir":') }) +
      finish('tool_calls') +
      call({ index: 0, ...fn('', '"src"}') }) +
      finish('tool_calls');
    expect(play(stream).filter(({ type }) => type === 'item.completed')).toHaveLength(1);
    expect(outcome(play(stream + DONE)).calls).toEqual([{ id: 'call_a', name: 'ls', args: '{"dir":"src"}' }]);
  });

  it('"length" leaves the text and dispatches no call, not even a whole one before the cut one', () => {
    const stream = HELLO + whole + call({ index: 1, id: 'y', ...fn('g', '{"a":') }) + finish('length') + DONE;
    expect(outcome(play(stream))).toEqual({
      text: 'Hello',
      calls: [],
      finish: 'length',
      failure: undefined,
      open: ['tool_call', 'tool_call'],
    });
  });

  it('"length" with empty arguments is a cut call and not {}', () => {
    const stream = call({ index: 0, id: 'x', ...fn('f', '') }) + finish('length') + DONE;
    expect(outcome(play(stream))).toMatchObject({ calls: [], finish: 'length', open: ['tool_call'] });
  });

  it('"length" without any text is told as that', () => {
    expect(outcome(play(delta({ role: 'assistant' }) + finish('length') + DONE)).finish).toBe('length');
  });

  it.each(['max_output_tokens', 'length', 'max_tokens', 'MAX_TOKENS', 'model_length'])(
    '"tool_calls" beside the native reason %s is a cut',
    (native) => {
      const stream = half + finish('tool_calls', { native_finish_reason: native }) + DONE;
      expect(outcome(play(stream))).toMatchObject({ calls: [], finish: 'length', open: ['tool_call'] });
    },
  );

  it('"tool_calls" with half a call and the cap spent is a cut', () => {
    const stream = half + finish('tool_calls') + usage({ prompt_tokens: 1, completion_tokens: 64 }) + DONE;
    expect(outcome(play(stream, { maxOutputTokens: 64 }))).toMatchObject({ calls: [], finish: 'length' });
    expect(outcome(play(stream, { maxOutputTokens: 65 }))).toMatchObject({ finish: 'tool_calls' });
  });

  it('"tool_calls" with arguments that do not parse gives a call that never runs', () => {
    expect(outcome(play(half + finish('tool_calls') + DONE))).toMatchObject({
      calls: [{ id: 'x', name: 'f', args: 'invalid: {"a":' }],
      finish: 'tool_calls',
    });
  });

  it('"content_filter" gives no call away', () => {
    expect(outcome(play(whole + finish('content_filter') + DONE))).toMatchObject({ calls: [], open: ['tool_call'] });
  });
});

describe('a refusal', () => {
  const refused = delta({ refusal: 'I ' }) + delta({ refusal: 'can’t.' });

  it.each(['stop', 'content_filter'])('with the finish reason %s ends as refused, in its own item', (raw) => {
    const events = play(delta({ content: '', refusal: null }) + refused + finish(raw) + DONE);
    expect(itemsOf(events)).toEqual([{ content: { kind: 'refusal', text: 'I can’t.' }, opaque: undefined }]);
    expect(events.at(-1)).toEqual({ type: 'reply.finished', reason: 'content_filter', raw, detail: 'refusal' });
  });

  it('beside an answer is part of an answer', () => {
    expect(play(HELLO + refused + finish('stop') + DONE).at(-1)).toMatchObject({ reason: 'stop', detail: undefined });
  });
});

describe('streams that end oddly', () => {
  const whole = call({ index: 0, id: 'x', ...fn('f', '{}') });
  const half = call({ index: 0, id: 'x', ...fn('f', '{"a":') });

  it('[DONE] without a finish reason is an end that nobody explained', () => {
    expect(outcome(play(HELLO + DONE))).toEqual({
      text: 'Hello',
      calls: [],
      finish: 'unknown',
      failure: undefined,
      open: [],
    });
    expect(outcome(play(whole + DONE))).toMatchObject({ finish: 'unknown', calls: [{ name: 'f' }] });
  });

  it('[DONE] without a finish reason and with half a call is no end', () => {
    expect(outcome(play(half + DONE))).toMatchObject({ failure: 'protocol stream_incomplete', open: ['tool_call'] });
  });

  it('a finish reason without [DONE] is an end', () => {
    expect(outcome(play(HELLO + finish('stop'))).finish).toBe('stop');
  });

  it.each([HELLO, whole, HELLO + half, ''])('a body that ends with neither says nothing final', (stream) => {
    expect(outcome(play(stream))).toMatchObject({ calls: [], finish: undefined, failure: undefined });
  });

  it('a server that never names a reason may end so, with everything whole', () => {
    const quirks = { noFinishReason: true };
    expect(outcome(play(HELLO, { quirks })).finish).toBe('unknown');
    expect(outcome(play(whole, { quirks }))).toMatchObject({ finish: 'unknown', calls: [{ name: 'f' }] });
    expect(outcome(play(half, { quirks }))).toMatchObject({ finish: undefined, calls: [] });
    expect(outcome(play(': hi\n\n', { quirks })).finish).toBeUndefined();
  });
});

describe('an error inside a 200', () => {
  const shapes = {
    'a chunk with an error alone': data({ error: { message: 'worker died', type: 'InternalServerError', code: 500 } }),
    'an error beside choices': data({
      error: { code: 502, message: 'hung up' },
      choices: [{ index: 0, delta: { content: '' } }],
    }),
    'an event named error': 'event: error\ndata: {"error":{"message":"down","status_code":503}}\n\n',
    'a flat error of that name': 'event: error\ndata: {"message":"down","code":503}\n\n',
    'an error in an array': data([{ error: { code: 503, message: 'down' } }]),
    'a bare error object': '{"error":{"code":503,"message":"down"}}\n\n',
  };

  it.each(Object.entries(shapes))('%s fails the reply and keeps its text', (_name, shape) => {
    expect(outcome(play(HELLO + shape))).toMatchObject({ text: 'Hello', finish: undefined, open: ['message'] });
    expect(outcome(play(HELLO + shape)).failure).toMatch(/^transient /u);
  });

  it.each(Object.entries(shapes))('%s counts after a finish reason, too', (_name, shape) => {
    expect(outcome(play(HELLO + finish('length') + shape + DONE)).failure).toMatch(/^transient /u);
  });

  it('keeps the status that it names and the words that it says', () => {
    const events = play(
      data({ choices: [{ index: 0, delta: {}, finish_reason: 'error' }], error: { code: 502, message: 'hung up' } }),
    );
    expect(events.at(-1)).toMatchObject({
      type: 'reply.failed',
      failure: { code: 'upstream_unavailable', upstream: { status: 502, message: 'hung up' } },
    });
  });

  it('names the model that was asked, and else the one that the chunk names', () => {
    const shape = data({ model: 'theirs', error: { code: 'model_not_found', message: 'no' } });
    const said = (options: object): unknown => {
      const last = play(shape, options).at(-1);
      return last?.type === 'reply.failed' ? last.failure.message : undefined;
    };
    expect(said({ model: 'ours' })).toContain('"ours"');
    expect(said({})).toContain('"theirs"');
  });

  it('is still counted', () => {
    const shape = data({ error: { message: 'x' }, choices: [], usage: { prompt_tokens: 3, completion_tokens: 1 } });
    expect(play(shape)[0]).toMatchObject({ type: 'usage.reported', usage: { inputTokens: 3, outputTokens: 1 } });
  });

  it('may be plain text in an event of that name', () => {
    expect(outcome(play('event: error\ndata: too busy\n\n')).failure).toBeDefined();
  });

  it('may be the whole body', () => {
    const body = '{"error":{"message":"filtered","code":"content_filter","status":400}}';
    expect(outcome(OPENAI_CHAT.readReplyBody(body, READER)).failure).toMatch(/^content /u);
    expect(outcome(play(body)).failure).toMatch(/^content /u);
  });
});

describe('a wire that is broken', () => {
  it('is never read past an event that is not JSON (parse-10)', () => {
    const glued = 'data: {"id":"c","object":"chat.cdata: {"choices":[{"index":0,"delta":{"content":"three"}}]}\n\n';
    expect(outcome(play(HELLO + glued + finish('stop') + DONE))).toEqual({
      text: 'Hello',
      calls: [],
      finish: undefined,
      failure: 'protocol stream_corrupt',
      open: ['message'],
    });
  });

  it('is told as that where an event is too large', () => {
    const reader = OPENAI_CHAT.newReplyReader(READER);
    expect(outcome(reader.push({ type: 'oversize', chars: 9_000_000 })).failure).toBe('protocol event_too_large');
  });

  it.each(['<html>no</html>', '{"hello":1}', '', '[]', '7'])('a body %j is no reply', (body) => {
    expect(outcome(OPENAI_CHAT.readReplyBody(body, READER)).failure).toBe('protocol stream_corrupt');
  });

  it('bounds the arguments of a call', () => {
    const reader = OPENAI_CHAT.newReplyReader(READER);
    const piece = 'x'.repeat(1024 * 1024);
    const frame = {
      type: 'event',
      name: undefined,
      data: call({ index: 0, id: 'a', ...fn('f', piece) })
        .slice(6)
        .trim(),
    } as const;
    const events = Array.from({ length: 10 }, () => reader.push(frame)).flat();
    expect(outcome(events).failure).toBe('protocol arguments_too_large');
    expect(brokenPromises(events)).toEqual([]);
  });

  it('bounds the calls of a reply', () => {
    const calls = Array.from({ length: 1_025 }, (_, index) => ({ index, id: `i${index}`, ...fn('f', '{}') }));
    expect(outcome(play(delta({ tool_calls: calls }) + DONE)).failure).toBe('protocol too_many_tool_calls');
  });

  it('bounds the nesting of what is kept', () => {
    const deep = JSON.parse(`${'['.repeat(70)}${']'.repeat(70)}`);
    const fields = [
      { reasoning_details: [deep] },
      { content: [{ type: 'thinking', thinking: deep }] },
      { extra_content: { other: deep } },
      { tool_calls: [{ index: 0, id: 'a', ...fn('f', { a: deep }) }] },
      { tool_calls: [{ index: 0, id: 'a', ...fn('f', '{}'), extra_content: deep }] },
    ];
    for (const field of fields) expect(outcome(play(delta(field) + DONE)).failure).toBe('protocol json_too_deep');
  });

  it('does not let a name of the wire become a prototype', () => {
    const stream =
      call({ index: 0, id: 'a', ...fn('f', '{"__proto__":{"polluted":1}}') }) + finish('tool_calls') + DONE;
    const [item] = itemsOf(play(stream));
    expect(item?.content).toMatchObject({ input: { form: 'json', text: '{"__proto__":{"polluted":1}}' } });
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });
});

describe('counts', () => {
  function counted(counts: object): object | undefined {
    const reported = play(usage(counts)).find(({ type }) => type === 'usage.reported');
    return reported?.type === 'usage.reported' ? reported.usage : undefined;
  }

  it('include cached tokens in the prompt, so they are taken out', () => {
    const counts = {
      prompt_tokens: 10,
      completion_tokens: 4,
      prompt_tokens_details: { cached_tokens: 6, cache_write_tokens: 1 },
    };
    expect(counted(counts)).toEqual({
      inputTokens: 3,
      cacheReadTokens: 6,
      cacheWriteTokens: 1,
      outputTokens: 4,
      reasoningTokens: undefined,
    });
  });

  it.each([
    ['DeepSeek', { prompt_tokens: 10, prompt_cache_hit_tokens: 4, prompt_cache_miss_tokens: 6 }],
    ['Kimi', { prompt_tokens: 10, cached_tokens: 4 }],
  ])('of %s name the cached ones elsewhere', (_who, counts) => {
    expect(counted(counts)).toMatchObject({ inputTokens: 6, cacheReadTokens: 4 });
  });

  it('are clamped where a server counts more thinking than output, or more cache than prompt', () => {
    const counts = { prompt_tokens: 5, completion_tokens: 10, completion_tokens_details: { reasoning_tokens: 11 } };
    expect(counted(counts)).toMatchObject({ outputTokens: 10, reasoningTokens: 10 });
    expect(counted({ prompt_tokens: 5, prompt_tokens_details: { cached_tokens: 9 } })).toMatchObject({
      inputTokens: 0,
    });
  });

  it('of thinking beside the output are added to it, where the total shows that (xAI)', () => {
    const counts = { prompt_tokens: 307, completion_tokens: 26, completion_tokens_details: { reasoning_tokens: 227 } };
    expect(counted({ ...counts, total_tokens: 560 })).toMatchObject({ outputTokens: 253, reasoningTokens: 227 });
    expect(counted({ ...counts, total_tokens: 333 })).toMatchObject({ outputTokens: 26, reasoningTokens: 26 });
    expect(counted({ ...counts, total_tokens: 561 })).toMatchObject({ outputTokens: 26, reasoningTokens: 26 });
    expect(counted(counts)).toMatchObject({ outputTokens: 26, reasoningTokens: 26 });
  });

  it.each([-1, 1.5, '7', null])('of %j are no counts', (count) => {
    expect(counted({ prompt_tokens: 5, completion_tokens: count })).toMatchObject({ outputTokens: undefined });
  });

  it('may stand on every chunk: the last ones count, and the same ones are said once', () => {
    const one = { usage: { prompt_tokens: 5, completion_tokens: 1 } };
    const chunk = (counts: object): string => data({ choices: [{ index: 0, delta: { content: 'a' } }], ...counts });
    const events = play(
      chunk(one) + chunk(one) + chunk({ usage: { prompt_tokens: 5, completion_tokens: 2 } }) + finish('stop'),
    );
    const outputs = events.flatMap((event) => (event.type === 'usage.reported' ? event.usage.outputTokens : []));
    expect(outputs).toEqual([1, 2]);
  });

  it('may stand in x_groq alone', () => {
    expect(play(data({ choices: [], x_groq: { usage: { prompt_tokens: 2 } } }))[0]).toMatchObject({
      usage: { inputTokens: 2 },
    });
  });
});
