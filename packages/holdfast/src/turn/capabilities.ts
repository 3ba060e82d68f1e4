/**
 * What a producer can show while it works, declared per vendor and model. A fact that it cannot state is waited for
 * by nobody, and that it is missing proves nothing.
 */
export interface Capabilities {
  /** Whether a tool call is announced before its arguments, or arrives whole when it is finished. */
  readonly itemStart: 'before_arguments' | 'with_completion';
  /** Whether arguments stream as they are written. False means a long silence inside a call is normal. */
  readonly argumentDeltas: boolean;
  readonly reasoningDeltas: boolean;
  /** Whether the vendor's pings can be relied on as a sign of life. */
  readonly pings: boolean;
  /** Whether a cut reply can be taken up again without generating it anew. */
  readonly resume: boolean;
  /** Whether token counts arrive before the end. */
  readonly usageMidstream: boolean;
}

/** Claims as little as possible: for producers of which nothing is known. */
export const UNKNOWN_PRODUCER: Capabilities = {
  itemStart: 'with_completion',
  argumentDeltas: false,
  reasoningDeltas: false,
  pings: false,
  resume: false,
  usageMidstream: false,
};
