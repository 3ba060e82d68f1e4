/** `count` different offsets between 1 and `length - 1`, the same for the same seed, in ascending order. */
export function seededOffsets(seed: string, length: number, count: number): readonly number[] {
  const borders = length - 1;
  if (borders <= count) return Array.from({ length: Math.max(0, borders) }, (_, at) => at + 1);
  const next = randomOf(seed);
  const chosen = new Set<number>();
  while (chosen.size < count) chosen.add(1 + Math.floor(next() * borders));
  return [...chosen].sort((a, b) => a - b);
}

/** A small generator (mulberry32) fed from the characters of a name. */
function randomOf(seed: string): () => number {
  let state = 0x9e3779b9;
  for (const character of seed) state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 0x85ebca6b);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}
