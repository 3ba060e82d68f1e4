import type { Duplex } from 'node:stream';
import { DIALECTS } from 'holdfast/dialects';
import type { Failure } from 'holdfast/turn';

export interface RawAnswer {
  readonly status: number;
  readonly reason: string;
  readonly failure: Failure;
}

/** The answer to bytes that never became a request: no path tells whose dialect, so it is the most common one. */
export function sendRaw(socket: Duplex, answer: RawAnswer): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const body = JSON.stringify(
    DIALECTS['openai-chat']?.writeFailure(answer.failure).body ?? { error: { message: answer.failure.message } },
  );
  const head = [
    `HTTP/1.1 ${answer.status} ${answer.reason}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
