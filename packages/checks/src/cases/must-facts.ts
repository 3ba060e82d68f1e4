import { strangeErrorBody } from './client-error.js';
import { shownTexts } from './scene.js';
import type { Scene } from './scene.js';
import { storyOf } from './story.js';
import type { SceneStatement, Words } from './statement.js';
import { holds } from './statement.js';

/** Statements about what happened. */
export const MUST_FACTS: readonly SceneStatement[] = [
  {
    name: 'flagged as incomplete',
    pattern: /^the result is flagged as incomplete$/,
    check: ({ outcome }) => holds(outcome.incomplete, `the finish is ${String(outcome.finish)}`),
  },
  {
    name: 'retractions leave the final text',
    pattern: /^a consumer that applies text and retract events in order ends with exactly the final text$/,
    check: ({ outcome }) => {
      const { shown } = storyOf(outcome.events);
      return holds(outcome.events.length > 0 && shown === outcome.text, `it ends with ${JSON.stringify(shown)}`);
    },
  },
  {
    name: 'body cancelled',
    pattern: /^the response body is cancelled$/,
    check: ({ requests }) => holds(requests[0]?.closedByPeerAt !== undefined, 'its connection stayed open'),
  },
  {
    name: 'usage is partial',
    pattern: /^usage is marked as partial$/,
    check: usageIsPartial,
  },
  {
    name: 'retracted before the second request',
    pattern: /^a retract event with the reason (\S+) comes before the second request$/,
    check: retractedFirst,
  },
  {
    name: 'hop is recorded',
    pattern: /^the activity record names the hop from (\w+) to (\w+) and its cause$/,
    check: ({ outcome }, words) => {
      const hop = outcome.events.map(({ event }) => event).find((event) => event.type === 'fallback.chosen');
      const isNamed = hop?.type === 'fallback.chosen' && hop.from.includes(words.at(1)) && hop.to.includes(words.at(2));
      return holds(isNamed, `the hop is ${JSON.stringify(hop)}`);
    },
  },
  {
    name: 'error body in the client dialect',
    pattern: /^the error body is in the dialect of the client$/,
    check: ({ outcome }) =>
      outcome.client === undefined ? 'there is no client' : strangeErrorBody(outcome.client.lastBody),
  },
];

/** What may not happen. Each holds where it does not. */
export const MUST_NOT_FACTS: readonly SceneStatement[] = [
  {
    name: 'no normal stop',
    pattern: /^be reported as a normal stop$/,
    check: ({ outcome }) => holds(outcome.finish !== 'stop', 'the finish is stop'),
  },
  {
    name: 'no process warning',
    pattern: /^emit a (\w+Warning)$/,
    check: ({ outcome }, words) => {
      const seen = outcome.warnings.filter((warning) => warning.includes(words.at(1)));
      return holds(seen.length === 0, seen.join('; '));
    },
  },
  {
    name: 'no such character',
    pattern: /^contain U\+([0-9A-F]{4,6})$/,
    check: (scene, words) => neverShown(scene, String.fromCodePoint(Number.parseInt(words.at(1), 16))),
  },
  {
    name: 'no such text',
    pattern: /^include the text (.+)$/,
    check: (scene, words) => neverShown(scene, words.at(1)),
  },
  {
    name: 'no stop reason',
    pattern: /^report a stop reason$/,
    check: ({ outcome }) => {
      const said = outcome.events.find(
        ({ event }) => event.type === 'call.completed' || event.type === 'reply.finished',
      );
      return holds(
        said === undefined && outcome.finish === undefined,
        `${said?.event.type ?? outcome.finish} was reported`,
      );
    },
  },
  {
    name: 'no ok with this text',
    pattern: /^report ok with the text (.+)$/,
    check: ({ outcome }, words) => {
      const texts = [...words.at(1).matchAll(/"([^"]*)"/g)].map((match) => match[1]);
      return holds(
        outcome.outcome !== 'ok' || !texts.includes(outcome.text),
        `ok with ${JSON.stringify(outcome.text)}`,
      );
    },
  },
  {
    name: 'no silent exit',
    pattern: /^exit without any event$/,
    check: ({ outcome }) => holds(storyOf(outcome.events).end !== undefined, 'no event tells the end'),
  },
  {
    name: 'no invented count',
    pattern: /^report (input|output) (\d+)$/,
    check: ({ outcome }, words) => {
      const count = words.at(1) === 'input' ? outcome.usage?.input : outcome.usage?.output;
      return holds(count !== Number(words.at(2)), `${words.at(1)} is ${String(count)}`);
    },
  },
  {
    name: 'no ok',
    pattern: /^report outcome ok$/,
    check: ({ outcome }) => holds(outcome.outcome !== 'ok', 'the outcome is ok'),
  },
  {
    name: 'no equal request',
    pattern: /^send the same request again$/,
    check: ({ requests }) => {
      const bodies = requests.map((request) => request.body.raw);
      return holds(new Set(bodies).size === bodies.length, 'two requests have the same body');
    },
  },
  {
    name: 'no retry',
    pattern: /^retry the request$/,
    check: ({ requests }) => holds(requests.length <= 1, `${requests.length} requests were sent`),
  },
  {
    name: 'no error after a stop',
    pattern: /^emit an error (?:event|as the terminal event)$/,
    check: ({ outcome }) => {
      const failure = storyOf(outcome.events).end?.failure;
      return holds(failure === undefined || failure.kind === 'stopped', `the end is ${String(failure?.code)}`);
    },
  },
  {
    name: 'no stand-in answer',
    pattern: /^deliver any stand-in answer text$/,
    check: ({ outcome, requests }) => {
      const sent = requests.flatMap((request) => request.flushes.map((flush) => flush.text)).join('');
      return holds(outcome.text === '' || sent.includes(outcome.text), `the text is ${JSON.stringify(outcome.text)}`);
    },
  },
];

/** Counts of an attempt that did not complete are partial: they hang on its failure, and on no completion. */
function usageIsPartial({ outcome }: Scene): string | undefined {
  const types = outcome.events.map(({ event }) => event.type);
  return holds(
    types.includes('attempt.failed') && !types.includes('attempt.completed'),
    'it stands on a completed attempt',
  );
}

function retractedFirst({ outcome, requests }: Scene, words: Words): string | undefined {
  const retraction = outcome.events.find(
    ({ event }) => event.type === 'attempt.retracted' && event.reason === words.at(1),
  );
  const second = requests[1]?.at;
  if (retraction === undefined || second === undefined) return 'there is no such retraction, or no second request';
  return holds(retraction.at <= second, 'the second request was sent before it');
}

function neverShown(scene: Scene, text: string): string | undefined {
  const shown = shownTexts(scene).find((candidate) => candidate.includes(text));
  return holds(shown === undefined, `it is in ${JSON.stringify(shown?.slice(0, 120))}`);
}
