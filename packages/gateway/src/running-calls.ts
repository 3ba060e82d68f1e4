import type { Call } from 'holdfast/run';
import type { Failure } from 'holdfast/turn';

/**
 * The calls in progress. A list and no set: the tables that a busy set casts off hold on to the calls that were in
 * them, and the collector copies those again and again.
 */
export class RunningCalls {
  readonly #calls: RunningCall[] = [];

  begin(call: Call): RunningCall {
    const running = new RunningCall(call, this.#calls.length);
    this.#calls.push(running);
    return running;
  }

  over(running: RunningCall): void {
    const last = this.#calls.pop();
    if (last === undefined || last === running) return;
    last.place = running.place;
    this.#calls[last.place] = last;
  }

  endAll(reason: Failure): void {
    for (const running of [...this.#calls]) running.end(reason);
  }
}

/** One call that can be ended with the gateway's own reason. */
export class RunningCall {
  /** Where it stands in the list. */
  place: number;
  readonly #call: Call;
  #ownReason: Failure | undefined;

  constructor(call: Call, place: number) {
    this.#call = call;
    this.place = place;
  }

  /** `undefined` unless this gateway ended it. */
  get ownReason(): Failure | undefined {
    return this.#ownReason;
  }

  end(reason: Failure): void {
    this.#ownReason = reason;
    this.#call.stop();
  }
}
