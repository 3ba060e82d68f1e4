import type { Engine } from 'holdfast/run';
import type { RetryLimits } from 'holdfast/policy';
import type { Failure } from 'holdfast/turn';
import type { Deadlines } from 'holdfast/watch';
import type { GatewayLimits } from './limits.js';
import type { RouteTable } from './route-table.js';
import type { Slots } from './slots.js';

/** What every request of one running gateway shares. */
export interface House {
  readonly engine: Engine;
  readonly routes: RouteTable;
  readonly limits: GatewayLimits;
  readonly keepAliveMs: number;
  readonly headersByMs: number;
  readonly deadlines: Partial<Deadlines>;
  readonly retryLimits: Partial<RetryLimits>;
  readonly slots: Slots;
  /** Calls in progress: each can be ended with the gateway's own reason. */
  readonly running: Set<RunningCall>;
}

export interface RunningCall {
  end(reason: Failure): void;
}
