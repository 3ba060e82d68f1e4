import { CommandError } from './command-error.js';
import type { World } from './world.js';

/** The key that a variable holds, without the line end that files and shells leave; `undefined` where it holds none. */
export function keyFrom(variable: string, env: World['env']): string | undefined {
  const key = (env[variable] ?? '').trim();
  if (key === '') return undefined;
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new CommandError(
    `${variable} holds a space, a line break or a letter that no key can have. Set it again, to the key alone.`,
  );
}
