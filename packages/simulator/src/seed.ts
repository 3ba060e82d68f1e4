import { createHash } from 'node:crypto';

/** Text that looks random and is the same for the same parts. */
export function token(parts: readonly (string | number)[], length: number): string {
  let text = '';
  for (let n = 0; text.length < length; n += 1) {
    text += digest([...parts, n])
      .toString('base64')
      .replace(/[+/=]/g, '');
  }
  return text.slice(0, length);
}

export function bytesOf(parts: readonly (string | number)[], count: number): Buffer {
  const blocks: Buffer[] = [];
  for (let have = 0; have < count; have += 32) blocks.push(digest([...parts, have]));
  return Buffer.concat(blocks).subarray(0, count);
}

export function digest(parts: readonly (string | number)[]): Buffer {
  return createHash('sha256').update(JSON.stringify(parts)).digest();
}

/** Numbers from 0 up to 1, the same series for the same parts (mulberry32). */
export class Dice {
  #state: number;

  constructor(parts: readonly (string | number)[]) {
    this.#state = digest(parts).readUInt32LE(0);
  }

  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }
}
