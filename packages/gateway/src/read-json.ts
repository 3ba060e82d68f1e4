import { isUtf8 } from 'node:buffer';
import type { JsonObject } from 'holdfast/turn';
import { WIRE_LIMITS } from 'holdfast/wire';
import { Refusal } from './refusal.js';

/** The longest text in which the place of an error is searched. */
const SEARCH_CHARS_MAX = 1024 * 1024;

/** A client's body as a JSON object, bounded before anything is built from it. */
export function readJson(body: Buffer): JsonObject | Refusal {
  if (body.length === 0) return invalid('The body is empty. Send one JSON object.');
  if (!isUtf8(body)) return invalid('The body is not valid UTF-8. Send JSON encoded as UTF-8.');
  const excess = findExcess(body);
  if (excess !== undefined) return excess;
  const text = body.toString('utf8').replace(/^\uFEFF/, '');
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : invalid('The body is JSON, yet not an object. Send one JSON object.');
  } catch (error) {
    return invalid(`The body is not valid JSON: ${placeOf(text, error)}. Correct it and send one JSON object.`);
  }
}

function invalid(message: string): Refusal {
  return new Refusal('request_invalid', message);
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;

/** One pass over the bytes that leaps over strings: nesting and keys, whatever the grammar says later. */
function findExcess(body: Buffer): Refusal | undefined {
  const { jsonDepthMax, jsonKeysMax } = WIRE_LIMITS;
  let depth = 0;
  let keys = 0;
  for (let at = 0; at < body.length; at += 1) {
    const byte = body[at];
    if (byte === QUOTE) at = stringEnd(body, at);
    else if (byte === 0x7b || byte === 0x5b) depth += 1;
    else if (byte === 0x7d || byte === 0x5d) depth -= 1;
    else if (byte === COLON) keys += 1;
    if (depth > jsonDepthMax)
      return invalid(`The body nests deeper than ${jsonDepthMax} levels at position ${at}. Send flatter JSON.`);
    if (keys > jsonKeysMax) return invalid(`The body has more than ${jsonKeysMax} keys. Send less in one request.`);
  }
  return undefined;
}

/** Where the string that starts at `start` ends; the end of the body where it does not. */
function stringEnd(body: Buffer, start: number): number {
  for (let from = start + 1; ;) {
    const quote = body.indexOf(QUOTE, from);
    if (quote === -1) return body.length;
    let slashes = 0;
    while (body[quote - 1 - slashes] === BACKSLASH) slashes += 1;
    if (slashes % 2 === 0) return quote;
    from = quote + 1;
  }
}

/** In words of ours: the parser's own message quotes the body. */
function placeOf(text: string, error: unknown): string {
  const message = error instanceof Error ? error.message : '';
  const told = /at position (\d+)/.exec(message)?.[1];
  if (told !== undefined) return describe(text, Number(told));
  if (message.startsWith('Unexpected end')) return `it ends too early, at position ${text.length}`;
  return text.length > SEARCH_CHARS_MAX ? 'a value is missing' : describe(text, findToken(text));
}

function describe(text: string, position: number): string {
  const before = text.slice(0, position);
  const line = before.split('\n').length;
  const column = position - before.lastIndexOf('\n');
  return `there is an error at position ${position} (line ${line}, column ${column})`;
}

/** The parser does not place an unexpected token. The shortest beginning that already has one ends with it. */
function findToken(text: string): number {
  let low = 0;
  let high = text.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (hasBadToken(text.slice(0, middle))) high = middle;
    else low = middle + 1;
  }
  return Math.max(0, low - 1);
}

function hasBadToken(text: string): boolean {
  try {
    JSON.parse(text);
    return false;
  } catch (error) {
    return error instanceof Error && error.message.startsWith('Unexpected token');
  }
}
