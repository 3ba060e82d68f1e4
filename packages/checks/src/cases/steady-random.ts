/**
 * A case names the delay before a retry; the engine draws one anywhere up to it. With this as its random it always
 * draws the most, so that no case is decided by luck.
 */
export function steadyRandom(): number {
  return 1 - Number.EPSILON;
}
