import { attemptId, callId, itemId, NO_USAGE, UNKNOWN_PRODUCER } from 'holdfast/turn';
import type { Failure, StampedEvent, TurnEvent } from 'holdfast/turn';
import { describe, expect, it } from 'vitest';
import { Activity } from '../src/activity.js';
import { coloursFor } from '../src/colours.js';
import { RunScreen } from '../src/run-screen.js';
import { TestStream } from './test-stream.js';

const CALL = callId('call_1');
const FIRST = attemptId(CALL, 1);
const MESSAGE = itemId(FIRST, 0);
const T0 = 1_800_000_000_000;

const STARTED: TurnEvent = {
  type: 'attempt.started',
  provider: 'sim',
  vendor: 'sim',
  model: 'sim-x',
  maxOutputTokens: undefined,
  capabilities: { ...UNKNOWN_PRODUCER, itemStart: 'before_arguments' },
  fingerprint: 'f',
  number: 1,
  numberMax: 8,
};
const SENT: TurnEvent = { type: 'attempt.sent' };
const MESSAGE_STARTED: TurnEvent = {
  type: 'item.started',
  item: MESSAGE,
  kind: 'message',
  name: undefined,
  callId: undefined,
  inferred: true,
};
const CUT: Failure = {
  code: 'stream_dropped',
  kind: 'transient',
  retryable: true,
  atFault: 'network',
  message: 'The connection to sim broke.',
};
const RETRACTED: TurnEvent = { type: 'attempt.retracted', reason: 'stream_dropped' };
const RETRY: TurnEvent = { type: 'retry.scheduled', reason: CUT, waitMs: 400, number: 2, numberMax: 8, changes: [] };

function say(text: string): TurnEvent {
  return { type: 'item.delta', item: MESSAGE, text };
}

interface Scene {
  readonly out: TestStream;
  readonly err: TestStream;
  readonly screen: RunScreen;
  readonly play: (...events: readonly TurnEvent[]) => Promise<void>;
}

function scene(options: { readonly outIsTTY: boolean; readonly errIsTTY: boolean }): Scene {
  const shared: string[] = [];
  const out = new TestStream({ isTTY: options.outIsTTY, ...(options.outIsTTY ? { screen: shared } : {}) });
  const err = new TestStream({ isTTY: options.errIsTTY, ...(options.errIsTTY ? { screen: shared } : {}) });
  const activity = new Activity({ deadlines: {}, promptChars: 10 });
  const screen = new RunScreen({ stdout: out, stderr: err, colours: coloursFor(err, { NO_COLOR: '1' }), activity });
  let seq = 0;
  const stamp = (event: TurnEvent): StampedEvent => ({ ...event, seq: ++seq, at: T0, call: CALL, attempt: FIRST });
  return {
    out,
    err,
    screen,
    play: async (...events) => {
      for (const event of events) await screen.record(stamp(event));
    },
  };
}

describe('an answer that goes into a pipe', () => {
  it('goes there alone and unchanged, with its last line ended', async () => {
    const { out, err, screen, play } = scene({ outIsTTY: false, errIsTTY: false });
    await play(STARTED, SENT, MESSAGE_STARTED, say('\u001b[1mbold\u001b[0m and '), say('more'));
    await screen.end();
    expect([out.text, err.text]).toEqual(['\u001b[1mbold\u001b[0m and more\n', '']);
  });

  it('tells of silence on standard error once in thirty seconds, in the words of the activity line', async () => {
    const { err, screen, play } = scene({ outIsTTY: false, errIsTTY: false });
    await play(STARTED, SENT);
    for (let seconds = 1; seconds <= 65; seconds += 1) screen.tick(T0 + seconds * 1_000);
    expect(err.text).toBe(
      'Waiting for the first token from sim · 30 s of 2:00\nWaiting for the first token from sim · 1:00 of 2:00\n',
    );
  });

  it('counts the silence anew after each fact, and not after a ping', async () => {
    const { err, screen, play } = scene({ outIsTTY: false, errIsTTY: false });
    await play(STARTED, SENT, { type: 'wire.kept_alive' });
    screen.tick(T0 + 30_000);
    await play({ type: 'wire.kept_alive' });
    screen.tick(T0 + 31_000);
    expect(err.text.split('\n').length - 1).toBe(1);
  });
});

describe('an answer on a terminal', () => {
  it('has no control characters but line ends', async () => {
    const { out, play } = scene({ outIsTTY: true, errIsTTY: true });
    await play(STARTED, SENT, MESSAGE_STARTED, say('a\u001b]0;owned\u0007\r\u202eb\n'));
    expect(out.text).toBe('a]0;ownedb\n');
  });

  it('shows one line of activity below unfinished text, and takes it away before more text comes', async () => {
    const { out, screen, play } = scene({ outIsTTY: true, errIsTTY: true });
    await play(STARTED, SENT, MESSAGE_STARTED, say('half'));
    screen.tick(T0 + 5_000);
    await play(say(' and half\n'));
    expect(out.text).toBe(
      'half\u001bD\u001b[A\u001b7\u001bE\u001b[2KAnswering · about 1 tokens · last 5 s ago\u001b8' +
        '\u001b7\u001bE\u001b[2K\u001b8 and half\n',
    );
  });

  it('shows the line in place while there is no text, and counts a wait down', async () => {
    const { out, screen, play } = scene({ outIsTTY: true, errIsTTY: true });
    await play(STARTED, SENT, { type: 'attempt.failed', failure: CUT, usage: NO_USAGE }, RETRY);
    screen.tick(T0 + 100);
    await screen.end();
    expect(out.text).toBe(
      'The connection to sim broke. Asking again in 0.4 s (attempt 2 of at most 8).\n' +
        '\r\u001b[2KThe attempt failed; asking again (attempt 2 of at most 8) in 0.3 s\r\u001b[2K',
    );
  });

  it('is withdrawn in so many words when its attempt is, and the next answer stands below a line', async () => {
    const { out, screen, play } = scene({ outIsTTY: true, errIsTTY: true });
    await play(STARTED, SENT, MESSAGE_STARTED, say('half'), RETRACTED, RETRY);
    await play(STARTED, SENT, MESSAGE_STARTED, say('whole'));
    await screen.end();
    expect(out.text).toBe(
      'half\n' +
        'The text above is withdrawn (stream_dropped). The answer of the next attempt follows.\n' +
        'The connection to sim broke. Asking again in 0.4 s (attempt 2 of at most 8).\n' +
        '----------------------------------------\n' +
        'whole\n',
    );
  });

  it('says nothing of a withdrawal where nothing was shown', async () => {
    const { out, play } = scene({ outIsTTY: true, errIsTTY: true });
    await play(STARTED, SENT, RETRACTED);
    expect(out.text).toBe('');
  });
});

describe('what the answer does not show', () => {
  it('is told: a call, a refusal, a foreign part, a fallback, a notice, a long silence, a cut', async () => {
    const { err, play } = scene({ outIsTTY: false, errIsTTY: false });
    const whole = (content: Extract<TurnEvent, { type: 'item.completed' }>['result']['content']): TurnEvent => ({
      type: 'item.completed',
      item: MESSAGE,
      result: { content, opaque: undefined },
    });
    await play(
      STARTED,
      { type: 'deadline.extended', watchdog: 'silence', fromMs: 180_000, toMs: 600_000, because: 'buffered_item' },
      { type: 'deadline.extended', watchdog: 'silence', fromMs: 1_000, toMs: 180_000, because: 'terminal' },
      whole({
        kind: 'tool_call',
        callId: 'c',
        idFromProvider: true,
        name: 'write_file',
        input: { form: 'json', text: '{}', value: {} },
      }),
      whole({ kind: 'refusal', text: 'No.' }),
      whole({ kind: 'foreign', wireKind: 'executableCode', value: null }),
      { type: 'fallback.chosen', from: 'a/x', to: 'b/y', reason: CUT },
      { type: 'notice', level: 'info', code: 'n', text: 'A notice.' },
      { type: 'call.completed', finish: 'length', items: [], usage: NO_USAGE },
    );
    expect(err.text.split('\n')).toEqual([
      'Silence of up to 10:00 is normal now, instead of 3:00: a part of the reply is being written that this provider sends in one piece.',
      'The model called write_file (2 characters of arguments). This command runs no tools, so nothing was run.',
      'The model refused: No.',
      'The reply holds a part of the kind executableCode, which is not shown here.',
      'a/x is failing (stream_dropped); this call goes on at b/y.',
      'A notice.',
      'The answer was cut by the output cap. Raise --max-output-tokens for a whole one.',
      '',
    ]);
  });
});
