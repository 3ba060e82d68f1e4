import type { Failure, FinishReason, ItemId, StampedEvent, Usage } from 'holdfast/turn';
import { exitCodeOf, exitCodeOfFinish } from './exit-code.js';
import type { StopSignal } from './world.js';

/** How a call ended, folded from its events. */
export class Outcome {
  readonly #messages: Set<ItemId> = new Set();
  #text = '';
  #attempts = 0;
  #provider: string | undefined;
  #model: string | undefined;
  #finish: FinishReason | undefined;
  #failure: Failure | undefined;
  #usage: Usage | undefined;

  get failure(): Failure | undefined {
    return this.#failure;
  }

  /** Whether some of an answer had come. */
  get hasText(): boolean {
    return this.#text !== '';
  }

  record(event: StampedEvent): void {
    if (event.type === 'attempt.started') {
      this.#attempts = event.number;
      this.#provider = event.provider;
      this.#model = event.model;
      this.#text = '';
    }
    if (event.type === 'item.started' && event.kind === 'message') this.#messages.add(event.item);
    if (event.type === 'item.delta' && this.#messages.has(event.item)) this.#text += event.text;
    if (event.type === 'call.completed') {
      this.#finish = event.finish;
      this.#usage = event.usage;
      this.#text = event.items.map(({ content }) => (content.kind === 'message' ? content.text : '')).join('');
    }
    if (event.type === 'call.failed') {
      this.#failure = event.failure;
      this.#usage = event.usage;
    }
  }

  exitCode(signal: StopSignal | undefined): number {
    if (this.#failure !== undefined) return exitCodeOf(this.#failure.kind, signal);
    return this.#finish === undefined ? 1 : exitCodeOfFinish(this.#finish);
  }

  /** The closing line of `--json`. The text of a failed call is what had come, and no answer. */
  result(signal: StopSignal | undefined): Readonly<Record<string, unknown>> {
    return {
      type: 'result',
      status: this.#failure === undefined ? 'completed' : this.#failure.kind === 'stopped' ? 'stopped' : 'failed',
      exitCode: this.exitCode(signal),
      finish: this.#finish,
      text: this.#text,
      attempts: this.#attempts,
      provider: this.#provider,
      model: this.#model,
      usage: this.#usage,
      failure: this.#failure,
    };
  }
}
