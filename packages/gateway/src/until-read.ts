import type { ServerResponse } from 'node:http';
import { Alarm } from './clock.js';
import { isGone } from './is-gone.js';

/**
 * Waits until the client has read what was written, or is gone. What the system has taken counts as read. A client that takes nothing for `unreadMs` is cut,
 * so that nothing can hold our memory by not reading.
 */
export function untilRead(response: ServerResponse, event: 'drain' | 'finish', unreadMs: number): Promise<void> {
  return new Promise((resolve) => {
    if (isGone(response) || (event === 'finish' && response.writableEnded && response.writableLength === 0)) {
      resolve();
      return;
    }
    let unread = response.writableLength;
    const alarm = new Alarm(() => {
      if (response.writableLength < unread) {
        unread = response.writableLength;
        alarm.set(unreadMs);
      } else {
        response.destroy();
      }
    });
    const done = (): void => {
      alarm.clear();
      response.off(event, done).off('close', done);
      resolve();
    };
    response.on(event, done).on('close', done);
    alarm.set(unreadMs);
  });
}
