import picocolors from 'picocolors';
import type { OutputStream, World } from './world.js';

export type Colours = ReturnType<typeof picocolors.createColors>;

/** Colours for people at a terminal, and for nobody who said NO_COLOR. */
export function coloursFor(stream: OutputStream, env: World['env']): Colours {
  const wanted = stream.isTTY === true && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb';
  return picocolors.createColors(wanted);
}
