import type { Engine } from 'holdfast/run';
import type { RetryLimits } from 'holdfast/policy';
import type { Deadlines } from 'holdfast/watch';
import type { GatewayLimits } from './limits.js';
import type { RouteTable } from './route-table.js';
import type { RunningCalls } from './running-calls.js';
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
  readonly running: RunningCalls;
}
