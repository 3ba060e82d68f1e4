/** How many requests run at a time under one name. Names come and go; nothing is kept for an idle one. */
export class Slots {
  readonly #max: number;
  readonly #taken: Map<string, number> = new Map();

  constructor(max: number) {
    this.#max = max;
  }

  /** False where all are taken. What was taken is given back once. */
  take(name: string): boolean {
    const taken = this.#taken.get(name) ?? 0;
    if (taken >= this.#max) return false;
    this.#taken.set(name, taken + 1);
    return true;
  }

  giveBack(name: string): void {
    const taken = this.#taken.get(name) ?? 0;
    if (taken <= 1) this.#taken.delete(name);
    else this.#taken.set(name, taken - 1);
  }
}
