import type { Server } from 'node:http';
import type { Failure } from 'holdfast/turn';
import { Alarm } from './clock.js';
import type { House } from './house.js';

const CLOSING: Failure = {
  code: 'gateway_closing',
  kind: 'transient',
  retryable: true,
  atFault: 'holdfast',
  message: 'This gateway is shutting down and ended the reply.',
  advice: 'Send the request again.',
  retryAfterMs: 1_000,
};

/** Once the calls have been told to end, their clients get this long to read it. */
const LAST_WORDS_MS = 2_000;

/** Resolves when the last connection is gone: by itself, or after its reply was ended as failed. */
export async function drain(server: Server, house: House): Promise<void> {
  let isTold = false;
  const alarm = new Alarm(() => {
    if (isTold) {
      server.closeAllConnections();
      return;
    }
    isTold = true;
    house.running.endAll(CLOSING);
    alarm.set(LAST_WORDS_MS);
  });
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
    alarm.set(house.limits.drainMs);
  });
  alarm.clear();
}
