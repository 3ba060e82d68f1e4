import type { Capabilities } from '../turn/index.js';
import type { Deadlines } from './deadlines.js';

/** What the watchdog knows besides the ledger. Fixed for the length of an attempt. */
export interface Rules {
  readonly deadlines: Deadlines;
  readonly capabilities: Capabilities;
  /** Tokens a second below which a live reply is not expected to fall. */
  readonly slowPace: number;
  /** The cap that was sent; `undefined` where none was. */
  readonly maxOutputTokens: number | undefined;
  /** Estimated. A long prompt is read for longer. */
  readonly promptTokens: number;
  /** A reply that comes whole is read and written before it shows anything. */
  readonly streamed: boolean;
  /** Without tools no call can be hiding behind a silence. */
  readonly offersTools: boolean;
  /** When the turn's budget ends, on the ledger's clock. */
  readonly turnEndsAt: number;
}
