import type { Scene } from './scene.js';
import { failureWords } from './scene.js';
import type { SceneStatement, Words } from './statement.js';
import { holds } from './statement.js';

/** Statements about what a failure says. */
export const MUST_WORDS: readonly SceneStatement[] = [
  {
    name: 'message contains',
    pattern: /^the message contains "(.*)"$/,
    check: (scene, words) => names(scene, [words.at(1)]),
  },
  {
    name: 'message names two things',
    pattern: /^the message names (\S+) and (\S+)$/,
    check: (scene, words) => names(scene, [words.at(1), words.at(2)]),
  },
  {
    name: 'entry is named',
    pattern: /^(\S+) is named$/,
    check: (scene, words) => names(scene, [words.at(1)]),
  },
  {
    name: 'open item is named',
    pattern: /^the error names (\S+) \(or item (\S+)\) as the open item$/,
    check: namesOpenItem,
  },
  {
    name: 'last progress was a delta',
    pattern: /^the error reports that the last progress was the text delta, not the comment$/,
    check: ({ outcome }) => {
      const anchor = outcome.failure?.failure?.deadline?.anchor;
      return holds(anchor === 'item_delta', `the anchor is ${String(anchor)}`);
    },
  },
  {
    name: 'both causes in order',
    pattern: /^the report contains both causes: the spent cap first, the (\d+) of the raised request second$/,
    check: ({ outcome }, words) => {
      const failure = outcome.failure?.failure;
      const second = failure?.cause?.upstream?.status;
      return holds(
        failure?.kind === 'output_cap_thinking' && second === Number(words.at(1)),
        `the failure is ${String(failure?.code)}, its cause has the status ${String(second)}`,
      );
    },
  },
  {
    name: 'only the terminal event is missing',
    pattern: /^the diagnosis says: all items closed, terminal event missing$/,
    check: ({ outcome }) => {
      const verdict = outcome.failure?.failure?.deadline;
      const isSo = verdict?.phase === 'terminal' && verdict.activeItems.length === 0;
      return holds(isSo, `the phase is ${String(verdict?.phase)}`);
    },
  },
];

/** What a failure may not say. Each holds where the thing does not happen. */
export const MUST_NOT_WORDS: readonly SceneStatement[] = [
  {
    name: 'no parser is blamed',
    pattern: /^mention a JSON parse failure as the cause$/,
    check: (scene) => silentOf(scene, /\bJSON\b|\bpars(e|ing)\b|unexpected (token|end)/i),
  },
  {
    name: 'no invented status',
    pattern: /^name HTTP status ([\d, or]+)$/,
    check: (scene, words) => {
      const numbers: readonly string[] = words.at(1).match(/\d+/g) ?? [];
      const carried = String(scene.outcome.failure?.upstreamStatus);
      return (
        holds(!numbers.includes(carried), `the failure carries ${carried}`) ??
        silentOf(scene, new RegExp(`\\b(${numbers.join('|')})\\b`))
      );
    },
  },
  {
    name: 'no word of a partial reply',
    pattern: /^speak of a partial response$/,
    check: (scene) => silentOf(scene, /partial/i),
  },
  {
    name: 'no new chat is advised',
    pattern: /^advise (?:to start )?a new chat$/,
    check: (scene) => silentOf(scene, /new chat/i),
  },
  {
    name: 'not mentioned',
    pattern: /^mention (.+)$/,
    check: (scene, words) => {
      const parts = words
        .at(1)
        .split(' or ')
        .map((part) => part.replace(/^the /, '').replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
      return silentOf(scene, new RegExp(parts.join('|'), 'i'));
    },
  },
];

function names(scene: Scene, wanted: readonly string[]): string | undefined {
  const words = failureWords(scene);
  const missing = wanted.filter((text) => !words.includes(text));
  return holds(missing.length === 0, `${missing.join(' and ')} is not in ${JSON.stringify(words)}`);
}

function silentOf(scene: Scene, pattern: RegExp): string | undefined {
  const words = failureWords(scene);
  return holds(!pattern.test(words), `the words are ${JSON.stringify(words)}`);
}

function namesOpenItem(scene: Scene, words: Words): string | undefined {
  const active = scene.outcome.failure?.failure?.deadline?.activeItems ?? [];
  const started = scene.outcome.events.flatMap(({ event }) => (event.type === 'item.started' ? [event] : []));
  const callIds = active.map((item) => started.find((event) => event.item === item.item)?.callId);
  const text = failureWords(scene);
  const isNamed = callIds.includes(words.at(1)) || text.includes(words.at(1)) || text.includes(words.at(2));
  return holds(isNamed, `the open items are ${JSON.stringify(active)}`);
}
