import { Engine } from 'holdfast/run';
import type { Batch, Call, CallOptions, CallResult } from 'holdfast/run';
import type { CallId, ItemId, StampedEvent } from 'holdfast/turn';
import type { HeardEvent } from './outcome.js';
import { steadyRandom } from './steady-random.js';
import type { Cues } from './surface.js';

/** The log of what consumers were told, with the time at which they heard it. */
export class HeardCalls {
  readonly #cues: Cues;
  readonly #events: HeardEvent[] = [];
  readonly #messages = new Set<ItemId>();
  #attempts = 0;

  constructor(cues: Cues) {
    this.#cues = cues;
  }

  get events(): readonly HeardEvent[] {
    return this.#events;
  }

  hear(event: StampedEvent): void {
    this.#events.push({ at: performance.now(), event });
    if (event.type === 'attempt.started') this.#attempts += 1;
    if (event.type === 'item.started' && event.kind === 'message') this.#messages.add(event.item);
    if (event.type === 'item.delta' && this.#messages.has(event.item)) this.#cues.heard(`text:${this.#attempts}`);
  }
}

/** The real engine, overheard: what it says to its consumer is logged as the consumer takes it. */
export class OverheardEngine extends Engine {
  readonly #heard: HeardCalls;

  constructor(heard: HeardCalls) {
    super({ random: steadyRandom });
    this.#heard = heard;
  }

  override call(options: CallOptions): Call {
    return new OverheardCall(super.call(options), this.#heard);
  }
}

class OverheardCall implements Call {
  readonly id: CallId;
  readonly #call: Call;
  readonly #heard: HeardCalls;

  constructor(call: Call, heard: HeardCalls) {
    this.id = call.id;
    this.#call = call;
    this.#heard = heard;
  }

  async *[Symbol.asyncIterator](): AsyncIterator<StampedEvent> {
    for await (const batch of this.batches()) yield* batch.events;
  }

  async *batches(): AsyncGenerator<Batch> {
    for await (const batch of this.#call.batches()) {
      for (const event of batch.events) this.#heard.hear(event);
      yield batch;
    }
  }

  stop(): void {
    this.#call.stop();
  }

  result(): Promise<CallResult> {
    return this.#call.result();
  }
}
