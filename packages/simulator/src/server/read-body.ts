import type { IncomingMessage } from 'node:http';

/** As the providers' own limits, about. */
const BODY_BYTES_MAX: number = 32 * 1024 * 1024;

/** The whole body as text; `undefined` where it is too large. */
export async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    const piece: Buffer = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
    bytes += piece.length;
    // What comes after is read and dropped, so that the client hears the answer.
    if (bytes <= BODY_BYTES_MAX) chunks.push(piece);
    else chunks.length = 0;
  }
  return bytes <= BODY_BYTES_MAX ? Buffer.concat(chunks).toString('utf8') : undefined;
}
