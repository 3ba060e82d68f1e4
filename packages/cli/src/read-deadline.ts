import type { Deadlines } from 'holdfast/watch';
import { CommandError } from './command-error.js';

/** The budgets that a person may set, by the names that messages use. */
const NAMES: ReadonlyMap<string, keyof Deadlines> = new Map([
  ['connect', 'connectMs'],
  ['prefill', 'prefillMs'],
  ['transport', 'transportMs'],
  ['silence', 'silenceMs'],
  ['silence-max', 'silenceMaxMs'],
  ['open-item', 'openItemMs'],
  ['terminal', 'terminalMs'],
  ['attempt', 'attemptMs'],
  ['turn', 'turnMs'],
]);
const UNITS: ReadonlyMap<string, number> = new Map([
  ['ms', 1],
  ['s', 1_000],
  ['m', 60_000],
  ['h', 3_600_000],
]);

/** `silence=90s` over what earlier flags said. */
export function readDeadline(text: string, earlier: Partial<Deadlines>): Partial<Deadlines> {
  const [name = '', ...rest] = text.split('=');
  const duration = rest.join('=');
  const key = NAMES.get(name);
  if (key === undefined) {
    throw new CommandError(
      `--deadline "${text}" names no deadline. Write NAME=TIME with one of ${[...NAMES.keys()].join(', ')}.`,
    );
  }
  const [, amount, unit] = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(duration) ?? [];
  const ms = Number(amount) * (UNITS.get(unit ?? '') ?? Number.NaN);
  if (Number.isFinite(ms) && ms > 0) return { ...earlier, [key]: ms };
  throw new CommandError(
    `--deadline ${name} is "${duration}". Give a time above 0 with its unit, such as 90s, 5m or 500ms.`,
  );
}

/** Advice of the library in the words of this command line: `deadlines.silenceMs` is `--deadline silence=…` here. */
export function deadlineAdvice(advice: string): string {
  let said = advice;
  for (const [name, key] of NAMES) said = said.replaceAll(`deadlines.${key}`, `\`--deadline ${name}=TIME\``);
  return said;
}
