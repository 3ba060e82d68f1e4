import { mergeUsage, NO_USAGE } from '../turn/index.js';
import type { Item, ItemId, ReplyEvent, Usage } from '../turn/index.js';

/** What one attempt said so far: its completed items in the order they began, and its token counts. */
export class Reply {
  readonly #order: ItemId[] = [];
  readonly #completed: Map<ItemId, Item> = new Map();
  readonly #openText: Map<ItemId, string> = new Map();
  #usage: Usage = NO_USAGE;
  #callStarted = false;
  #hasRefused = false;

  record(event: ReplyEvent): void {
    switch (event.type) {
      case 'item.delta': {
        const text = this.#openText.get(event.item);
        if (text !== undefined) this.#openText.set(event.item, text + event.text);
        return;
      }
      case 'item.started':
        this.#order.push(event.item);
        if (event.kind === 'message') this.#openText.set(event.item, '');
        if (event.kind === 'tool_call') this.#callStarted = true;
        if (event.kind === 'refusal') this.#hasRefused = true;
        return;
      case 'item.completed':
        if (!this.#completed.has(event.item)) this.#completed.set(event.item, event.result);
        this.#openText.delete(event.item);
        return;
      case 'usage.reported':
        this.#usage = mergeUsage(this.#usage, event.usage);
        return;
      case 'wire.kept_alive':
      case 'reply.ending':
      case 'reply.finished':
      case 'reply.failed':
        return;
    }
  }

  get items(): readonly Item[] {
    return this.#order.flatMap((id) => this.#completed.get(id) ?? []);
  }

  get usage(): Usage {
    return this.#usage;
  }

  /** Visible text, that of a message still open included. */
  get text(): string {
    return this.#order.map((id) => this.#textOf(id)).join('');
  }

  get callStarted(): boolean {
    return this.#callStarted;
  }

  /** Whether a person or a client has something of it in hand that is more than thinking. */
  get shown(): boolean {
    return this.#callStarted || this.#hasRefused || this.text !== '';
  }

  #textOf(id: ItemId): string {
    const content = this.#completed.get(id)?.content;
    if (content === undefined) return this.#openText.get(id) ?? '';
    return content.kind === 'message' ? content.text : '';
  }
}
