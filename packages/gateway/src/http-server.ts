import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { soon } from './clock.js';
import { Connections } from './connections.js';
import type { GatewayLimits } from './limits.js';
import { sendRaw } from './raw-answer.js';
import type { RawAnswer } from './raw-answer.js';
import { Refusal } from './refusal.js';

/** Node's own bounds leave a slow or greedy client minutes of time and any number of connections. */
export function createHttpServer(limits: GatewayLimits, receive: Receive): Server {
  const connections = new Connections(limits);
  const server = createServer(
    {
      maxHeaderSize: limits.headerBytesMax,
      headersTimeout: limits.headersMs,
      requestTimeout: limits.headersMs + limits.bodyMs,
      keepAliveTimeout: limits.idleConnectionMs,
      connectionsCheckingInterval: Math.min(1_000, limits.headersMs),
    },
    (request, response) => {
      const connection = connections.stateOf(request.socket);
      if (connection === undefined || connection.isRefused) return;
      connection.answering += 1;
      response.once('close', () => {
        connection.answering -= 1;
        // A connection that falls idle after the server was closed would stay for its whole keep-alive.
        if (!server.listening) soon(() => server.closeIdleConnections());
      });
      receive(request, response);
    },
  );
  server.on('connection', (socket: Socket) => {
    socket.setMaxListeners(0); // Each pipelined request listens for the end of its connection.
    if (connections.admit(socket)) return;
    const refusal = new Refusal(
      'overloaded',
      'There are too many connections to this gateway. Close some, or send the request again in a moment.',
    );
    sendRaw(socket, { status: 503, reason: 'Service Unavailable', failure: refusal.failure() });
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // Bytes that follow a request must not be answered into the middle of its reply.
    const isAnswering = (connections.stateOf(socket)?.answering ?? 0) > 0;
    if (isAnswering) socket.destroy();
    else sendRaw(socket, unreadable(error.code));
  });
  return server;
}

type Receive = (request: IncomingMessage, response: ServerResponse) => void;

function unreadable(code: string | undefined): RawAnswer {
  if (code === 'HPE_HEADER_OVERFLOW') {
    const refusal = new Refusal(
      'request_invalid',
      'The headers of the request are too large. Send fewer or shorter ones.',
    );
    return { status: 431, reason: 'Request Header Fields Too Large', failure: refusal.failure() };
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    const refusal = new Refusal('request_timeout', 'The request did not arrive in time. Send it again.');
    return { status: 408, reason: 'Request Timeout', failure: refusal.failure() };
  }
  const refusal = new Refusal('request_invalid', 'The request is no valid HTTP. Send it again, unbroken.');
  return { status: 400, reason: 'Bad Request', failure: refusal.failure() };
}
