import { createServer } from 'node:http';
import { Agent } from 'undici';
import { listenOnLoopback } from './listen.js';
import { serveReadings } from './worker.js';

/** The least that a proxy can do: take a request, send it on with undici, pipe the answer back. */
const upstream = process.argv[2] ?? '';
const agent = new Agent({ headersTimeout: 0, bodyTimeout: 0 });

const server = createServer((request, response) => {
  const body: Buffer[] = [];
  request.on('data', (bytes: Buffer) => body.push(bytes));
  request.on('end', () => {
    const headers = { 'content-type': 'application/json' };
    agent
      .request({ origin: upstream, path: '/v1/chat/completions', method: 'POST', headers, body: Buffer.concat(body) })
      .then((answer) => {
        response.writeHead(answer.statusCode, { 'content-type': String(answer.headers['content-type']) });
        answer.body.pipe(response);
      })
      .catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
  });
});

serveReadings(await listenOnLoopback(server));
