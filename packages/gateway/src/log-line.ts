import type { Usage } from 'holdfast/turn';

/** One request, for the log. It has these fields and no others: no content, no key, no header. */
export interface LogLine {
  /** Milliseconds since the epoch, at the end of the request. */
  readonly at: number;
  /** The name of the route, such as `chat.completions`; `none` where nothing matched. */
  readonly route: string;
  /** The status sent; 499 where the client was gone before there was one. */
  readonly status: number;
  readonly durationMs: number;
  readonly dialect: string;
  readonly call?: string;
  /** The name that the client asked for. */
  readonly model?: string;
  readonly provider?: string;
  readonly upstreamModel?: string;
  readonly attempts?: number;
  readonly usage?: Usage;
  /** The code of the failure; absent where the request succeeded. */
  readonly code?: string;
  /** Where this program itself broke, with `gateway_internal` alone. */
  readonly fault?: string;
}
