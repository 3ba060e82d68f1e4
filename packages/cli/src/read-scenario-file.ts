import { readFileSync, statSync } from 'node:fs';
import { readScenario, SCENARIOS } from '@holdfast/simulator';
import type { Scenario } from '@holdfast/simulator';
import { MisuseError } from 'holdfast/turn';
import { CommandError } from './command-error.js';

const BYTES_MAX = 16 * 1024 * 1024;

/** A built-in scenario by its name, or the one in a file. What is wrong with a file is said with the file's name. */
export function readScenarioFile(nameOrFile: string): Scenario {
  const builtIn = SCENARIOS.find(({ name }) => name === nameOrFile);
  if (builtIn !== undefined) return builtIn;
  const json = parse(nameOrFile, readText(nameOrFile));
  try {
    return readScenario(json);
  } catch (problem) {
    if (!(problem instanceof MisuseError)) throw problem;
    throw new CommandError(`The scenario file ${nameOrFile} is not valid: ${problem.message}`);
  }
}

function readText(file: string): string {
  try {
    const { size } = statSync(file);
    if (size > BYTES_MAX)
      throw new CommandError(`The scenario file ${file} is larger than ${BYTES_MAX / 1024 / 1024} MiB. Split it.`);
    return readFileSync(file, 'utf8');
  } catch (problem) {
    if (problem instanceof CommandError) throw problem;
    throw new CommandError(unreadable(file, problem));
  }
}

function unreadable(file: string, problem: unknown): string {
  const code = problem instanceof Error && 'code' in problem ? String(problem.code) : 'unknown error';
  if (code !== 'ENOENT')
    return `The scenario file ${file} cannot be read (${code}). Give a JSON file that this user may read.`;
  const looksLikeFile = /[./\\]/.test(file);
  const what = looksLikeFile
    ? `There is no scenario file ${file}`
    : `There is no scenario "${file}", and no file of that name`;
  return `${what}. See holdfast simulate --list for the built-in ones.`;
}

function parse(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (problem) {
    const where = problem instanceof Error ? ` (${problem.message})` : '';
    throw new CommandError(
      `The scenario file ${file} is no JSON${where}. Correct it, or start from an example in the simulator's README.`,
    );
  }
}
