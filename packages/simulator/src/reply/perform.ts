import type { ServerResponse } from 'node:http';
import type { Clock } from '../clock.js';
import type { Performance } from './render-reply.js';

/** Bytes on the wire before a reset would otherwise be lost with it. */
const SETTLE_MS = 30;

export interface PerformOptions {
  readonly clock: Clock;
  /** Fires when nobody listens any more. */
  readonly signal: AbortSignal;
  /** Called before we break the connection ourselves. It may fire the signal. */
  readonly onReset: () => void;
}

/** Plays the bytes at their times. Ends early, and silently, when the signal fires: the client has gone. */
export async function perform(
  response: ServerResponse,
  performance: Performance,
  { clock, signal, onReset }: PerformOptions,
): Promise<void> {
  for (const { afterMs, bytes } of performance.writes) {
    await clock.wait(afterMs, signal);
    if (signal.aborted) return;
    if (!response.write(bytes)) await drained(response, signal);
  }
  await clock.wait(performance.end.afterMs, signal);
  if (signal.aborted) return;
  switch (performance.end.how) {
    case 'close':
      response.end();
      return;
    case 'reset':
      await clock.waitReal(SETTLE_MS, signal);
      if (signal.aborted) return;
      onReset();
      response.socket?.resetAndDestroy();
      return;
    case 'hang':
      return;
  }
}

/** A reader that does not read pauses us. */
function drained(response: ServerResponse, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = (): void => {
      response.off('drain', end);
      signal.removeEventListener('abort', end);
      resolve();
    };
    response.on('drain', end);
    signal.addEventListener('abort', end);
  });
}
