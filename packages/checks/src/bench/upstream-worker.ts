import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import { chatTextStream } from './chat-stream.js';
import { listenOnLoopback } from './listen.js';
import { serveReadings } from './worker.js';

/**
 * A provider for the benchmark. The requested model says what to do: `stream-N` flushes N chunks one by one,
 * `flood-N` writes them as fast as the socket takes them, `hold` sends one chunk and keeps the stream open, anything
 * else is answered whole.
 */
const server = createServer((request, response) => {
  const body: Buffer[] = [];
  request.on('data', (bytes: Buffer) => body.push(bytes));
  request.on('end', () => answer(/"model":"([a-z]+)-?(\d*)"/.exec(Buffer.concat(body).toString()), response));
});

const WHOLE = JSON.stringify({
  id: 'chatcmpl-bench',
  object: 'chat.completion',
  created: 1_790_000_000,
  model: 'bench-1',
  choices: [{ index: 0, message: { role: 'assistant', content: 'A short answer.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 9, completion_tokens: 4, total_tokens: 13 },
});

const STREAMS: Map<string, readonly Buffer[]> = new Map();

function answer(asked: RegExpExecArray | null, response: ServerResponse): void {
  const [, verb = 'whole', size = '0'] = asked ?? [];
  if (verb === 'whole') {
    response
      .writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(WHOLE) })
      .end(WHOLE);
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const frames = framesOf(verb === 'hold' ? '1' : size);
  if (verb === 'hold') response.write(frames[1]);
  if (verb === 'flood') flood(frames, response);
  if (verb === 'stream') oneByOne(frames, response);
}

function framesOf(size: string): readonly Buffer[] {
  const frames = STREAMS.get(size) ?? chatTextStream(Number(size)).map((frame) => Buffer.from(frame));
  STREAMS.set(size, frames);
  return frames;
}

function oneByOne(frames: readonly Buffer[], response: ServerResponse): void {
  let next = 0;
  const write = (): void => {
    const frame = frames[next];
    next += 1;
    if (frame === undefined) response.end();
    else {
      response.write(frame);
      setImmediate(write);
    }
  };
  write();
}

function flood(frames: readonly Buffer[], response: ServerResponse): void {
  let next = 0;
  const write = (): void => {
    let room = true;
    while (room && next < frames.length) {
      room = response.write(frames[next] ?? '');
      next += 1;
    }
    if (next < frames.length) response.once('drain', write);
    else response.end();
  };
  write();
}

serveReadings(await listenOnLoopback(server));
