import type { AttemptId, CallId, Failure, ItemId, StampedEvent, TurnEvent } from 'holdfast/turn';
import { attemptId, callId, itemId, NO_USAGE } from 'holdfast/turn';
import type { SeenRequest } from '../src/cases/fake-provider.js';
import type { Outcome } from '../src/cases/outcome.js';
import { seenFailure } from '../src/cases/outcome.js';
import { readCase } from '../src/cases/read-case.js';
import type { Scene } from '../src/cases/scene.js';
import { bodyDocument } from '../src/cases/wire-document.js';

const CALL: CallId = callId('call');
const ATTEMPT: AttemptId = attemptId(CALL, 1);
export const ITEM: ItemId = itemId(ATTEMPT, 0);

export const FAILURE: Failure = {
  code: 'deadline_silence',
  kind: 'deadline',
  retryable: true,
  atFault: 'provider',
  message: 'chat-example-1 at a was silent.',
};

export function event(said: TurnEvent, attempt: AttemptId = ATTEMPT): StampedEvent {
  return { seq: 0, at: 0, call: CALL, attempt, ...said };
}

export function seen(given: Partial<SeenRequest> = {}): SeenRequest {
  return {
    number: 1,
    party: 'a',
    path: '/a',
    body: bodyDocument('openai-chat', '{}'),
    at: 0,
    flushes: [],
    answeredAt: undefined,
    closedByPeerAt: undefined,
    ...given,
  };
}

/** A turn that began at 0 and ended well after 100 ms, with what a test changes of it. */
export function scene(given: Partial<Outcome> = {}, more: Partial<Omit<Scene, 'outcome'>> = {}): Scene {
  const outcome: Outcome = {
    outcome: 'ok',
    startedAt: 0,
    endedAt: 100,
    text: 'Hi.',
    toolCalls: [],
    finish: 'stop',
    incomplete: false,
    usage: undefined,
    failure: undefined,
    attempts: 1,
    events: [],
    client: undefined,
    warnings: [],
    ...given,
  };
  const played = readCase('{"id":"x","dialect":"openai-chat","expect":{}}', 'here');
  return { played, outcome, requests: [seen()], scale: 1, ...more };
}

export function failed(given: Partial<Failure> = {}, more: Partial<Outcome> = {}): Partial<Outcome> {
  const failure = { ...FAILURE, ...given };
  const end = { at: 100, event: event({ type: 'call.failed', failure, items: [], usage: NO_USAGE }) };
  return {
    outcome: 'error',
    text: '',
    finish: undefined,
    incomplete: true,
    failure: seenFailure(failure),
    events: [end],
    ...more,
  };
}
