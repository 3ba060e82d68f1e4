import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { MisuseError } from 'holdfast/turn';
import { Desk } from './desk.js';
import { MODEL_PREFIX } from './list-models.js';
import { readOptions } from './options.js';
import type { Settings, SimulatorOptions } from './options.js';
import type { SeenRequest } from './seen-request.js';

export interface Simulator {
  /** Without a trailing slash. Base URLs are `${url}/v1` for Chat and `${url}/v1beta` for Gemini. */
  readonly url: string;
  /** What asked for a reply: the last thousand, oldest first. */
  readonly requests: readonly SeenRequest[];
  /** The model names that answer. With a pinned scenario every other name answers too. */
  readonly models: readonly string[];
  /** Cuts what is open. */
  close(): Promise<void>;
}

/** Serves the scenarios on loopback. Throws `MisuseError` where the options cannot be served. */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const settings = readOptions(options);
  const desk = new Desk(settings);
  const server = createServer({ headersTimeout: 10_000, requestTimeout: 60_000, keepAliveTimeout: 75_000 });
  server.on('request', (request, response) => void desk.serve(request, response));
  await listen(server, settings);
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : settings.port;
  const host = settings.host.includes(':') ? `[${settings.host}]` : settings.host;
  return {
    url: `http://${host}:${port}`,
    requests: desk.requests,
    models: desk.listed.map(({ name }) => `${MODEL_PREFIX}${name}`),
    close: () => close(server, desk),
  };
}

function listen(server: Server, { port, host }: Settings): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (problem: NodeJS.ErrnoException) => {
      reject(problem.code === 'EADDRINUSE' || problem.code === 'EACCES' ? portRefused(port, problem.code) : problem);
    });
    server.listen(port, host, () => {
      server.removeAllListeners('error');
      resolve();
    });
  });
}

function portRefused(port: number, code: string): MisuseError {
  return code === 'EADDRINUSE'
    ? new MisuseError('port_in_use', `Port ${port} is already in use. Choose another one, or 0 for any free one.`)
    : new MisuseError(
        'port_refused',
        `The system does not allow port ${port}. Choose one above 1023, or 0 for any free one.`,
      );
}

async function close(server: Server, desk: Desk): Promise<void> {
  desk.close();
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  await closed;
}
