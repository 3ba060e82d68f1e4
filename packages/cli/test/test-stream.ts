import type { OutputStream } from '../src/world.js';

/** A stream that remembers what was written. Two of them may share one screen, as on a terminal. */
export class TestStream implements OutputStream {
  readonly isTTY: boolean;
  readonly columns: number;
  readonly writableNeedDrain: boolean = false;
  readonly writableLength: number = 0;
  readonly destroyed: boolean = false;
  readonly #screen: string[];

  constructor(options: { readonly isTTY: boolean; readonly screen?: string[]; readonly columns?: number }) {
    this.isTTY = options.isTTY;
    this.columns = options.columns ?? 80;
    this.#screen = options.screen ?? [];
  }

  get text(): string {
    return this.#screen.join('');
  }

  write(text: string): boolean {
    this.#screen.push(text);
    return true;
  }

  once(): void {}
  on(): void {}
  off(): void {}
}
