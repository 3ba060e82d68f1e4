import type { JsonObject } from 'holdfast/turn';
import { textAt } from '../data/json.js';

/** Another behaviour that the notes of a case allow: what then must come out. */
interface Leeway {
  readonly pattern: RegExp;
  /** Fields of `expect` that no longer hold. */
  readonly without: readonly string[];
  readonly instead: JsonObject;
}

const LEEWAY: readonly Leeway[] = [
  {
    pattern: /Reporting it as an output-cap failure with (the )?text (and usage )?kept is right too/,
    without: ['finish'],
    instead: { outcome: 'error', error_kind: 'output_cap' },
  },
  {
    pattern: /Refusing the configuration with a message that names the setting is right too/,
    without: ['text', 'upstream_requests'],
    instead: {
      outcome: 'error',
      error_kind: 'misuse',
      upstream_requests: 0,
      must: ['the message contains "deadlines."'],
    },
  },
  {
    pattern: /without it, an error is right and \{\} is wrong|with the strict setting an error is right/,
    without: ['text', 'finish', 'tool_calls'],
    instead: { outcome: 'error' },
  },
];

/** Another behaviour that passes too, as a whole `expect`, and the words of the notes that allow it. */
export interface AllowedExpect {
  readonly words: string;
  readonly expect: JsonObject;
}

export function leewayOf(expect: JsonObject): readonly AllowedExpect[] {
  const notes = textAt(expect, 'notes') ?? '';
  return LEEWAY.flatMap(({ pattern, without, instead }) => {
    const words = pattern.exec(notes)?.[0];
    if (words === undefined) return [];
    const kept = Object.entries(expect).filter(([key]) => !without.includes(key));
    return [{ words, expect: { ...Object.fromEntries(kept), ...instead } }];
  });
}
