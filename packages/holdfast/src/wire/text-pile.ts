/** Pieces before they are folded into one string. */
const PIECES_MAX = 512;

/**
 * Text that grows piece by piece and is read once. Adding costs the piece and not the whole, in time and in
 * memory, however small the pieces are.
 */
export class TextPile {
  readonly #separator: string;
  #folded: string | undefined;
  #pieces: string[] = [];
  #chars = 0;

  constructor(separator: string) {
    this.#separator = separator;
  }

  /** Of the whole text, separators included. */
  get chars(): number {
    return this.#chars;
  }

  get isEmpty(): boolean {
    return this.#folded === undefined && this.#pieces.length === 0;
  }

  add(piece: string): void {
    this.#chars += piece.length + (this.isEmpty ? 0 : this.#separator.length);
    this.#pieces.push(piece);
    if (this.#pieces.length >= PIECES_MAX) this.#fold();
  }

  /** The text; the pile is empty afterwards. */
  take(): string {
    this.#fold();
    const text = this.#folded ?? '';
    this.#folded = undefined;
    this.#chars = 0;
    return text;
  }

  #fold(): void {
    if (this.#pieces.length === 0) return;
    const text = this.#pieces.length === 1 ? (this.#pieces[0] ?? '') : this.#pieces.join(this.#separator);
    this.#folded = this.#folded === undefined ? text : this.#folded + this.#separator + text;
    this.#pieces = [];
  }
}
