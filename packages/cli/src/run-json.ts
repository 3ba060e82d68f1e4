import type { StampedEvent } from 'holdfast/turn';
import { print } from './print.js';
import type { OutputStream } from './world.js';

/** A call as programs read it: every event as one line of JSON, in order. */
export class RunJson {
  readonly #stdout: OutputStream;

  constructor(stdout: OutputStream) {
    this.#stdout = stdout;
  }

  async record(event: StampedEvent): Promise<void> {
    await print(this.#stdout, `${JSON.stringify(event)}\n`);
  }

  async result(result: Readonly<Record<string, unknown>>): Promise<void> {
    await print(this.#stdout, `${JSON.stringify(result)}\n`);
  }
}
