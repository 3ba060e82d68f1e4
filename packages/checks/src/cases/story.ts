import type { Failure, FinishReason, Item, ItemId, StampedEvent, Usage } from 'holdfast/turn';
import { parseJson } from '../data/json.js';
import type { HeardEvent, SeenCall, SeenUsage } from './outcome.js';

/** The events of a call, folded as a consumer does who shows text and takes back what is retracted. */
export interface Story {
  /** Everything visible at the end, retracted text gone. */
  readonly shown: string;
  readonly attempts: number;
  readonly end: CallEnd | undefined;
}

export interface CallEnd {
  readonly finish: FinishReason | undefined;
  readonly failure: Failure | undefined;
  readonly items: readonly Item[];
  readonly usage: Usage;
}

export function storyOf(heard: readonly HeardEvent[]): Story {
  const shown = new ShownText();
  let attempts = 0;
  let end: CallEnd | undefined;
  for (const { event } of heard) {
    shown.hear(event);
    if (event.type === 'attempt.started') attempts += 1;
    if (event.type === 'call.completed')
      end = { finish: event.finish, failure: undefined, items: event.items, usage: event.usage };
    if (event.type === 'call.failed')
      end = { finish: undefined, failure: event.failure, items: event.items, usage: event.usage };
  }
  return { shown: shown.text, attempts, end };
}

/** Text as it appears on a screen: a delta adds, a retraction removes what its attempt had added. */
class ShownText {
  readonly #messages = new Set<ItemId>();
  #pieces: { readonly attempt: string | undefined; readonly text: string }[] = [];

  get text(): string {
    return this.#pieces.map((piece) => piece.text).join('');
  }

  hear(event: StampedEvent): void {
    if (event.type === 'item.started' && event.kind === 'message') this.#messages.add(event.item);
    if (event.type === 'item.delta' && this.#messages.has(event.item))
      this.#pieces.push({ attempt: event.attempt, text: event.text });
    if (event.type === 'attempt.retracted')
      this.#pieces = this.#pieces.filter((piece) => piece.attempt !== event.attempt);
  }
}

export function messageText(items: readonly Item[]): string {
  return items.map(({ content }) => (content.kind === 'message' ? content.text : '')).join('');
}

/** Calls that a dispatcher may run or must answer. */
export function callsIn(items: readonly Item[]): readonly SeenCall[] {
  return items.flatMap(({ content }) => {
    if (content.kind !== 'tool_call') return [];
    const value = content.input.form === 'json' ? content.input.value : parseJson(content.input.text);
    return [
      { id: content.callId, name: content.name, arguments: content.input.form === 'invalid' ? undefined : value },
    ];
  });
}

export function seenUsage(usage: Usage): SeenUsage {
  return {
    input: usage.inputTokens,
    cached_read: usage.cacheReadTokens,
    cache_write: usage.cacheWriteTokens,
    output: usage.outputTokens,
    reasoning: usage.reasoningTokens,
  };
}
