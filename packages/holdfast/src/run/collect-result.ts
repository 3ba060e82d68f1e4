import type { Item, ItemId, TurnEvent } from '../turn/index.js';
import type { Call, CallResult } from './call-options.js';
import { HoldfastError } from './holdfast-error.js';

/** Runs a call to its end for callers who want its answer and not its story. */
export async function collectResult(call: Call): Promise<CallResult> {
  const seen = new Seen();
  for await (const event of call) {
    seen.record(event);
    if (event.type === 'call.failed') {
      throw new HoldfastError(event.failure, { items: event.items, partialText: seen.text, usage: event.usage });
    }
    if (event.type === 'call.completed') {
      const { finish, items, usage } = event;
      const incomplete = finish !== 'stop' && finish !== 'tool_calls';
      return { finish, incomplete, text: textOf(items), items, usage, ...seen.facts };
    }
  }
  throw new Error('A call ends with call.completed or call.failed; this one did neither.');
}

class Seen {
  #attempts = 0;
  #provider = '';
  #model = '';
  readonly #notices: string[] = [];
  readonly #messages: Set<ItemId> = new Set();
  #text = '';

  /** Visible text of the current attempt, as it streamed. */
  get text(): string {
    return this.#text;
  }

  get facts(): Pick<CallResult, 'attempts' | 'provider' | 'model' | 'notices'> {
    return { attempts: this.#attempts, provider: this.#provider, model: this.#model, notices: this.#notices };
  }

  record(event: TurnEvent): void {
    if (event.type === 'attempt.started') {
      this.#attempts = event.number;
      this.#provider = event.provider;
      this.#model = event.model;
      this.#text = '';
    }
    if (event.type === 'notice') this.#notices.push(event.text);
    if (event.type === 'item.started' && event.kind === 'message') this.#messages.add(event.item);
    if (event.type === 'item.delta' && this.#messages.has(event.item)) this.#text += event.text;
  }
}

function textOf(items: readonly Item[]): string {
  return items.map((item) => (item.content.kind === 'message' ? item.content.text : '')).join('');
}
