import type { JsonObject, JsonValue } from '../../turn/index.js';
import { depthWithin, isRecord, WIRE_LIMITS } from '../../wire/index.js';
import { isList, textOf } from './wire.js';

/** What one delta says of one call. Empty text means that it says nothing new. */
export interface CallDelta {
  readonly label: number | undefined;
  readonly id: string;
  readonly name: string;
  /** A custom tool takes free text. */
  readonly isCustom: boolean;
  readonly piece: string;
  readonly extra: JsonValue | undefined;
}

/** `too_deep` where it holds a value that is nested beyond the limit. */
export function readCallDelta(delta: JsonObject): CallDelta | 'too_deep' {
  const { custom, extra_content: extra } = delta;
  const isCustom = isFilled(custom);
  const tool = isCustom ? custom : delta.function;
  const fields = isRecord(tool) ? tool : NOTHING;
  const piece = argumentPiece(isCustom ? fields.input : fields.arguments);
  if (piece === undefined || (extra && !depthWithin(extra, WIRE_LIMITS.jsonDepthMax))) return 'too_deep';
  const label = typeof delta.index === 'number' ? delta.index : undefined;
  return { label, id: textOf(delta.id), name: textOf(fields.name), isCustom, piece, extra };
}

const NOTHING: JsonObject = {};

/** Snowflake sends an empty `custom` beside `function`. */
function isFilled(custom: JsonValue | undefined): boolean {
  return isRecord(custom) && (textOf(custom.name) !== '' || textOf(custom.input) !== '');
}

/** Arguments that came as a value are written as this wire writes them; `undefined` where they are nested too deep. */
function argumentPiece(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'string') return value;
  if (!isRecord(value) && !isList(value)) return '';
  return depthWithin(value, WIRE_LIMITS.jsonDepthMax) ? JSON.stringify(value) : undefined;
}
