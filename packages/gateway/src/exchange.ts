import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Dialect } from 'holdfast/dialects';
import type { Overhead } from './overhead.js';

/** One HTTP request and its answer, past the guards. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Without the query, still encoded. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** In whose shape errors are written. */
  readonly dialect: Dialect;
  /** Whose limits this request counts towards. */
  readonly holder: string;
  readonly overhead: Overhead;
}
