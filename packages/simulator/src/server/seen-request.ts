import type { DialectName } from 'holdfast/dialects';
import type { JsonObject } from 'holdfast/turn';

/** A request as it arrived, and how its connection ended. Kept for tests: headers hold keys as they came. */
export interface SeenRequest {
  /** From 1, over all routes that ask for a reply. */
  readonly n: number;
  readonly dialect: DialectName;
  /** Query included. */
  readonly path: string;
  readonly model: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** Empty where the body was no JSON object. */
  readonly body: JsonObject;
  /** The scenario that answered; absent where the request was refused before. */
  readonly scenario: string | undefined;
  readonly status: number | undefined;
  /** Milliseconds since the simulator started. */
  readonly atMs: number;
  readonly closedAtMs: number | undefined;
  readonly closedBy: 'server' | 'client' | undefined;
}

/** The same, while it is being answered. */
export type OpenRequest = { -readonly [K in keyof SeenRequest]: SeenRequest[K] };

/** Older ones are dropped. */
export const SEEN_MAX = 1_000;
