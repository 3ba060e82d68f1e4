import { describe, expect, it } from 'vitest';
import { attemptId, callId, itemId, NO_USAGE, UNKNOWN_PRODUCER } from '../turn/index.js';
import type { FinishReason, ItemContent, ReplyEvent, Usage } from '../turn/index.js';
import { Attempt } from './attempt.js';
import { DEADLINES } from './deadlines.js';
import type { Rules } from './rules.js';

const ATTEMPT = attemptId(callId('c'), 1);
const RULES: Rules = {
  deadlines: DEADLINES,
  capabilities: UNKNOWN_PRODUCER,
  slowPace: 15,
  maxOutputTokens: 4_096,
  promptTokens: 900,
  streamed: true,
  offersTools: true,
  turnEndsAt: DEADLINES.turnMs,
};

function play(events: readonly ReplyEvent[]): Attempt {
  const attempt = new Attempt(RULES, {
    provider: 'acme',
    model: 'm-1',
    configEntry: 'presets.default.brain.max_output_tokens',
  });
  attempt.note({ type: 'attempt.sent' }, 1);
  events.forEach((event, index) => attempt.hear(event, 10 + index));
  return attempt;
}

function item(position: number, content: ItemContent): readonly ReplyEvent[] {
  const id = itemId(ATTEMPT, position);
  return [
    { type: 'item.started', item: id, kind: content.kind, name: undefined, callId: undefined, inferred: false },
    { type: 'item.completed', item: id, result: { content, opaque: undefined } },
  ];
}

function finished(reason: FinishReason, raw: string): ReplyEvent {
  return { type: 'reply.finished', reason, raw, detail: undefined };
}

function used(usage: Partial<Usage>): ReplyEvent {
  return { type: 'usage.reported', usage: { ...NO_USAGE, ...usage } };
}

const THOUGHT: ItemContent = { kind: 'reasoning', text: 'Hm.' };
const ANSWER: ItemContent = { kind: 'message', text: 'Seven.' };
const CUT_CALL: ReplyEvent = {
  type: 'item.started',
  item: itemId(ATTEMPT, 1),
  kind: 'tool_call',
  name: 'write_file',
  callId: 'c1',
  inferred: false,
};

describe('a reply that ended as its wire ends', () => {
  it.each([
    { name: 'an answer', events: [...item(0, ANSWER), finished('stop', 'stop')], outcome: 'stop' },
    {
      name: 'an answer whose end named no reason',
      events: [...item(0, ANSWER), finished('unknown', 'x')],
      outcome: 'unknown',
    },
    { name: 'text cut by the cap', events: [...item(0, ANSWER), finished('length', 'length')], outcome: 'length' },
    {
      name: 'a call cut by the cap',
      events: [...item(0, THOUGHT), CUT_CALL, finished('length', 'length')],
      outcome: 'length',
    },
    { name: 'nothing at all', events: [finished('stop', 'stop')], outcome: 'empty_completion' },
    {
      name: 'an empty message',
      events: [...item(0, { kind: 'message', text: '' }), finished('stop', 'stop')],
      outcome: 'empty_completion',
    },
    { name: 'thinking alone', events: [...item(0, THOUGHT), finished('stop', 'STOP')], outcome: 'empty_completion' },
    {
      name: 'thinking that spent the cap',
      events: [...item(0, THOUGHT), finished('length', 'length')],
      outcome: 'output_cap_thinking',
    },
    {
      name: 'hidden thinking that was billed',
      events: [used({ outputTokens: 4_000, reasoningTokens: 4_000 }), finished('length', 'length')],
      outcome: 'output_cap_thinking',
    },
    {
      name: 'the cap’s worth of unseen tokens',
      events: [used({ outputTokens: 4_096 }), finished('length', 'length')],
      outcome: 'output_cap_thinking',
    },
    { name: 'a cut with nothing to show why', events: [finished('length', 'length')], outcome: 'empty_completion' },
    { name: 'a refusal', events: [...item(0, ANSWER), finished('content_filter', 'SAFETY')], outcome: 'content' },
  ])('holds $name for $outcome', ({ events, outcome }) => {
    const { state } = play(events);
    const said = state.type === 'failed' ? state.failure.kind : state.type === 'finished' ? state.reason : state.type;
    expect(said).toBe(outcome);
  });

  it('names the cap’s entry and the facts when thinking spent it', () => {
    const { state } = play([...item(0, THOUGHT), finished('length', 'max_tokens')]);
    expect(state).toEqual({
      type: 'failed',
      failure: {
        code: 'output_cap_thinking',
        kind: 'output_cap_thinking',
        retryable: false,
        atFault: 'operator',
        message:
          'The reply of m-1 used all 4096 output tokens thinking (finish reason max_tokens, prompt about 900 tokens).',
        advice: 'Raise `presets.default.brain.max_output_tokens` or lower the thinking level.',
        configEntry: 'presets.default.brain.max_output_tokens',
      },
    });
  });
});

describe('a body that ends before its reply does', () => {
  it('is a protocol failure that counts what was open', () => {
    const attempt = play([...item(0, THOUGHT), CUT_CALL]);
    attempt.bytesEnded();
    expect(attempt.state).toMatchObject({
      type: 'failed',
      failure: {
        kind: 'protocol',
        code: 'stream_ended_early',
        message: 'The stream of acme ended without its terminal event, with 1 item still open.',
      },
    });
  });

  it('changes nothing once the reply has ended', () => {
    const attempt = play([...item(0, ANSWER), finished('stop', 'stop')]);
    attempt.bytesEnded();
    expect(attempt.state.type).toBe('finished');
  });
});

describe('a phase that allows a longer silence', () => {
  it('announces its budget once', () => {
    const attempt = play([...item(0, THOUGHT)]);
    expect(attempt.settle().extension).toEqual({
      type: 'deadline.extended',
      watchdog: 'silence',
      fromMs: 180_000,
      toMs: 273_067,
      because: 'hidden_item',
    });
    expect(attempt.settle().extension).toBeUndefined();
  });
});

describe('an alarm', () => {
  it('that rings too early says nothing', () => {
    const attempt = play([...item(0, THOUGHT)]);
    expect(attempt.wake(1_000)).toBeUndefined();
    expect(attempt.state.type).toBe('running');
  });

  it('that is due fails the attempt in words made from its verdict', () => {
    const attempt = play([CUT_CALL]);
    expect(attempt.wake(700_000)?.type).toBe('deadline.fired');
    expect(attempt.state).toMatchObject({
      failure: {
        code: 'deadline_silence',
        message:
          'Nothing of the model came from acme for 11:40 (silence budget 4:33, an item open that this provider sends whole, last fact: item started); open: tool call write_file (0 characters so far).',
      },
    });
  });
});
