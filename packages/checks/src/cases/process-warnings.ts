/** Warnings that the process emits from here until `end`. */
export class ProcessWarnings {
  readonly #seen: string[] = [];
  readonly #listen = (warning: Error): void => {
    this.#seen.push(`${warning.name}: ${warning.message}`);
  };

  constructor() {
    process.on('warning', this.#listen);
  }

  end(): readonly string[] {
    process.off('warning', this.#listen);
    return this.#seen;
  }
}
