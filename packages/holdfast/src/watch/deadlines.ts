/** Budgets of the watchdogs, in milliseconds. Where each number comes from: docs/decisions/0004-deadlines.md. */
export interface Deadlines {
  /** DNS, TCP and TLS until the connection stands. */
  readonly connectMs: number;
  /** Request sent to the first lifecycle fact. */
  readonly prefillMs: number;
  /** Added to `prefillMs` per 4,000 estimated prompt tokens. */
  readonly prefillPer4kTokensMs: number;
  /** Last byte to next byte. `undefined` is off: few vendors' pings can be relied on. */
  readonly transportMs: number | undefined;
  /** Last lifecycle fact to the next, when nothing is open. Also the floor of every longer silence budget. */
  readonly silenceMs: number;
  /** The same while an item is open. `undefined`: as `silenceMs`, or as the reply could still be alive. */
  readonly openItemMs: number | undefined;
  /** The same when only the wire's end is missing. */
  readonly terminalMs: number;
  /** The longest silence that any reckoning may allow. */
  readonly silenceMaxMs: number;
  /** Start to end of an attempt. */
  readonly attemptMs: number;
  /** Start to end of a turn. */
  readonly turnMs: number;
}

export const DEADLINES: Deadlines = {
  connectMs: 30_000,
  prefillMs: 120_000,
  prefillPer4kTokensMs: 1_000,
  transportMs: undefined,
  silenceMs: 180_000,
  openItemMs: undefined,
  terminalMs: 180_000,
  silenceMaxMs: 600_000,
  attemptMs: 1_800_000,
  turnMs: 14_400_000,
};
