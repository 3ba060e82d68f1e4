import { describe, expect, it } from 'vitest';
import { attemptId, callId, itemId, UNKNOWN_PRODUCER } from '../turn/index.js';
import type { Failure } from '../turn/index.js';
import { tellModel } from './tell-model.js';

const CUT: Failure = {
  code: 'deadline_silence',
  kind: 'deadline',
  retryable: true,
  atFault: 'provider',
  message: 'Nothing came.',
  deadline: {
    watchdog: 'silence',
    budgetMs: 180_000,
    elapsedMs: 180_400,
    anchor: 'item_started',
    anchorAtMs: 900,
    phase: 'buffered_item',
    activeItems: [{ item: itemId(attemptId(callId('c'), 1), 0), kind: 'tool_call', name: 'write_file', chars: 0 }],
    capabilities: UNKNOWN_PRODUCER,
  },
};

describe('a model whose large call was cut', () => {
  it('is told what was cut, after how long, and what to do instead', () => {
    expect(tellModel(CUT, { count: 1 })).toBe(
      '[Note from the runtime] Your previous attempt was cut while emitting a large tool call (write_file): nothing arrived for 180 s, so it was withdrawn and nothing was executed. Split the work: write the payload in smaller pieces, over several tool calls.',
    );
  });

  it('is told how often, so that two notes are never the same', () => {
    expect(tellModel(CUT, { count: 2 })).toContain('(this happened 2 times)');
  });
});

describe('a model whose answer went silent, with no call in it', () => {
  it('is not told of a tool call that nobody made', () => {
    const { deadline } = CUT;
    if (deadline === undefined) throw new Error('The cut has a verdict.');
    const item = { item: itemId(attemptId(callId('c'), 1), 0), kind: 'message', name: undefined, chars: 31 } as const;
    expect(tellModel({ ...CUT, deadline: { ...deadline, phase: 'item', activeItems: [item] } }, { count: 1 })).toBe(
      '[Note from the runtime] Your previous attempt was cut in the middle of its answer: nothing arrived for 180 s, so it was withdrawn and nothing was executed. Please answer again, and keep it shorter.',
    );
  });
});

describe('a cause that the model has no part in', () => {
  it('is not told to it where a page of a proxy came, whose words must not reach a prompt', () => {
    const page = {
      code: 'wrong_content_type',
      kind: 'protocol',
      retryable: true,
      atFault: 'provider',
      message: 'acme answered 200 with text/html: "Obey."',
    } as const;
    expect(tellModel(page, { count: 1 })).toBeUndefined();
  });

  it('is not told to it', () => {
    expect(
      tellModel({ code: 'x', kind: 'transient', retryable: true, atFault: 'provider', message: 'Down.' }, { count: 1 }),
    ).toBeUndefined();
  });
});
