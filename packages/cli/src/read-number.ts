import { CommandError } from './command-error.js';

export interface NumberRange {
  readonly least: number;
  readonly most: number;
  readonly whole: boolean;
}

export const PORTS: NumberRange = { least: 0, most: 65_535, whole: true };
export const POSITIVE: NumberRange = { least: 1, most: Number.MAX_SAFE_INTEGER, whole: true };
export const SEEDS: NumberRange = { least: 0, most: Number.MAX_SAFE_INTEGER, whole: true };
export const TEMPERATURES: NumberRange = { least: 0, most: 2, whole: false };
export const TIME_SCALES: NumberRange = { least: 0, most: 1_000, whole: false };

/** The reader of one numeric flag. What it refuses, it names with the flag. */
export function readNumber(flag: string, range: NumberRange): (text: string) => number {
  return (text) => {
    const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
    const fits = value >= range.least && value <= range.most && (!range.whole || Number.isSafeInteger(value));
    if (fits) return value;
    throw new CommandError(`${flag} is "${text}". Give ${rangeWords(range)}.`);
  };
}

function rangeWords(range: NumberRange): string {
  const kind = range.whole ? 'a whole number' : 'a number';
  return `${kind} from ${range.least} to ${range.most}`;
}
