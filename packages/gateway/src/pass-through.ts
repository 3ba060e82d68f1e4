const LF = 0x0a;
const CR = 0x0d;

/**
 * Lets a stream's bytes through unchanged, up to the end of the last whole event; the rest waits for the bytes that
 * complete it. So a failure can always be told between two events. An event larger than the bound goes out as it
 * comes, and until it ends nothing else can be said on this stream.
 */
export class PassThrough {
  readonly #heldBytesMax: number;
  #held: Uint8Array[] = [];
  #heldBytes = 0;
  /** The last two bytes of the unfinished event: an empty line may lie across two arrivals. */
  #edge: Edge = NO_EDGE;
  #isInsideEvent = false;

  constructor(heldBytesMax: number) {
    this.#heldBytesMax = heldBytesMax;
  }

  /** True while part of an unfinished event is with the client. */
  get isInsideEvent(): boolean {
    return this.#isInsideEvent;
  }

  /** The bytes that may go out now, in order. */
  take(bytes: Uint8Array): readonly Uint8Array[] {
    const cut = endOfLastEvent(this.#edge, bytes);
    const whole = cut === 0 ? [] : this.#release(bytes.subarray(0, cut));
    if (cut === bytes.length) return whole;
    this.#hold(bytes.subarray(cut));
    if (this.#heldBytes <= this.#heldBytesMax && !this.#isInsideEvent) return whole;
    this.#isInsideEvent = true;
    return [...whole, ...this.#takeHeld()];
  }

  /** What is left when the body has ended as it should: its last event may lack the empty line. */
  rest(): readonly Uint8Array[] {
    const rest = this.#takeHeld();
    this.#edge = NO_EDGE;
    return rest;
  }

  #release(last: Uint8Array): readonly Uint8Array[] {
    this.#isInsideEvent = false;
    this.#edge = NO_EDGE;
    return this.#heldBytes === 0 ? [last] : [...this.#takeHeld(), last];
  }

  #hold(bytes: Uint8Array): void {
    this.#held.push(bytes);
    this.#heldBytes += bytes.length;
    const { length } = bytes;
    this.#edge = { last: bytes[length - 1], before: length > 1 ? bytes[length - 2] : this.#edge.last };
  }

  #takeHeld(): readonly Uint8Array[] {
    const held = this.#held;
    this.#held = [];
    this.#heldBytes = 0;
    return held;
  }
}

interface Edge {
  readonly before: number | undefined;
  readonly last: number | undefined;
}

const NO_EDGE: Edge = { before: undefined, last: undefined };

/** How many of the bytes belong to events that they end; 0 where they end none. */
function endOfLastEvent(edge: Edge, bytes: Uint8Array): number {
  const { length } = bytes;
  if (bytes[length - 1] === LF && (bytes[length - 2] === LF || (bytes[length - 2] === CR && bytes[length - 3] === LF)))
    return length;
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, length);
  const found = Math.max(endOf(buffer, '\n\n'), endOf(buffer, '\n\r\n'), endOf(buffer, '\r\r'));
  return found > 0 ? found : endAcross(edge, bytes);
}

function endOf(buffer: Buffer, mark: string): number {
  const at = buffer.lastIndexOf(mark, undefined, 'latin1');
  return at === -1 ? 0 : at + mark.length;
}

function endAcross(edge: Edge, bytes: Uint8Array): number {
  const [first, second] = bytes;
  if (edge.last === LF) {
    if (first === LF) return 1;
    return first === CR && second === LF ? 2 : 0;
  }
  if (edge.last !== CR) return 0;
  return first === CR || (first === LF && edge.before === LF) ? 1 : 0;
}
