import { NO_USAGE, UNKNOWN_PRODUCER } from 'holdfast/turn';
import type { DeadlineVerdict } from 'holdfast/turn';
import { describe, expect, it } from 'vitest';
import { judgeMust, judgeMustNot, judgeRequestMust } from '../src/cases/musts.js';
import type { Scene } from '../src/cases/scene.js';
import { bodyDocument } from '../src/cases/wire-document.js';
import type { WireDocument } from '../src/cases/wire-document.js';
import { event, failed, FAILURE, ITEM, scene, seen } from './scene.js';

type Row = readonly [statement: string, holds: Scene, breaks: Scene];

const VERDICT: DeadlineVerdict = {
  watchdog: 'silence',
  budgetMs: 120,
  elapsedMs: 120,
  anchor: 'item_delta',
  anchorAtMs: 1,
  phase: 'item',
  activeItems: [{ item: ITEM, kind: 'tool_call', name: 'exec', chars: 0 }],
  capabilities: UNKNOWN_PRODUCER,
};
const started = (id: string) =>
  event({ type: 'item.started', item: ITEM, kind: 'tool_call', name: 'exec', callId: id, inferred: false });
const message = event({
  type: 'item.started',
  item: ITEM,
  kind: 'message',
  name: undefined,
  callId: undefined,
  inferred: false,
});
const says = (text: string) => event({ type: 'item.delta', item: ITEM, text });
const at = (time: number, said: ReturnType<typeof event>) => ({ at: time, event: said });
const sent = (time: number, text: string) => seen({ flushes: [{ at: time, text }] });
const deadline = (given: Partial<DeadlineVerdict> = {}) => failed({ deadline: { ...VERDICT, ...given } });
const withOpenItem = (id: string): Scene => {
  const outcome = deadline();
  return scene({
    ...outcome,
    events: [at(1, started(id)), ...(outcome.events ?? [])],
  });
};
const client = (dialect: string, raw: string): Scene =>
  scene({
    client: {
      status: 400,
      headers: {},
      document: bodyDocument(dialect, raw),
      lastBody: bodyDocument(dialect, raw),
      gaveUp: false,
    },
  });

const MUST: readonly Row[] = [
  ['the turn takes less than 1000 ms', scene({ endedAt: 2_900 }), scene({ endedAt: 3_100 })],
  ['the turn is over no later than 150 ms after its start', scene({ endedAt: 440 }), scene({ endedAt: 460 })],
  [
    'the error is raised after more than 200 ms (the item blocked the 60 ms timers) and before 700 ms',
    scene(failed({}, { endedAt: 201 })),
    scene(failed({}, { endedAt: 199 })),
  ],
  [
    'the error is raised after more than 200 ms (the item blocked the 60 ms timers) and before 700 ms',
    scene(failed({}, { endedAt: 2_000 })),
    scene(failed({}, { endedAt: 2_200 })),
  ],
  ['the error fires between 100 and 400 ms', scene(failed({}, { endedAt: 100 })), scene(failed({}, { endedAt: 99 }))],
  ['the error fires between 100 and 400 ms', scene(failed({}, { endedAt: 200 })), scene({ endedAt: 200 })],
  [
    'the error is raised no later than 400 ms after the last data event',
    scene(failed({}, { endedAt: 1_000 }), { requests: [sent(10, 'data: x'), sent(900, ': ping')] }),
    scene(failed({}, { endedAt: 1_300 }), { requests: [sent(10, 'data: x'), sent(900, ': ping')] }),
  ],
  [
    'the failure comes within 350 ms of the last item event',
    scene(failed(), { requests: [sent(50, 'event: x')] }),
    scene(failed(), { requests: [] }),
  ],
  [
    'the result is delivered within 100 ms of the [DONE] line',
    scene({ endedAt: 350 }, { requests: [sent(60, 'data: [DONE]')] }),
    scene({ endedAt: 400 }, { requests: [sent(60, 'data: [DONE]')] }),
  ],
  [
    'the result is delivered within 100 ms of response.completed',
    scene({ endedAt: 100 }, { requests: [sent(60, 'event: response.completed')] }),
    scene({ endedAt: 100 }, { requests: [sent(60, 'event: x')] }),
  ],
  [
    'the text event "Hello " is seen before the packet with "there." is sent',
    scene({ events: [at(5, says('Hello '))] }, { requests: [sent(6, 'there.')] }),
    scene({ events: [at(7, says('Hello '))] }, { requests: [sent(6, 'there.')] }),
  ],
  [
    'the upstream sees its connection closed no later than 250 ms after the start',
    scene({}, { requests: [seen({ closedByPeerAt: 700 })] }),
    scene({}, { requests: [seen({ closedByPeerAt: 760 })] }),
  ],
  [
    'the upstream sees its connection closed no later than 250 ms after the start',
    scene({}, { requests: [seen({ closedByPeerAt: 1 })] }),
    scene(),
  ],
  ['the client is not made to wait for the 60 s of provider a', scene({ endedAt: 20_000 }), scene({ endedAt: 60_500 })],
  ['the message contains "worker died"', scene(failed({ message: 'a: worker died.' })), scene(failed())],
  [
    'the message names models.main and chat-example-0',
    scene(failed({ message: 'chat-example-0', configEntry: 'models.main' })),
    scene(failed({ message: 'chat-example-0' })),
  ],
  ['models.main is named', scene(failed({ configEntry: 'models.main' })), scene(failed())],
  [
    'the error names call_made1 (or item ctc_made1) as the open item',
    withOpenItem('call_made1'),
    withOpenItem('call_other'),
  ],
  [
    'the error reports that the last progress was the text delta, not the comment',
    scene(deadline()),
    scene(deadline({ anchor: 'byte' })),
  ],
  [
    'the report contains both causes: the spent cap first, the 400 of the raised request second',
    scene(
      failed({
        kind: 'output_cap_thinking',
        cause: {
          ...FAILURE,
          upstream: {
            provider: 'a',
            status: 400,
            code: undefined,
            type: undefined,
            message: undefined,
            requestId: undefined,
          },
        },
      }),
    ),
    scene(failed({ kind: 'output_cap_thinking' })),
  ],
  [
    'the diagnosis says: all items closed, terminal event missing',
    scene(deadline({ phase: 'terminal', activeItems: [] })),
    scene(deadline()),
  ],
  ['the result is flagged as incomplete', scene({ incomplete: true }), scene()],
  [
    'a consumer that applies text and retract events in order ends with exactly the final text',
    scene({
      events: [
        at(1, message),
        at(2, says('H')),
        at(3, event({ type: 'attempt.retracted', reason: 'x' })),
        at(4, says('Hi.')),
      ],
    }),
    scene({ events: [at(1, message), at(2, says('H')), at(4, says('Hi.'))] }),
  ],
  ['the response body is cancelled', scene({}, { requests: [seen({ closedByPeerAt: 1 })] }), scene()],
  [
    'usage is marked as partial',
    scene({ events: [at(1, event({ type: 'attempt.failed', failure: FAILURE, usage: NO_USAGE }))] }),
    scene({ events: [at(1, event({ type: 'attempt.completed', finish: 'stop', usage: NO_USAGE }))] }),
  ],
  [
    'a retract event with the reason output_cap_thinking comes before the second request',
    scene(
      { events: [at(5, event({ type: 'attempt.retracted', reason: 'output_cap_thinking' }))] },
      { requests: [seen(), seen({ at: 6 })] },
    ),
    scene(
      { events: [at(7, event({ type: 'attempt.retracted', reason: 'output_cap_thinking' }))] },
      { requests: [seen(), seen({ at: 6 })] },
    ),
  ],
  [
    'the activity record names the hop from a to b and its cause',
    scene({ events: [at(1, event({ type: 'fallback.chosen', from: 'a/x', to: 'b/y', reason: FAILURE }))] }),
    scene({ events: [at(1, event({ type: 'fallback.chosen', from: 'a/x', to: 'c/y', reason: FAILURE }))] }),
  ],
  [
    'the error body is in the dialect of the client',
    client('openai-chat', '{"error":{"message":"m","type":"t","param":null,"code":"c"}}'),
    client('openai-chat', '{"message":"m"}'),
  ],
  [
    'the error body is in the dialect of the client',
    client('anthropic', '{"type":"error","error":{"type":"t","message":"m"}}'),
    client('anthropic', '{"error":{"type":"t","message":"m"}}'),
  ],
  [
    'the error body is in the dialect of the client',
    client('gemini', '{"error":{"code":400,"status":"S","message":"m"}}'),
    client('gemini', '{"error":{"code":"c","message":"m"}}'),
  ],
];

const MUST_NOT: readonly Row[] = [
  ['be reported as a normal stop', scene({ finish: 'length' }), scene()],
  [
    'mention a JSON parse failure as the cause',
    scene(failed()),
    scene(failed({ message: 'Unexpected token } in JSON at position 3' })),
  ],
  ['name HTTP status 500, 502 or 503', scene(failed()), scene(failed({ message: 'HTTP 502' }))],
  [
    'name HTTP status 500, 502 or 503',
    scene(failed()),
    scene(
      failed({
        upstream: {
          provider: 'a',
          status: 500,
          code: undefined,
          type: undefined,
          message: undefined,
          requestId: undefined,
        },
      }),
    ),
  ],
  ['speak of a partial response', scene(failed()), scene(failed({ advice: 'The partial reply is kept.' }))],
  ['advise to start a new chat', scene(failed()), scene(failed({ advice: 'A new chat may help.' }))],
  ['advise a new chat', scene(failed()), scene(failed({ advice: 'A new chat may help.' }))],
  [
    'mention max_output_tokens or the output limit',
    scene(failed()),
    scene(failed({ advice: 'Raise max_output_tokens.' })),
  ],
  ['mention the output limit', scene(failed()), scene(failed({ message: 'It hit the output limit.' }))],
  [
    'emit a TimeoutOverflowWarning',
    scene({ warnings: ['OtherWarning: x'] }),
    scene({ warnings: ['TimeoutOverflowWarning: x'] }),
  ],
  ['contain U+FFFD', scene(), scene({ text: 'a\ufffd' })],
  ['contain U+FFFD', scene({ events: [at(1, says('ok'))] }), scene({ events: [at(1, says('\ufffd'))] })],
  ['include the text LATE', scene(), client('openai-chat', 'LATE')],
  ['report a stop reason', scene(failed()), scene()],
  ['report ok with the text "one " or "one three"', scene({ text: 'one two three' }), scene({ text: 'one three' })],
  ['exit without any event', scene(failed()), scene(failed({}, { events: [] }))],
  [
    'report input 0',
    scene({ usage: undefined }),
    scene({
      usage: { input: 0, cached_read: undefined, cache_write: undefined, output: undefined, reasoning: undefined },
    }),
  ],
  ['report outcome ok', scene(failed()), scene()],
  [
    'send the same request again',
    scene({}, { requests: [seen(), seen({ body: bodyDocument('x', '{"a":1}') })] }),
    scene({}, { requests: [seen(), seen()] }),
  ],
  ['retry the request', scene(), scene({}, { requests: [seen(), seen()] })],
  ['emit an error event', scene(failed({ kind: 'stopped' })), scene(failed())],
  ['emit an error as the terminal event', scene(), scene(failed())],
  [
    'deliver any stand-in answer text',
    scene({ text: 'Hi.' }, { requests: [sent(1, 'Hi.')] }),
    scene({ text: 'Sorry.' }, { requests: [sent(1, 'Hi.')] }),
  ],
];

const request = (body: unknown, previous?: unknown): WireDocument =>
  bodyDocument(
    'openai-chat',
    JSON.stringify(body),
    previous === undefined ? undefined : bodyDocument('openai-chat', JSON.stringify(previous)),
  );
const part = { functionCall: { name: 'a' } };
const said = (content: string): WireDocument =>
  request({ messages: [{ content: 'go' }, { content }] }, { messages: [{ content: 'go' }] });
const calls = (first: string, second: string): WireDocument =>
  request({
    messages: ['a', 'b'].flatMap((command, index) => [
      { role: 'assistant', tool_calls: [{ function: { arguments: `{"cmd":"${command}"}` } }] },
      { role: 'tool', content: [first, second][index] },
    ]),
  });

const OF_REQUESTS: readonly (readonly [string, WireDocument, WireDocument])[] = [
  [
    'both functionCall parts are in the same contents entry with role model',
    request({ contents: [{ role: 'model', parts: [part, part] }] }),
    request({
      contents: [
        { role: 'model', parts: [part] },
        { role: 'model', parts: [part] },
      ],
    }),
  ],
  [
    'the input of toolu_made1 in the request is a JSON object',
    request([{ id: 'toolu_made1', input: {} }]),
    request([{ id: 'toolu_made1', input: '{' }]),
  ],
  [
    'no message says that the user interrupted, stopped or cancelled the previous turn',
    said('The provider was silent.'),
    said('The previous turn was stopped by the user.'),
  ],
  [
    'the message after each assistant tool call is its own result: ra follows cmd a, rb follows cmd b',
    calls('ra', 'rb'),
    calls('rb', 'ra'),
  ],
  [
    'a message after the shared prefix says that the previous attempt was cut while emitting a large tool call and asks to split it',
    said('The last attempt was cut while it wrote a tool call. Write it in smaller pieces.'),
    said('Go on.'),
  ],
  [
    'the model is told that its call was cut by the output limit and that it should write less per call',
    said('Your call was cut by the output cap: write less per call.'),
    said('Your call failed.'),
  ],
  [
    'the content of that tool result says that the worker ended without a reply',
    said('The worker ended without a reply.'),
    said('ok'),
  ],
];

describe('a statement that must hold', () => {
  it.each(MUST)('%s', (statement, holds, breaks) => {
    expect({ holds: judgeMust(statement, holds), breaks: judgeMust(statement, breaks).length }).toEqual({
      holds: [],
      breaks: 1,
    });
  });

  it('is no pass where nobody can check it', () => {
    expect(judgeMust('all is well', scene())).toEqual([{ type: 'unasserted', text: 'must: all is well' }]);
  });

  it('widens upper bounds by the scale of the case, and lower ones too', () => {
    const slow = { scale: 2 };
    expect(judgeMust('the turn takes less than 100 ms', scene({ endedAt: 590 }, slow))).toEqual([]);
    expect(judgeMust('the error fires between 100 and 400 ms', scene(failed({}, { endedAt: 190 }), slow))).toHaveLength(
      1,
    );
  });

  it('is found in spite of spaces and a full stop', () => {
    expect(judgeMust(' the turn takes  less than 1000 ms. ', scene())).toEqual([]);
  });

  it('about a numbered request looks at that request', () => {
    const statement = 'request 2 tells the model that its call was cut at the output cap and should be made smaller';
    const told = seen({ body: said('The call was cut at the output cap; make it smaller.') });
    expect(judgeMust(statement, scene({}, { requests: [seen(), told] }))).toEqual([]);
    expect(judgeMust(statement, scene({}, { requests: [told] }))).toHaveLength(1);
  });
});

describe('a statement that must not come true', () => {
  it.each(MUST_NOT)('%s', (statement, holds, breaks) => {
    expect({ holds: judgeMustNot(statement, holds), breaks: judgeMustNot(statement, breaks).length }).toEqual({
      holds: [],
      breaks: 1,
    });
  });
});

describe('a statement about a request', () => {
  it.each(OF_REQUESTS)('%s', (statement, holds, breaks) => {
    expect({ holds: judgeRequestMust(statement, holds), breaks: judgeRequestMust(statement, breaks).length }).toEqual({
      holds: [],
      breaks: 1,
    });
  });
});
