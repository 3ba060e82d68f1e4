import type { RetryLimits } from 'holdfast/policy';
import type { Engine } from 'holdfast/run';
import type { Deadlines } from 'holdfast/watch';
import type { GatewayLimits } from './limits.js';
import type { LogLine } from './log-line.js';
import type { RouteTable } from './route-table.js';

export interface GatewayOptions {
  /** Default 127.0.0.1. Any other than loopback needs `keys` and `publicHosts`. */
  readonly host?: string;
  /** Default 0: any free port. */
  readonly port?: number;
  readonly routes: RouteTable;
  /** Default: one of its own, closed with the gateway. */
  readonly engine?: Engine;
  /** Clients' keys. None on loopback means keyless. */
  readonly keys?: readonly string[];
  /** `Host` values, port included where clients send one, that this gateway answers to besides loopback. */
  readonly publicHosts?: readonly string[];
  /** Web origins, exact, that may call from a browser. */
  readonly allowedOrigins?: readonly string[];
  /** Silence after which a waiting client gets the empty event of its dialect. At most 30,000. */
  readonly keepAliveMs?: number;
  /** A stream's headers go out at the latest after this time. At most 45,000: clients give up at 60 s. */
  readonly headersByMs?: number;
  readonly limits?: Partial<GatewayLimits>;
  readonly deadlines?: Partial<Deadlines>;
  readonly retryLimits?: Partial<RetryLimits>;
  /** What is upstream, where people must know it, such as `simulator`: sent as `x-holdfast-upstream`. */
  readonly upstreamNote?: string;
  readonly log?: (line: LogLine) => void;
}

export const KEEP_ALIVE_MS = 15_000;
export const HEADERS_BY_MS = 30_000;
