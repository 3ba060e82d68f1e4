import { Engine } from 'holdfast/run';
import type { CallOptions } from 'holdfast/run';
import type { Failure, ModelRequest } from 'holdfast/turn';
import { MisuseError } from 'holdfast/turn';
import type { Case } from './case-file.js';
import { HeardCalls } from './heard-calls.js';
import type { Outcome } from './outcome.js';
import { seenFailure } from './outcome.js';
import { steadyRandom } from './steady-random.js';
import { runtimeSettings } from './runtime-settings.js';
import { callsIn, messageText, seenUsage, storyOf } from './story.js';
import type { Stage, Surface } from './surface.js';
import { ProcessWarnings } from './process-warnings.js';

/** The call engine, as a program uses it. */
export const LIBRARY: Surface = {
  name: 'library',

  lacks(played) {
    if (played.input.length > 1) return 'two turns need a session';
    const strange = played.actions.find((action) => action.do !== 'stop');
    return strange === undefined ? undefined : `the library knows no ${strange.do}`;
  },

  async play(played, stage) {
    const engine = new Engine({ random: steadyRandom });
    const warnings = new ProcessWarnings();
    try {
      return { ...(await playCall(engine, played, stage)), warnings: warnings.end() };
    } finally {
      warnings.end();
      await engine.close();
    }
  },
};

async function playCall(engine: Engine, played: Case, stage: Stage): Promise<Outcome> {
  const stop = new AbortController();
  const heard = new HeardCalls(stage.cues);
  const startedAt = performance.now();
  stage.cues.begin(() => stop.abort());
  try {
    for await (const event of engine.call(callOptions(played, stage, stop.signal))) heard.hear(event);
  } catch (error) {
    if (!(error instanceof MisuseError)) throw error;
    return refused(error, startedAt);
  }
  stage.cues.heard('turn_ended');
  return outcomeOf(heard, startedAt);
}

function callOptions(played: Case, stage: Stage, signal: AbortSignal): CallOptions {
  const settings = runtimeSettings(played, (party) => stage.provider.urlOf(party));
  const tools = played.tools.map((tool) => ({ name: tool.name }));
  const request: ModelRequest = {
    model: settings.chain[0].model,
    messages: [{ role: 'user', parts: [{ type: 'text', text: played.input[0] ?? 'go' }] }],
    ...(tools.length === 0 ? {} : { tools }),
  };
  return { ...settings, request, signal };
}

function outcomeOf(heard: HeardCalls, startedAt: number): Outcome {
  const story = storyOf(heard.events);
  const { end } = story;
  const last = heard.events.at(-1);
  if (end === undefined || last === undefined) {
    throw new Error(
      `The call ended with ${last?.event.type ?? 'nothing'}, and not with call.completed or call.failed.`,
    );
  }
  const { failure, finish } = end;
  return {
    outcome: endWord(failure),
    startedAt,
    endedAt: last.at,
    text: failure === undefined ? messageText(end.items) : story.shown,
    toolCalls: callsIn(end.items),
    finish,
    incomplete: finish !== 'stop' && finish !== 'tool_calls',
    usage: seenUsage(end.usage),
    failure: failure === undefined ? undefined : seenFailure(failure),
    attempts: failure?.attempts ?? story.attempts,
    events: heard.events,
    client: undefined,
    warnings: [],
  };
}

function endWord(failure: Failure | undefined): Outcome['outcome'] {
  if (failure === undefined) return 'ok';
  return failure.kind === 'stopped' ? 'stopped' : 'error';
}

/** Options that the engine refuses are an answer too: nothing was sent, and the message names the setting. */
function refused(error: MisuseError, startedAt: number): Outcome {
  const failure = {
    code: error.code,
    kind: 'misuse',
    retryable: false,
    upstreamStatus: undefined,
    message: error.message,
    failure: undefined,
  };
  return {
    outcome: 'error',
    startedAt,
    endedAt: performance.now(),
    text: '',
    toolCalls: [],
    finish: undefined,
    incomplete: true,
    usage: undefined,
    failure,
    attempts: 0,
    events: [],
    client: undefined,
    warnings: [],
  };
}
