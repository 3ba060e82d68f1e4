import { Agent, request } from 'node:http';
import type { IncomingMessage } from 'node:http';

const AGENT = new Agent({ keepAlive: true, maxSockets: 64 });

export interface Ask {
  readonly url: string;
  /** What the benchmark's provider is told to do. */
  readonly model: string;
  readonly stream: boolean;
  /** Where the connection comes from, so that many streams are not one address's. */
  readonly from?: string;
}

/** Sends one request and resolves with the answer's head. */
export async function ask(asked: Ask): Promise<IncomingMessage> {
  const body = JSON.stringify({
    model: asked.model,
    stream: asked.stream,
    messages: [{ role: 'user', content: 'go' }],
  });
  return new Promise((resolve, reject) => {
    const outgoing = request(`${asked.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
      agent: asked.from === undefined ? AGENT : false,
      ...(asked.from === undefined ? {} : { localAddress: asked.from }),
    });
    outgoing.once('response', resolve);
    outgoing.once('error', reject);
    outgoing.end(body);
  });
}

/** Reads an answer to its end and says how many bytes it had. */
export async function readAll(answer: IncomingMessage): Promise<number> {
  let bytes = 0;
  for await (const chunk of answer) bytes += Buffer.isBuffer(chunk) ? chunk.length : 0;
  if (answer.statusCode !== 200) throw new Error(`The benchmark met status ${answer.statusCode}.`);
  return bytes;
}
