import { parseArgs } from 'node:util';
import { CheckInputError } from '../data/check-input-error.js';
import type { Output } from '../data/output.js';
import type { Case } from './case-file.js';
import { CaseCounts } from './case-counts.js';
import type { CaseResult, PlayOptions } from './play-case.js';
import { playCase } from './play-case.js';
import { readCases } from './read-case.js';
import { SURFACES } from './surfaces.js';

export interface CasesOptions extends PlayOptions {
  readonly folder: string;
  /** Absent: all of them. */
  readonly surfaces?: readonly string[];
  readonly only?: string;
}

/** Every case of a folder against the real engine over real sockets, one after the other so that their times are theirs. */
export async function runCases(options: CasesOptions, output: Output): Promise<CaseCounts> {
  const cases = chosen(await readCases(options.folder), options);
  const counts = new CaseCounts();
  for (const written of cases) {
    const result = await playCase(written, options);
    counts.count(written.class, result.type);
    for (const line of linesOf(written, result)) output.line(line);
  }
  for (const line of counts.lines()) output.line(line);
  return counts;
}

/** The command: 0 where nothing failed, 1 where something did, 2 where it was called wrong. */
export async function casesCommand(args: readonly string[], output: Output): Promise<number> {
  try {
    const counts = await runCases(readFlags(args), output);
    return counts.failed === 0 ? 0 : 1;
  } catch (error) {
    if (!(error instanceof CheckInputError)) throw error;
    output.complaint(error.message);
    return 2;
  }
}

function chosen(cases: readonly Case[], { surfaces, only }: CasesOptions): readonly Case[] {
  const known = new Set([...SURFACES.map(({ name }) => name), ...cases.map(({ surface }) => surface)]);
  const stranger = surfaces?.find((surface) => !known.has(surface));
  if (stranger !== undefined)
    throw new CheckInputError(`There is no surface "${stranger}". Name one of ${[...known].sort().join(', ')}.`);
  const fitting = cases.filter((written) => surfaces === undefined || surfaces.includes(written.surface));
  if (only === undefined) return fitting;
  const found = fitting.filter((written) => written.id === only);
  if (found.length === 0)
    throw new CheckInputError(`No case here has the id "${only}". Name one of the files without its ending.`);
  return found;
}

function linesOf(written: Case, result: CaseResult): readonly string[] {
  const name = `${written.id} (${written.surface}, ${written.dialect})`;
  switch (result.type) {
    case 'passed':
      return [`pass ${name}`, ...result.beside.map((text) => `     ${text}`)];
    case 'failed':
      return [`FAIL ${name}: ${result.differences.join('; ')}`, ...result.beside.map((text) => `     ${text}`)];
    case 'not_yet':
      return [`not yet ${name}: ${result.because}`];
    case 'slow':
      return [`slow ${name}: left out, --slow plays it`];
  }
}

function readFlags(args: readonly string[]): CasesOptions {
  const { values, positionals } = parsed(args);
  const { surface, only, slow } = values;
  if (positionals.length > 1)
    throw new CheckInputError(`cases takes one folder and was given ${positionals.length}. Name one.`);
  const scale = Number(values.scale ?? 1);
  if (!(scale > 0 && Number.isFinite(scale)))
    throw new CheckInputError(`--scale is "${values.scale}". Give a number above 0.`);
  return {
    folder: positionals[0] ?? '../shared/cases',
    slow: slow ?? false,
    scale,
    ...(surface === undefined ? {} : { surfaces: surface.split(',').map((name) => name.trim()) }),
    ...(only === undefined ? {} : { only }),
  };
}

interface Flags {
  readonly values: {
    readonly surface?: string;
    readonly only?: string;
    readonly slow?: boolean;
    readonly scale?: string;
  };
  readonly positionals: readonly string[];
}

function parsed(args: readonly string[]): Flags {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        surface: { type: 'string' },
        only: { type: 'string' },
        slow: { type: 'boolean' },
        scale: { type: 'string' },
      },
    });
  } catch (error) {
    const what = error instanceof Error ? error.message.split('. ')[0] : String(error);
    throw new CheckInputError(
      `${what}. Call it as: npm run cases -- DIR --surface library,gateway --only ID --slow --scale N.`,
    );
  }
}
