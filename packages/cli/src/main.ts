import { CommanderError } from 'commander';
import { MisuseError } from 'holdfast/turn';
import { CommandError } from './command-error.js';
import { createProgram } from './program.js';
import type { World } from './world.js';

/** Runs one command line, without the program's own name, and resolves with its exit code. */
export async function main(argv: readonly string[], world: World): Promise<number> {
  const ignore = (): void => undefined; // A reader that went away is the commands' business, and never a crash.
  world.stdout.on('error', ignore);
  world.stderr.on('error', ignore);
  let exitCode = 0;
  const program = createProgram(world, (code) => {
    exitCode = code;
  });
  try {
    await program.parseAsync(argv, { from: 'user' });
    return exitCode;
  } catch (problem) {
    if (problem instanceof CommanderError && problem.exitCode === 0) return 0; // Help and version, as asked for.
    const refusal = refusalOf(problem);
    if (refusal === undefined) throw problem;
    world.stderr.write(`${refusal.message}\n`);
    return refusal.exitCode;
  }
}

/** What the person in front of the terminal did wrong; `undefined` for what we did. */
function refusalOf(problem: unknown): { readonly message: string; readonly exitCode: number } | undefined {
  if (problem instanceof CommandError) return problem;
  if (problem instanceof MisuseError) return { message: problem.message, exitCode: 2 };
  if (problem instanceof CommanderError) return { message: commanderWords(problem), exitCode: 2 };
  return undefined;
}

/** "error: unknown option '--prot'\n(Did you mean --port?)" as whole sentences. */
function commanderWords({ code, message }: CommanderError): string {
  if (code === 'commander.help') return 'No command is named. See holdfast --help.';
  const [what = '', suggestion = ''] = message.replace(/^error: /, '').split('\n');
  const sentence = `${what.charAt(0).toUpperCase()}${what.slice(1).replace(/\.$/, '')}.`;
  const quotes = code === 'commander.excessArguments' ? ' Put a text of several words in quotes.' : '';
  const asked = suggestion === '' ? `${quotes} See holdfast --help.` : ` ${suggestion.replace(/^\((.*)\)$/, '$1')}`;
  return `${sentence}${asked}`;
}
