import { MisuseError } from 'holdfast/turn';

/** Bounds of the surface towards clients. Each can be set, none can be switched off. */
export interface GatewayLimits {
  readonly headerBytesMax: number;
  readonly headersMs: number;
  readonly bodyBytesMax: number;
  readonly bodyMs: number;
  /** Decompressed bytes per compressed byte. */
  readonly inflationMax: number;
  readonly connectionsMax: number;
  readonly connectionsPerAddressMax: number;
  /** Inference requests at a time under one key. */
  readonly streamsPerKeyMax: number;
  /** An idle connection is kept this long. */
  readonly idleConnectionMs: number;
  /** Bytes that one client has not read yet; above it the upstream is paused. */
  readonly unreadBytesMax: number;
  /** A paused client that reads nothing for this long is cut. */
  readonly unreadMs: number;
  /** An event of a passed-through stream is held until it is whole, up to this size. */
  readonly heldEventBytesMax: number;
  /** Event-loop lag that sheds new work when it lasts `lagForMs`. */
  readonly lagMs: number;
  readonly lagForMs: number;
  /** Running requests may take this long to end after `close()`. */
  readonly drainMs: number;
}

export const GATEWAY_LIMITS: GatewayLimits = {
  headerBytesMax: 16 * 1024,
  headersMs: 10_000,
  bodyBytesMax: 32 * 1024 * 1024,
  bodyMs: 60_000,
  inflationMax: 20,
  connectionsMax: 10_000,
  connectionsPerAddressMax: 200,
  streamsPerKeyMax: 100,
  idleConnectionMs: 75_000,
  unreadBytesMax: 256 * 1024,
  unreadMs: 60_000,
  heldEventBytesMax: 64 * 1024,
  lagMs: 250,
  lagForMs: 5_000,
  drainMs: 30_000,
};

/** The defaults with what was given over them. Throws where a bound is not one. */
export function limitsFrom(given: Partial<GatewayLimits> | undefined): GatewayLimits {
  const limits: GatewayLimits = { ...GATEWAY_LIMITS, ...given };
  for (const [name, value] of Object.entries(limits)) {
    if (Number.isSafeInteger(value) && value > 0) continue;
    throw new MisuseError(
      'limit_invalid',
      `The gateway limit ${name} is ${value}. Give a whole number above 0; no limit can be switched off.`,
    );
  }
  return limits;
}
