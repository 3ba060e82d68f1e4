/** Names and words longer than this are not compared. */
const CHARS_MAX = 100;
const NAMES_MAX = 1_000;

/** The name that a person most likely meant; `undefined` where none is near. */
export function closestName(word: string, names: readonly string[]): string | undefined {
  if (word.length > CHARS_MAX) return undefined;
  let best: string | undefined;
  let bestDistance = Math.max(2, Math.floor(word.length / 3)) + 1;
  for (const name of names.slice(0, NAMES_MAX)) {
    if (name.length > CHARS_MAX) continue;
    const away = distance(word.toLowerCase(), name.toLowerCase());
    if (away >= bestDistance) continue;
    best = name;
    bestDistance = away;
  }
  return best;
}

/** How many letters must be put in, taken out or changed. */
function distance(a: string, b: string): number {
  let above = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const changed = (above[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      current.push(Math.min(changed, (above[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    above = current;
  }
  return above[b.length] ?? 0;
}
