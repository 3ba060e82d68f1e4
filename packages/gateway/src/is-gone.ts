import type { ServerResponse } from 'node:http';

/** Whether nothing that is written can arrive. A pipelined answer that has not had its turn is not told of the end. */
export function isGone(response: ServerResponse): boolean {
  return response.closed || response.destroyed || response.req.socket.destroyed;
}
