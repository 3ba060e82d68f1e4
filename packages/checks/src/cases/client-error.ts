import type { JsonObject } from 'holdfast/turn';
import { isObject, numberAt, objectAt, textAt } from '../data/json.js';
import { walkObjects } from '../data/walk.js';
import type { ClientError } from './client-reply.js';
import type { WireDocument } from './wire-document.js';

/** The error that a client was told, before the first byte or in the stream. */
export function clientError(document: WireDocument): ClientError | undefined {
  for (const value of document.values) {
    for (const object of walkObjects(value)) {
      const error = objectAt(object, 'error');
      if (error !== undefined) return read(error);
    }
  }
  return undefined;
}

function read(error: JsonObject): ClientError {
  const code = textAt(error, 'code') ?? textAt(error, 'status') ?? textAt(error, 'type');
  return { code, message: textAt(error, 'message') ?? JSON.stringify(error) };
}

/** What is wrong with an HTTP error body for clients of a dialect; `undefined` where it has their shape. */
export function strangeErrorBody(document: WireDocument): string | undefined {
  const body = document.values.at(-1);
  const error = isObject(body) ? objectAt(body, 'error') : undefined;
  if (!isObject(body) || error === undefined) return `the body has no error object: ${document.raw.slice(0, 200)}`;
  const hasMessage = textAt(error, 'message') !== undefined;
  const fits = hasMessage && hasShape(document.dialect, body, error);
  return fits ? undefined : `the body is ${JSON.stringify(body).slice(0, 200)}`;
}

function hasShape(dialect: string, body: JsonObject, error: JsonObject): boolean {
  switch (dialect) {
    case 'anthropic':
      return textAt(body, 'type') === 'error' && textAt(error, 'type') !== undefined;
    case 'gemini':
      return numberAt(error, 'code') !== undefined && textAt(error, 'status') !== undefined;
    default:
      return textAt(error, 'type') !== undefined && Object.hasOwn(error, 'code');
  }
}
