import type { JsonValue, ResponseFormat } from '../../turn/index.js';
import { isRecord } from '../../wire/index.js';
import { requestInvalid } from '../request-invalid.js';
import { textOf } from './wire.js';

export interface ReadResponseFormat {
  readonly responseFormat: ResponseFormat | undefined;
  /** A form that only this wire knows, such as a grammar. */
  readonly foreign: JsonValue | undefined;
}

export function readResponseFormat(format: JsonValue | undefined): ReadResponseFormat {
  if (format === undefined || format === null) return NONE;
  if (!isRecord(format)) throw requestInvalid('"response_format" must be an object with a "type".');
  switch (textOf(format.type)) {
    case 'text':
      return NONE;
    case 'json_object':
      return { responseFormat: { type: 'json' }, foreign: undefined };
    case 'json_schema':
      return { responseFormat: readSchema(format.json_schema), foreign: undefined };
    default:
      return { responseFormat: undefined, foreign: format };
  }
}

const NONE: ReadResponseFormat = { responseFormat: undefined, foreign: undefined };

function readSchema(holder: JsonValue | undefined): ResponseFormat {
  const name = isRecord(holder) ? textOf(holder.name) : '';
  if (!isRecord(holder) || name === '') throw requestInvalid('"response_format.json_schema.name" is missing.');
  const { schema, strict } = holder;
  if (!isRecord(schema)) throw requestInvalid('"response_format.json_schema.schema" must be a JSON Schema.');
  return { type: 'json_schema', name, schema, ...(typeof strict === 'boolean' ? { strict } : {}) };
}
