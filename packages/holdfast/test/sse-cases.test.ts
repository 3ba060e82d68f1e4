import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isRecord, listOf, SseReader, stringOf } from '../src/wire/index.js';

const CASES = new URL('../../../../shared/clients/sse/cases.mjs', import.meta.url);

/** Where we differ on purpose, with what we say instead and why. */
const DIFFERENT: ReadonlyMap<string, { readonly events: readonly unknown[]; readonly because: string }> = new Map([
  [
    'field name with no colon has an empty value',
    { events: [], because: 'an event with an empty data field is nothing (case parse-06)' },
  ],
  ['data with an empty value', { events: [], because: 'an event with an empty data field is nothing (case parse-06)' }],
  [
    'unfinished event at the end of the stream is dropped',
    {
      events: [
        { event: '', data: '1' },
        { event: '', data: '2' },
      ],
      because: 'providers end their bodies without the last blank line',
    },
  ],
  [
    'unfinished line at the end of the stream is dropped',
    {
      events: [
        { event: '', data: '1' },
        { event: '', data: '2' },
      ],
      because: 'providers end their bodies without the last line end',
    },
  ],
]);

interface StreamCase {
  readonly name: string;
  readonly body: Buffer;
  readonly events: readonly unknown[];
  readonly comments: unknown;
  readonly isLarge: boolean;
}

function readCase(value: unknown): StreamCase {
  if (!isRecord(value)) throw new TypeError('A case is an object.');
  const bytes: unknown = value['bytes'];
  return {
    name: stringOf(value['name']) ?? '',
    body: Buffer.isBuffer(bytes) ? bytes : Buffer.from(stringOf(bytes) ?? ''),
    events: listOf(value['expect']).map((event) =>
      isRecord(event) ? { event: stringOf(event['event']) ?? '', data: event['data'] } : event,
    ),
    comments: value['comments'],
    isLarge: value['few'] === true,
  };
}

function play(body: Buffer, cuts: readonly number[]): { events: unknown[]; comments: number } {
  const reader = new SseReader();
  const edges = [0, ...cuts, body.length];
  const frames = [...edges.slice(1).flatMap((end, i) => reader.push(body.subarray(edges[i], end))), ...reader.end()];
  return {
    events: frames.flatMap((frame) => (frame.type === 'event' ? [{ event: frame.name ?? '', data: frame.data }] : [])),
    comments: frames.filter((frame) => frame.type === 'comment').length,
  };
}

async function loadCases(): Promise<readonly StreamCase[]> {
  if (!existsSync(CASES)) return [];
  const loaded: unknown = await import(/* @vite-ignore */ CASES.href);
  const list: unknown = typeof loaded === 'object' && loaded !== null && 'cases' in loaded ? loaded.cases : undefined;
  return listOf(list).map(readCase);
}

const cases = await loadCases();

describe.skipIf(cases.length === 0)('an event-stream case (shared/clients/sse)', () => {
  it('exists, and every difference of ours is about one of them', () => {
    const names = new Set(cases.map(({ name }) => name));
    expect([cases.length >= 40, [...DIFFERENT.keys()].filter((name) => !names.has(name))]).toEqual([true, []]);
  });

  it.each(cases.map((streamCase) => [streamCase.name, streamCase] as const))(
    'gives its events at every cut: %s',
    (name, { body, events, comments, isLarge }) => {
      const expected = DIFFERENT.get(name)?.events ?? events;
      const byteByByte = Array.from({ length: body.length - 1 }, (_, i) => i + 1);
      const cuts = isLarge ? [[], [1], [body.length - 2]] : [[], byteByByte, ...byteByByte.map((cut) => [cut])];
      for (const cut of cuts) {
        const played = play(body, cut);
        expect(played).toEqual({ events: expected, comments: comments ?? played.comments });
      }
    },
  );
});
