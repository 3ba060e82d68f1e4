import type { JsonValue } from 'holdfast/turn';
import { parseJson } from '../data/json.js';

/** What one side of a wire received, as rules look at it. */
export interface WireDocument {
  readonly dialect: string;
  readonly raw: string;
  /** The body, or the data of each event, as far as it is JSON. */
  readonly values: readonly JsonValue[];
  readonly events: readonly NamedEvent[];
  /** What the same side received before. */
  readonly previous: WireDocument | undefined;
  /** Longest pause between bytes after the first event; absent where no time was taken. */
  readonly gapMs: number | undefined;
}

export interface NamedEvent {
  readonly name: string | undefined;
  readonly data: string;
}

export function bodyDocument(dialect: string, raw: string, previous?: WireDocument): WireDocument {
  const value = parseJson(raw);
  return { dialect, raw, values: value === undefined ? [] : [value], events: [], previous, gapMs: undefined };
}

/** A whole event stream. Its reading shares no code with the product's. */
export function streamDocument(dialect: string, raw: string, gapMs: number | undefined): WireDocument {
  const events = raw.split(/\r\n\r\n|\n\n|\r\r/).flatMap(readEvent);
  const values = events.map((event) => parseJson(event.data)).filter((value) => value !== undefined);
  return { dialect, raw, values, events, previous: undefined, gapMs };
}

function readEvent(block: string): readonly NamedEvent[] {
  let name: string | undefined;
  const data: string[] = [];
  for (const line of block.split(/\r\n|\n|\r/)) {
    if (line.startsWith('event:')) name = line.slice(6).trim();
    if (line.startsWith('data:')) data.push(line.slice(5).replace(/^ /, ''));
  }
  return data.length === 0 ? [] : [{ name, data: data.join('\n') }];
}
