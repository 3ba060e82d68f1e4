import type { CallId, Failure, StampedEvent, Usage } from 'holdfast/turn';
import type { Outcome } from './outcome.js';

/** What the answer's headers and the log say of a call, folded from its events. */
export class CallFacts {
  readonly #call: CallId;
  readonly #model: string;
  #attempts = 0;
  #provider: string | undefined;
  #upstreamModel: string | undefined;
  #fallback: string | undefined;
  #usage: Usage | undefined;
  #failure: Failure | undefined;

  constructor(call: CallId, model: string) {
    this.#call = call;
    this.#model = model;
  }

  get failure(): Failure | undefined {
    return this.#failure;
  }

  observe(event: StampedEvent): void {
    switch (event.type) {
      case 'attempt.started':
        this.#attempts += 1;
        this.#provider = event.provider;
        this.#upstreamModel = event.model;
        return;
      case 'fallback.chosen':
        this.#fallback = `${event.from} -> ${event.to}`;
        return;
      case 'call.completed':
        this.#usage = event.usage;
        return;
      case 'call.failed':
        this.#usage = event.usage;
        this.#failure = event.failure;
        return;
      case 'item.started':
      case 'item.delta':
      case 'item.completed':
      case 'usage.reported':
      case 'wire.kept_alive':
      case 'reply.ending':
      case 'reply.finished':
      case 'reply.failed':
      case 'attempt.sent':
      case 'attempt.accepted':
      case 'attempt.completed':
      case 'attempt.failed':
      case 'attempt.retracted':
      case 'deadline.extended':
      case 'deadline.fired':
      case 'call.started':
      case 'retry.scheduled':
      case 'notice':
        return;
    }
  }

  /** As far as the call has come. */
  headers(overheadMs: number): Record<string, string> {
    return {
      'x-holdfast-call': this.#call,
      'x-holdfast-attempts': String(this.#attempts),
      ...(this.#provider === undefined ? {} : { 'x-holdfast-provider': this.#provider }),
      ...(this.#upstreamModel === undefined ? {} : { 'x-holdfast-model': this.#upstreamModel }),
      ...(this.#fallback === undefined ? {} : { 'x-holdfast-fallback': this.#fallback }),
      'x-holdfast-overhead-ms': overheadMs.toFixed(2),
    };
  }

  outcome(status: number, failure: Failure | undefined = this.#failure): Outcome {
    return {
      status,
      call: this.#call,
      model: this.#model,
      attempts: this.#attempts,
      ...(this.#provider === undefined ? {} : { provider: this.#provider }),
      ...(this.#upstreamModel === undefined ? {} : { upstreamModel: this.#upstreamModel }),
      ...(this.#usage === undefined ? {} : { usage: this.#usage }),
      ...(failure === undefined ? {} : { code: failure.code }),
    };
  }
}
