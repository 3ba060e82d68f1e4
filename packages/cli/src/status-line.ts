import { safeText } from './safe-text.js';
import type { OutputStream } from './world.js';

/** Index: one row down in the same column, scrolling at the bottom. Then up again, so that a row below surely exists. */
const MAKE_ROW_BELOW = '\u001bD\u001b[A';
const SAVE = '\u001b7';
const RESTORE = '\u001b8';
const NEXT_ROW = '\u001bE';
const ERASE_ROW = '\u001b[2K';

/**
 * One line on a terminal that is replaced in place and leaves no trace. Below a line of text that is not finished yet it
 * takes the next row and gives the cursor back, so that the text goes on where it stopped.
 */
export class StatusLine {
  readonly #stream: OutputStream;
  #shown: 'here' | 'below' | undefined;

  constructor(stream: OutputStream) {
    this.#stream = stream;
  }

  show(text: string, place: { readonly below: boolean }): void {
    this.clear();
    const line = safeText(text)
      .replaceAll('\n', ' ')
      .slice(0, this.#width() - 1);
    this.#shown = place.below ? 'below' : 'here';
    this.#stream.write(
      place.below ? `${MAKE_ROW_BELOW}${SAVE}${NEXT_ROW}${ERASE_ROW}${line}${RESTORE}` : `\r${ERASE_ROW}${line}`,
    );
  }

  /** Comes before every other output to the terminal. */
  clear(): void {
    if (this.#shown === undefined) return;
    this.#stream.write(this.#shown === 'below' ? `${SAVE}${NEXT_ROW}${ERASE_ROW}${RESTORE}` : `\r${ERASE_ROW}`);
    this.#shown = undefined;
  }

  /** Some terminals say nothing of their width, or 0. */
  #width(): number {
    const { columns } = this.#stream;
    return columns === undefined || columns < 2 ? 80 : columns;
  }
}
