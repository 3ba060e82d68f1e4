import type { DialectName, Quirks } from '../dialects/index.js';
import type { Capabilities } from '../turn/index.js';

/** An endpoint with its credential. Hosts come from configuration alone. */
export interface Provider {
  /** Its name in configuration, headers and messages. */
  readonly name: string;
  /** The company whose models answer there. */
  readonly vendor: string;
  readonly dialect: DialectName;
  /** With the API version, such as `https://api.example/v1`. A query of its own goes with every request. */
  readonly baseUrl: string;
  readonly auth: Auth | undefined;
  readonly quirks: Quirks;
}

export interface Auth {
  readonly header: 'authorization' | 'x-goog-api-key' | 'x-api-key';
  /** The whole header value, `Bearer ` included where the header wants it. */
  readonly value: string;
}

/** One place of a chain: a model at a provider, and what is known of it. */
export interface Hop {
  readonly provider: Provider;
  /** The name the upstream knows. */
  readonly model: string;
  readonly capabilities: Capabilities;
  /** The cap sent where the request names none. */
  readonly maxOutputTokens: number | undefined;
  /** The model's own output limit. */
  readonly outputLimit: number | undefined;
  readonly contextWindow: number | undefined;
  /** The configuration entry that a failure of this hop names. */
  readonly configEntry: string | undefined;
}
