import type { RetryLimits } from 'holdfast/policy';
import type { Hop } from 'holdfast/run';
import type { Deadlines } from 'holdfast/watch';

/** Which model names exist here, and which chain answers each. Upstream hosts come from it alone. */
export interface RouteTable {
  /** `undefined` for a name that is not ours. */
  resolve(model: string): Route | undefined;
  list(): readonly ListedModel[];
}

export interface Route {
  /** The primary first, then its fallbacks in order. */
  readonly chain: readonly [Hop, ...Hop[]];
  /** Over the gateway's own. */
  readonly deadlines?: Partial<Deadlines>;
  readonly limits?: Partial<RetryLimits>;
}

export interface ListedModel {
  readonly id: string;
  readonly ownedBy: string;
  readonly createdAtSeconds?: number;
  readonly contextWindow?: number;
  readonly outputLimit?: number;
}
