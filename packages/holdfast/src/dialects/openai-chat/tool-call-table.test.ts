import { describe, expect, it } from 'vitest';
import { brokenPromises, call, delta, DONE, finish, itemsOf, outcome, play } from '../../../test/chat-wire.js';
import type { ReaderOptions } from '../dialect.js';

function fn(name: string | null | undefined, args?: unknown): object {
  return { function: { ...(name === undefined ? {} : { name }), ...(args === undefined ? {} : { arguments: args }) } };
}

const MORE = undefined;

function calls(stream: string, options: Partial<ReaderOptions> = {}): readonly object[] {
  const events = play(stream + finish('tool_calls') + DONE, options);
  expect(brokenPromises(events)).toEqual([]);
  return outcome(events).calls;
}

function deltas(stream: string, options: Partial<ReaderOptions> = {}): readonly string[] {
  return play(stream + finish('tool_calls') + DONE, options).flatMap((event) =>
    event.type === 'item.delta' ? event.text : [],
  );
}

describe('a call in OpenAI’s form', () => {
  const stream =
    call({ index: 0, id: 'call_a', type: 'function', ...fn('read_file', '') }) +
    call({ index: 0, ...fn(MORE, '{"path":') }) +
    call({ index: 0, ...fn(MORE, '"a.txt"}') });

  it('shows its start, its pieces and, at the end, itself', () => {
    expect(play(stream + finish('tool_calls') + DONE)).toEqual([
      { type: 'item.started', item: 'c.1.0', kind: 'tool_call', name: 'read_file', callId: 'call_a', inferred: false },
      { type: 'item.delta', item: 'c.1.0', text: '{"path":' },
      { type: 'item.delta', item: 'c.1.0', text: '"a.txt"}' },
      { type: 'reply.ending', raw: 'tool_calls' },
      {
        type: 'item.completed',
        item: 'c.1.0',
        result: {
          content: {
            kind: 'tool_call',
            callId: 'call_a',
            idFromProvider: true,
            name: 'read_file',
            input: { form: 'json', text: '{"path":"a.txt"}', value: { path: 'a.txt' } },
          },
          opaque: undefined,
        },
      },
      { type: 'reply.finished', reason: 'tool_calls', raw: 'tool_calls', detail: undefined },
    ]);
  });

  it('is one open item while its arguments are silent', () => {
    const events = play(call({ index: 0, id: 'call_a', ...fn('f', '') }));
    expect(outcome(events).open).toEqual(['tool_call']);
  });

  it('is put together by index where calls are interleaved', () => {
    const mixed =
      call({ index: 0, id: 'a', ...fn('add', '') }) +
      call({ index: 1, id: 'b', ...fn('mul', '') }) +
      call({ index: 0, ...fn(MORE, '{"a":1,') }) +
      call({ index: 1, ...fn(MORE, '{"a":2,') }) +
      delta({
        tool_calls: [
          { index: 0, ...fn(MORE, '"b":2}') },
          { index: 1, ...fn(MORE, '"b":3}') },
        ],
      });
    expect(calls(mixed)).toEqual([
      { id: 'a', name: 'add', args: '{"a":1,"b":2}' },
      { id: 'b', name: 'mul', args: '{"a":2,"b":3}' },
    ]);
  });
});

describe('calls in the forms of other servers', () => {
  it('without an index each name opens one, and a fragment belongs to the last', () => {
    const stream =
      call({ id: 'a', ...fn('f', '{"x"') }) +
      call({ ...fn(MORE, ':1}') }) +
      call({ id: 'b', ...fn('f', '{}') }) +
      call(fn('g', '{}'));
    expect(calls(stream)).toEqual([
      { id: 'a', name: 'f', args: '{"x":1}' },
      { id: 'b', name: 'f', args: '{}' },
      { id: 'call_c_1_2', name: 'g', args: '{}' },
    ]);
  });

  it('without an index a fragment with a known id belongs to that call', () => {
    const stream =
      call({ id: 'a', ...fn('f', '{"x"') }) +
      call({ id: 'b', ...fn('g', '{}') }) +
      call({ id: 'a', ...fn(MORE, ':1}') });
    expect(calls(stream)).toEqual([
      { id: 'a', name: 'f', args: '{"x":1}' },
      { id: 'b', name: 'g', args: '{}' },
    ]);
  });

  it('with an index that begins at 1 are calls as any', () => {
    const stream = call({ index: 1, id: 'toolu', ...fn('f', '') }) + call({ index: 1, ...fn(MORE, '{}') });
    expect(calls(stream)).toEqual([{ id: 'toolu', name: 'f', args: '{}' }]);
  });

  it('with another id and a name under the same index are two', () => {
    const stream =
      call({ index: 0, id: 'a', ...fn('s', '{"q":"x"}') }) +
      call({ index: 0, id: 'b', ...fn('s', '{"q":') }) +
      call({ index: 0, ...fn(MORE, '"y"}') });
    expect(calls(stream)).toEqual([
      { id: 'a', name: 's', args: '{"q":"x"}' },
      { id: 'b', name: 's', args: '{"q":"y"}' },
    ]);
  });

  it.each([
    ['the same id', 'a', undefined],
    ['the same id and name', 'a', 'f'],
    ['an empty id', '', undefined],
    ['an empty id and name', '', ''],
    ['a null id and name', null, null],
    ['an empty id and the name again', '', 'f'],
    ['another id without a name', 'z', undefined],
  ])('that repeat %s stay one', (_what, id, name) => {
    const stream = call({ index: 0, id: 'a', ...fn('f', '{"x"') }) + call({ index: 0, id, ...fn(name, ':1}') });
    expect(calls(stream)).toEqual([{ id: 'a', name: 'f', args: '{"x":1}' }]);
  });

  it.each([undefined, '', null])('with the id %j get one that is made, stable and their own', (id) => {
    const stream = call({ index: 0, id, ...fn('f', '{}') }) + call({ index: 1, id, ...fn('g', '{}') });
    const expected = [
      { id: 'call_c_1_0', name: 'f', args: '{}' },
      { id: 'call_c_1_1', name: 'g', args: '{}' },
    ];
    expect(calls(stream)).toEqual(expected);
    expect(itemsOf(play(stream + finish('stop')))[0]?.content).toMatchObject({ idFromProvider: false });
  });

  it('with an id that is used twice keep their ids apart', () => {
    const stream = call({ index: 0, id: 'a', ...fn('f', '{}') }) + call({ index: 1, id: 'a', ...fn('f', '{}') });
    expect(calls(stream)).toEqual([
      { id: 'a', name: 'f', args: '{}' },
      { id: 'call_c_1_1', name: 'f', args: '{}' },
    ]);
  });

  it('whose id or name comes late take the first that comes', () => {
    const stream = call({ index: 0, ...fn(MORE, '{') }) + call({ index: 0, id: 'a', ...fn('f', '}') });
    expect(calls(stream)).toEqual([{ id: 'a', name: 'f', args: '{}' }]);
  });

  it('that never get a name are a broken reply', () => {
    expect(outcome(play(call({ index: 0, id: 'a', ...fn(MORE, '{}') }) + finish('tool_calls') + DONE)).failure).toBe(
      'protocol tool_call_malformed',
    );
  });

  it('without a type are functions', () => {
    expect(calls(call({ index: 0, id: 'a', ...fn('f', '{}') }))).toEqual([{ id: 'a', name: 'f', args: '{}' }]);
  });

  it('with arguments as an object are written as JSON', () => {
    expect(calls(call({ index: 0, id: 'a', ...fn('f', { path: 'a.txt' }) }))).toEqual([
      { id: 'a', name: 'f', args: '{"path":"a.txt"}' },
    ]);
  });

  it.each(['', 'null', undefined, null, ' null '])(
    'with the arguments %j have none, where the reply is whole',
    (args) => {
      const stream = call({ index: 0, id: 'a', ...fn('f', args) });
      expect(calls(stream)).toEqual([{ id: 'a', name: 'f', args: '{}' }]);
      expect(outcome(play(stream + finish('length') + DONE)).calls).toEqual([]);
    },
  );

  it.each(['[]', '"x"', '7', '{"a":1}{"b":2}', 'nullx'])('with the arguments %j are never run', (args) => {
    expect(calls(call({ index: 0, id: 'a', ...fn('f', args) }))).toEqual([
      { id: 'a', name: 'f', args: `invalid: ${args}` },
    ]);
  });

  it('in the same chunk as the finish reason are read before it', () => {
    const stream = delta({ tool_calls: [{ id: 'a', ...fn('f', '{}') }] }, { finish_reason: 'tool_calls' });
    expect(outcome(play(stream + DONE)).calls).toEqual([{ id: 'a', name: 'f', args: '{}' }]);
  });

  it('with a trailing delta of empty arguments are whole', () => {
    expect(
      calls(call({ index: 0, id: 'a', ...fn('f', '{}') }) + call({ index: 0, id: '', ...fn(MORE, '') })),
    ).toHaveLength(1);
  });

  it('with an empty function_call and an empty custom beside them are what they are', () => {
    const stream = delta({
      function_call: { name: '', arguments: '' },
      tool_calls: [{ index: 0, id: 'a', type: 'function', custom: { name: '', input: '' }, ...fn('f', '{}') }],
    });
    expect(calls(stream)).toEqual([{ id: 'a', name: 'f', args: '{}' }]);
  });

  it('of custom tools carry free text', () => {
    const stream =
      call({ index: 0, id: 'a', type: 'custom', custom: { name: 'sql', input: 'select ' } }) +
      call({ index: 0, custom: { input: '1' } });
    expect(calls(stream)).toEqual([{ id: 'a', name: 'sql', args: 'text: select 1' }]);
  });

  it('in the legacy form are calls', () => {
    const stream =
      delta({ function_call: { name: 'f', arguments: '{"x"' } }) + delta({ function_call: { arguments: ':1}' } });
    expect(calls(stream)).toEqual([{ id: 'call_c_1_0', name: 'f', args: '{"x":1}' }]);
  });
});

describe('state of a call', () => {
  const signed = { extra_content: { google: { thought_signature: 'U0lH' } } };
  const google = { vendor: 'google', kind: 'thought_signature', value: 'U0lH' };

  it('is Google’s signature, whoever relays it, and hangs on its own call', () => {
    const stream = call({ id: 'a', ...fn('f', '{}'), ...signed }) + call({ id: 'b', ...fn('f', '{}') });
    expect(itemsOf(play(stream + finish('stop'))).map(({ opaque }) => opaque)).toEqual([[google], undefined]);
  });

  it('counts where it comes in a later delta', () => {
    const stream = call({ index: 0, id: 'a', ...fn('f', '{}') }) + call({ index: 0, ...signed });
    expect(itemsOf(play(stream + finish('stop')))[0]?.opaque).toEqual([google]);
  });

  it('that comes in several deltas is all of it', () => {
    const other = { extra_content: { other: 1 } };
    const stream = call({ index: 0, id: 'a', ...fn('f', '{}'), ...signed }) + call({ index: 0, ...other });
    expect(itemsOf(play(stream + finish('stop')))[0]?.opaque).toEqual([
      google,
      { vendor: 'acme', kind: 'foreign', value: { extra_content: { other: 1 } } },
    ]);
  });

  it('of another vendor is kept as it came', () => {
    const extra = { extra_content: { other: { a: [1] }, google: { thought_signature: 'U0lH', seen: true } } };
    expect(itemsOf(play(call({ id: 'a', ...fn('f', '{}'), ...extra }) + finish('stop')))[0]?.opaque).toEqual([
      google,
      { vendor: 'acme', kind: 'foreign', value: { extra_content: { other: { a: [1] }, google: { seen: true } } } },
    ]);
  });
});

describe('arguments that come as growing snapshots', () => {
  const parts = ['{"q"', '{"q":"a b', '{"q":"a b"}'];
  const stream =
    call({ index: 0, id: 'a', ...fn('search', '') }) +
    parts.map((part) => call({ index: 0, ...fn(MORE, part) })).join('');
  const expected = [{ id: 'a', name: 'search', args: '{"q":"a b"}' }];

  it('are found out by themselves', () => {
    expect(calls(stream)).toEqual(expected);
  });

  it('are found out from two of them alone', () => {
    const two = call({ index: 0, id: 'a', ...fn('search', '{') }) + call({ index: 0, ...fn(MORE, '{"q":"a b"}') });
    expect(calls(two)).toEqual(expected);
  });

  it('are taken at their word where the vendor is known for them, and shown as pieces', () => {
    const options = { quirks: { argumentSnapshots: true } };
    expect(calls(stream, options)).toEqual(expected);
    expect(deltas(stream, options)).toEqual(['{"q"', ':"a b', '"}']);
  });

  it('wait for one that goes on where one does not', () => {
    const odd = ['{"q"', '{"q": ', '{"q":"a"}']
      .map((part) => call({ index: 0, id: 'a', ...fn('search', part) }))
      .join('');
    expect(calls(odd, { quirks: { argumentSnapshots: true } })).toEqual([
      { id: 'a', name: 'search', args: 'invalid: {"q": {"q":"a"}' },
    ]);
  });

  it('are not seen in pieces that only look so', () => {
    const nested = ['{"a":', '{"a":1}}'].map((part) => call({ index: 0, id: 'a', ...fn('f', part) })).join('');
    expect(calls(nested)).toEqual([{ id: 'a', name: 'f', args: '{"a":{"a":1}}' }]);
    const three = ['{"a":', '{"a":1', '}}'].map((part) => call({ index: 0, id: 'a', ...fn('f', part) })).join('');
    expect(calls(three)).toEqual([{ id: 'a', name: 'f', args: '{"a":{"a":1}}' }]);
  });
});

describe('a call of forty thousand pieces', () => {
  it('says each of them once and parses none of them before the end', () => {
    const pieces = Array.from({ length: 40_000 }, (_, n) => (n === 0 ? '{"text":"' : 'word '));
    const stream =
      call({ index: 0, id: 'a', ...fn('f', '') }) +
      pieces.map((piece) => call({ index: 0, ...fn(MORE, piece) })).join('');
    const said = deltas(stream + call({ index: 0, ...fn(MORE, '"}') }));
    expect(said).toHaveLength(40_001);
    expect(said.reduce((sum, text) => sum + text.length, 0)).toBe(9 + 39_999 * 5 + 2);
  });
});
