/**
 * UTF-8 cut anywhere. Bytes that are no UTF-8 become U+FFFD. The same bytes give the same text however they are cut.
 * A streaming `TextDecoder` does the same at a multiple of the cost for text that is mostly ASCII.
 */
export class Utf8Decoder {
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  /** The beginning of a character whose other bytes have not come. */
  #held: Uint8Array | undefined;

  push(bytes: Uint8Array): string {
    const whole = this.#held === undefined ? bytes : concat(this.#held, bytes);
    const held = unfinishedBytes(whole);
    this.#held = held === 0 ? undefined : whole.slice(whole.length - held);
    return this.#decoder.decode(held === 0 ? whole : whole.subarray(0, whole.length - held));
  }

  end(): string {
    const held = this.#held;
    this.#held = undefined;
    return held === undefined ? '' : this.#decoder.decode(held);
  }
}

/** How many bytes at the end begin a character that needs more than there are. */
function unfinishedBytes(bytes: Uint8Array): number {
  for (let count = 1; count <= 3 && count <= bytes.length; count += 1) {
    const byte = bytes[bytes.length - count] ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return charBytes(byte) > count ? count : 0;
  }
  return 0;
}

function charBytes(lead: number): number {
  if (lead >= 0xf0) return 4;
  return lead >= 0xe0 ? 3 : 2;
}

function concat(a: Uint8Array, b: Uint8Array): Uint8Array {
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}
