import type { SeenRequest, SentFlush } from './fake-provider.js';
import type { Scene } from './scene.js';
import type { SceneStatement, Words } from './statement.js';
import { holds } from './statement.js';

/** Statements about when something happened. */
export const MUST_TIMES: readonly SceneStatement[] = [
  {
    name: 'turn is short',
    pattern: /^the turn takes less than (\d+) ms$/,
    check: (scene, words) => noLaterThan(lasted(scene), words.atMostMs(1, scene)),
  },
  {
    name: 'turn is over soon',
    pattern: /^the turn is over no later than (\d+) ms after its start$/,
    check: (scene, words) => noLaterThan(lasted(scene), words.atMostMs(1, scene)),
  },
  {
    name: 'error within a window',
    pattern: /^the error (?:is raised|fires) (?:after more than|between) (\d+)(?: ms)?.* and (?:before )?(\d+) ms$/,
    check: (scene, words) =>
      failed(scene) ??
      holds(lasted(scene) >= words.atLeastMs(1, scene), `it came after ${Math.round(lasted(scene))} ms`) ??
      noLaterThan(lasted(scene), words.atMostMs(2, scene)),
  },
  {
    name: 'error soon after the last data',
    pattern:
      /^the (?:error|failure) (?:is raised no later than|comes within) (\d+) ms (?:after|of) the last (?:data|item) event$/,
    check: (scene, words) => failed(scene) ?? since(scene, lastFlush(scene, isData), words.atMostMs(1, scene)),
  },
  {
    name: 'result soon after a frame',
    pattern: /^the result is delivered within (\d+) ms of (?:the )?(.+?)(?: line)?$/,
    check: (scene, words) => since(scene, firstFlush(scene, words.at(2)), words.atMostMs(1, scene)),
  },
  {
    name: 'text seen before a packet is sent',
    pattern: /^the text event "(.*)" is seen before the packet with "(.*)" is sent$/,
    check: seenBeforeSent,
  },
  {
    name: 'upstream closed soon',
    pattern: /^the upstream sees its connection closed no later than (\d+) ms after the start$/,
    check: upstreamClosed,
  },
  {
    name: 'the wait of another provider is not slept through',
    pattern: /^the client is not made to wait for the (\d+) s of provider \w+$/,
    check: (scene, words) => noLaterThan(lasted(scene), (Number(words.at(1)) * 1_000) / 2),
  },
];

function lasted({ outcome }: Scene): number {
  return outcome.endedAt - outcome.startedAt;
}

function noLaterThan(ms: number, most: number): string | undefined {
  return holds(ms <= most, `it took ${Math.round(ms)} ms, more than ${Math.round(most)} ms`);
}

function failed({ outcome }: Scene): string | undefined {
  return holds(outcome.outcome === 'error', `the outcome is ${outcome.outcome}`);
}

function since({ outcome }: Scene, flush: SentFlush | undefined, most: number): string | undefined {
  if (flush === undefined) return 'the frame was never sent';
  return noLaterThan(outcome.endedAt - flush.at, most);
}

function seenBeforeSent(scene: Scene, words: Words): string | undefined {
  const seen = scene.outcome.events.find(
    ({ event }) => event.type === 'item.delta' && event.text.includes(words.at(1)),
  );
  const sent = firstFlush(scene, words.at(2));
  if (seen === undefined || sent === undefined) return 'the text was not seen, or the packet not sent';
  return holds(seen.at < sent.at, `it was seen ${Math.round(seen.at - sent.at)} ms after the packet was sent`);
}

function upstreamClosed(scene: Scene, words: Words): string | undefined {
  const closed = scene.requests[0]?.closedByPeerAt;
  if (closed === undefined) return 'its connection was never closed';
  return noLaterThan(closed - scene.outcome.startedAt, words.atMostMs(1, scene));
}

function flushesOf(requests: readonly SeenRequest[]): readonly SentFlush[] {
  return requests.flatMap((request) => request.flushes);
}

function firstFlush({ requests }: Scene, text: string): SentFlush | undefined {
  return flushesOf(requests).find((flush) => flush.text.includes(text));
}

function lastFlush({ requests }: Scene, fits: (flush: SentFlush) => boolean): SentFlush | undefined {
  return flushesOf(requests).findLast(fits);
}

function isData(flush: SentFlush): boolean {
  return /^(event|data):/.test(flush.text);
}
