import { SCENARIOS, startSimulator } from '@holdfast/simulator';
import type { Simulator } from '@holdfast/simulator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, bodyEventsOf, eventsOf, jsonOf, post, summaryOf } from './ask.js';
import type { Served, Summary } from './ask.js';

let simulator: Simulator;
beforeAll(async () => {
  simulator = await startSimulator({ timeScale: 0 });
});
afterAll(() => simulator.close());

const DIALECTS: readonly Served[] = ['gemini', 'openai-chat'];

/** Replies without a wait arrive at once, so a second of silence is a hang. */
const HANG_MS = 1_000;

type Expected = Partial<Summary>;

const NORMAL: Summary = {
  status: 200,
  end: 'close',
  thinking: false,
  text: '',
  refusal: '',
  calls: [],
  open: [],
  finish: 'stop',
  failure: undefined,
};
const hang: Expected = { end: 'hang', finish: undefined };
const PLAIN =
  'This answer comes from the simulator, not from a model. It arrives in pieces, at the pace of a real one, and it ends as the provider ends it.';

/** What each dialect shows of each scenario, where they differ. */
const STREAMED: Readonly<Record<string, Expected | Readonly<Record<Served, Expected>>>> = {
  plain: { text: PLAIN },
  thinking: { thinking: true, text: 'Twelve knots are about 22 kilometres an hour.' },
  'cap-thinking': { thinking: true, text: 'With more room than the thinking needs, here is the answer.' },
  'cap-cut-text': { text: 'All of it, from the beginning: '.repeat(32_000) },
  empty: {},
  refusal: {
    gemini: { finish: 'content_filter' },
    'openai-chat': { refusal: "I'm sorry, I can't help with that.", finish: 'content_filter' },
  },
  'content-filter': { text: 'The first half of the answer is here and then ', finish: 'content_filter' },
  trickle: { text: 'Slowly but surely.' },
  'split-bytes': { thinking: true, text: 'Zwölf Boxkämpfer jagen Viktor quer über den großen Sylter Deich. 🎣⚓️' },
  'odd-lines': { text: 'The lines end oddly, the text is whole.' },
  'tool-loop': { thinking: true, calls: ['save_note json signed'], finish: 'tool_calls' },
  'tool-loop-unsigned': { thinking: true, calls: ['save_note json'], finish: 'tool_calls' },
  'silent-tool': {
    gemini: { thinking: true, calls: ['save_note json signed'], finish: 'tool_calls' },
    'openai-chat': { thinking: true, calls: ['save_note json'], finish: 'tool_calls' },
  },
  'cap-cut-tool': { gemini: { finish: 'length' }, 'openai-chat': { open: ['save_note'], finish: 'length' } },
  'bad-tool-json': {
    gemini: { finish: undefined, failure: 'protocol' },
    'openai-chat': { calls: ['save_note invalid'], finish: 'tool_calls' },
  },
  'unknown-tool': {
    gemini: { calls: ['tool_that_nobody_offered json signed'], finish: 'tool_calls' },
    'openai-chat': { calls: ['tool_that_nobody_offered json'], finish: 'tool_calls' },
  },
  'stall-after-start': {
    gemini: { ...hang, thinking: true, open: ['reasoning'] },
    'openai-chat': { ...hang, thinking: true, open: ['save_note'] },
  },
  'stall-in-arguments': {
    gemini: { ...hang, thinking: true, open: ['reasoning'] },
    'openai-chat': { ...hang, thinking: true, open: ['save_note'] },
  },
  'no-start-stall': { ...hang, thinking: true, open: ['reasoning'] },
  'silent-text': { ...hang, text: 'The answer begins well and then', open: ['message'] },
  'slow-prefill': { text: 'The prompt was long; here is the answer.' },
  'slow-headers': { text: 'The answer was worth the wait.' },
  'prefill-hang': hang,
  'pings-only': hang,
  'cut-stream': {
    end: 'reset',
    text: 'The answer begins well, it goes on, and th',
    finish: undefined,
    open: ['message'],
  },
  'cut-in-tool': {
    gemini: { end: 'reset', text: 'I write the file. ', finish: undefined, open: ['message'] },
    'openai-chat': { end: 'reset', text: 'I write the file. ', finish: undefined, open: ['message', 'save_note'] },
  },
  'missing-terminal': {
    text: 'The answer seems whole, but nobody says that it is.',
    finish: undefined,
    open: ['message'],
  },
  garbage: { text: 'The answer begins well ', finish: undefined, open: ['message'], failure: 'protocol' },
  'error-in-200': { finish: undefined, failure: 'transient' },
  'error-after-text': {
    text: 'The answer begins well and then',
    finish: undefined,
    open: ['message'],
    failure: 'transient',
  },
  'html-200': { finish: undefined },
  'empty-200': { finish: undefined },
};

/** Refused before a reply begins: status on each dialect, and the code that tells it. */
const REFUSED: Readonly<Record<string, Readonly<Record<Served, readonly [status: number, code: string]>>>> = {
  'http-400-signature': {
    gemini: [400, 'missing a thought_signature'],
    'openai-chat': [400, 'missing a thought_signature'],
  },
  'http-400-signature-invalid': {
    gemini: [400, 'Invalid thought signature.'],
    'openai-chat': [400, 'Invalid thought signature.'],
  },
  'bad-key': { gemini: [400, 'API_KEY_INVALID'], 'openai-chat': [401, 'invalid_api_key'] },
  forbidden: { gemini: [403, 'PERMISSION_DENIED'], 'openai-chat': [403, 'model_not_found'] },
  'unknown-model': { gemini: [404, 'NOT_FOUND'], 'openai-chat': [404, 'model_not_found'] },
  'context-overflow': {
    gemini: [400, 'exceeds the maximum number of tokens'],
    'openai-chat': [400, 'context_length_exceeded'],
  },
  'quota-exhausted': { gemini: [429, 'PerDay'], 'openai-chat': [429, 'insufficient_quota'] },
  overloaded: { gemini: [503, 'UNAVAILABLE'], 'openai-chat': [503, 'server_error'] },
  internal: { gemini: [500, 'INTERNAL'], 'openai-chat': [500, 'server_error'] },
  'rate-limited': { gemini: [429, '"retryDelay":"1s"'], 'openai-chat': [429, 'rate_limit_exceeded'] },
  'rate-limited-long': { gemini: [429, '"retryDelay":"3600s"'], 'openai-chat': [429, 'rate_limit_exceeded'] },
  'overloaded-once': { gemini: [503, 'UNAVAILABLE'], 'openai-chat': [503, 'server_error'] },
};

it('knows what every built-in scenario does', () => {
  expect([...Object.keys(STREAMED), ...Object.keys(REFUSED)].sort()).toEqual(SCENARIOS.map(({ name }) => name).sort());
});

describe.each(DIALECTS)('streamed on %s', (dialect) => {
  it.concurrent.each(Object.entries(STREAMED))('%s shows what it says', async (name, expected) => {
    const heard = await ask(simulator.url, { dialect, model: `sim-${name}`, idleMs: HANG_MS });
    const own = 'gemini' in expected ? expected[dialect] : (expected as Expected);
    const summary = summaryOf(heard, eventsOf(dialect, heard));
    expect(summary).toEqual({ ...NORMAL, ...own });
  });
});

describe.each(DIALECTS)('refused on %s', (dialect) => {
  it.each(Object.entries(REFUSED))('%s answers in the shape and words of the provider', async (name, expected) => {
    const own = await startSimulator({ timeScale: 0 });
    const heard = await ask(own.url, { dialect, model: `sim-${name}` });
    await own.close();
    const [status, code] = expected[dialect];
    expect([heard.status, heard.bytes.toString('utf8')]).toEqual([status, expect.stringContaining(code)]);
    expect(heard.headers['content-type']).toBe('application/json; charset=utf-8');
  });

  it.each(['rate-limited', 'overloaded-once'])('%s answers the next request', async (name) => {
    const own = await startSimulator({ timeScale: 0 });
    const first = await ask(own.url, { dialect, model: `sim-${name}` });
    const second = await ask(own.url, { dialect, model: `sim-${name}` });
    await own.close();
    expect([first.status, summaryOf(second, eventsOf(dialect, second)).text]).toEqual([
      name === 'rate-limited' ? 429 : 503,
      'This time it went well.',
    ]);
  });
});

describe('a rate limit on the Chat wire', () => {
  it('says in headers when to come back and what is left', async () => {
    const { headers } = await ask(simulator.url, { dialect: 'openai-chat', model: 'sim-rate-limited-long' });
    expect([headers['retry-after'], headers['x-ratelimit-remaining-requests']]).toEqual(['3600', '0']);
  });
});

describe.each(DIALECTS)('whole on %s', (dialect) => {
  const whole = async (name: string, change = {}): Promise<Summary> => {
    const heard = await ask(simulator.url, { dialect, model: `sim-${name}`, stream: false, idleMs: HANG_MS, change });
    return summaryOf(heard, heard.end === 'close' && heard.status === 200 ? bodyEventsOf(dialect, heard) : []);
  };

  it('plain, thinking and tool-loop say the same as streamed', async () => {
    const text = 'Twelve knots are about 22 kilometres an hour.';
    expect([(await whole('plain')).text, (await whole('thinking')).text, (await whole('tool-loop')).calls]).toEqual([
      PLAIN,
      text,
      ['save_note json signed'],
    ]);
  });

  it('a stall never answers, and a cut breaks the body', async () => {
    expect([await whole('stall-after-start'), await whole('cut-stream')]).toMatchObject([
      { status: undefined, end: 'hang' },
      { status: 200, end: 'reset' },
    ]);
  });

  it('an error inside a 200 is the body of a 200', async () => {
    const heard = await ask(simulator.url, { dialect, model: 'sim-error-in-200', stream: false });
    expect([heard.status, heard.bytes.toString('utf8')]).toEqual([200, expect.stringContaining('"error"')]);
  });
});

describe.each(DIALECTS)('an output cap on %s', (dialect) => {
  const capped = async (name: string, cap: number): Promise<Summary & { reasoning: unknown; output: unknown }> => {
    const change = dialect === 'gemini' ? { generationConfig: { maxOutputTokens: cap } } : { max_tokens: cap };
    const heard = await ask(simulator.url, { dialect, model: `sim-${name}`, change });
    const events = eventsOf(dialect, heard);
    const usage = events.flatMap((event) => (event.type === 'usage.reported' ? [event.usage] : [])).at(-1);
    return { ...summaryOf(heard, events), reasoning: usage?.reasoningTokens, output: usage?.outputTokens };
  };

  it('is spent on thinking where the thinking needs all of it', async () => {
    expect(await capped('cap-thinking', 4_096)).toMatchObject({
      thinking: true,
      text: '',
      finish: 'length',
      reasoning: 4_096,
      output: 4_096,
    });
  });

  it('leaves an answer where it is larger', async () => {
    expect(await capped('cap-thinking', 16_384)).toMatchObject({
      text: 'With more room than the thinking needs, here is the answer.',
      finish: 'stop',
      reasoning: 8_192,
    });
  });

  it('cuts text and calls in the middle', async () => {
    expect([
      await capped('plain', 5),
      await capped('silent-tool', 500),
      await capped('cap-cut-tool', 4_000),
    ]).toMatchObject([
      { text: 'This answer comes f', finish: 'length', output: 5 },
      { calls: [], finish: 'length', output: 500 },
      { calls: [], finish: 'length', output: 4_000 },
    ]);
  });
});

describe('a stream without alt=sse on the Gemini wire', () => {
  it.each(['plain', 'error-after-text'])('is one JSON array for %s', async (name) => {
    const path = `${simulator.url}/v1/models/sim-${name}:streamGenerateContent`;
    const body = JSON.stringify({ contents: [{ parts: [{ text: 'Go.' }] }] });
    const heard = await post(path, body, { dialect: 'gemini', model: '' });
    const parsed = jsonOf(heard);
    expect(Array.isArray(parsed) ? parsed.length : 0).toBeGreaterThan(2);
  });
});

describe('calls on the Gemini wire', () => {
  it('carry no id, as most of the real ones', async () => {
    const heard = await ask(simulator.url, { dialect: 'gemini', model: 'sim-tool-loop' });
    expect(heard.bytes.toString('utf8')).toContain('"functionCall":{"name":"save_note"');
  });
});
