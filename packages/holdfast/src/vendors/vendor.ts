import type { DialectName, Quirks } from '../dialects/index.js';
import type { Capabilities } from '../turn/index.js';

/** Who serves a dialect, and with which habits. Data alone: a compatible vendor is one more file like this. */
export interface Vendor {
  readonly name: string;
  readonly dialect: DialectName;
  /** Their public address, API version included. Configuration may name another. */
  readonly baseUrl: string;
  readonly auth: 'bearer' | 'x-goog-api-key' | 'x-api-key';
  /** Environment variables that usually hold the key, the first found wins. Read by the command line only. */
  readonly keyVariables: readonly string[];
  readonly quirks: Quirks;
  /** The first rule whose pattern fits the model's name. `*` stands for any text. */
  readonly models: readonly ModelRule[];
}

export interface ModelRule {
  readonly pattern: string;
  readonly capabilities: Capabilities;
  /** Tokens; `undefined` where nobody says. */
  readonly contextWindow: number | undefined;
  readonly outputLimit: number | undefined;
}
