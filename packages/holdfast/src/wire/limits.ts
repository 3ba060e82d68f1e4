/** Bounds of everything that is read from a wire. Each excess has a code; none can be switched off. */
export interface WireLimits {
  /** UTF-16 units of one server-sent event. */
  readonly eventCharsMax: number;
  /** UTF-16 units of the arguments of one tool call. */
  readonly argumentCharsMax: number;
  /** UTF-16 units of thinking kept per item. */
  readonly reasoningCharsMax: number;
  /** Bytes of one reply. */
  readonly replyBytesMax: number;
  /** Nesting of JSON that is kept or walked. */
  readonly jsonDepthMax: number;
  /** Keys of one JSON document from a client. */
  readonly jsonKeysMax: number;
}

export const WIRE_LIMITS: WireLimits = {
  eventCharsMax: 8 * 1024 * 1024,
  argumentCharsMax: 8 * 1024 * 1024,
  reasoningCharsMax: 4 * 1024 * 1024,
  replyBytesMax: 64 * 1024 * 1024,
  jsonDepthMax: 64,
  jsonKeysMax: 100_000,
};
