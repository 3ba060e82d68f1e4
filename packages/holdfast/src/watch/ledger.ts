import type { ActiveItem, Anchor, ItemId, TurnEvent } from '../turn/index.js';

/**
 * What is known of the attempt under way: the fold of its events. Watchdog, console and diagnosis look at this and
 * at nothing else. Times are the caller's, in milliseconds of one monotonic clock.
 */
export class Ledger {
  #startedAt = 0;
  #connectingAt = 0;
  #sentAt: number | undefined;
  #bytesAt: number | undefined;
  #firstProgressAt: number | undefined;
  #progressAt: number | undefined;
  #anchor: Anchor = 'attempt_started';
  #paused = false;
  #ending = false;
  #itemsSeen = 0;
  #deltaChars = 0;
  #outputTokensReported = 0;
  #reasoningSeen = false;
  #openCalls = 0;
  #openReasoning = 0;
  readonly #active: Map<ItemId, OpenItem> = new Map();

  /** An event of the attempt. Pings and comments move the transport's time and nothing else. */
  record(event: TurnEvent, at: number): void {
    switch (event.type) {
      case 'item.delta':
        return this.#delta(event.item, event.text, at);
      case 'item.started':
        this.#open(event.item, { kind: event.kind, name: event.name, chars: 0 });
        return this.#progress('item_started', at);
      case 'item.completed':
        this.#close(event.item);
        return this.#progress('item_completed', at);
      case 'usage.reported':
        this.#outputTokensReported = Math.max(this.#outputTokensReported, event.usage.outputTokens ?? 0);
        return this.#progress('usage', at);
      case 'reply.ending':
        this.#ending = true;
        return this.#progress('reply_ending', at);
      case 'attempt.started':
        return this.#begin(at);
      case 'attempt.sent':
        this.#sentAt = at;
        this.#bytesAt = at;
        this.#anchor = 'request_sent';
        return;
      case 'attempt.accepted':
      case 'wire.kept_alive':
        this.#bytesAt = at;
        return;
      case 'reply.finished':
      case 'reply.failed':
      case 'attempt.completed':
      case 'attempt.failed':
      case 'attempt.retracted':
      case 'call.completed':
      case 'call.failed':
        return this.#closeAll(); // However an attempt ends, nothing of it stays active.
      case 'deadline.extended':
      case 'deadline.fired':
      case 'call.started':
      case 'retry.scheduled':
      case 'fallback.chosen':
      case 'notice':
        return;
    }
  }

  /** Bytes arrived. They prove the connection, not the model. */
  hear(at: number): void {
    this.#bytesAt = at;
  }

  /** Our consumer stopped reading, so we stopped reading. What follows is not the provider's silence. */
  pause(): void {
    this.#paused = true;
  }

  /** Reading goes on: the provider gets its whole budget again. */
  resume(at: number): void {
    this.#paused = false;
    this.#anchor = 'reading_resumed';
    if (this.#sentAt === undefined) {
      this.#connectingAt = at; // Nothing was sent yet, and this does not make it so.
      return;
    }
    this.#bytesAt = at;
    if (this.#progressAt === undefined) this.#sentAt = at;
    else this.#progressAt = at;
  }

  get startedAt(): number {
    return this.#startedAt;
  }
  /** Since when the connection is waited for: the start, unless this process stood still in between. */
  get connectingAt(): number {
    return this.#connectingAt;
  }
  get sentAt(): number | undefined {
    return this.#sentAt;
  }
  get bytesAt(): number | undefined {
    return this.#bytesAt;
  }
  /** The first lifecycle fact: until then the model was reading. */
  get firstProgressAt(): number | undefined {
    return this.#firstProgressAt;
  }
  /** The last lifecycle fact; `undefined` before the first. */
  get progressAt(): number | undefined {
    return this.#progressAt;
  }
  get anchor(): Anchor {
    return this.#anchor;
  }
  get paused(): boolean {
    return this.#paused;
  }
  /** The provider named a finish reason and nothing came after it. */
  get ending(): boolean {
    return this.#ending;
  }
  get itemsSeen(): number {
    return this.#itemsSeen;
  }
  get reasoningSeen(): boolean {
    return this.#reasoningSeen;
  }
  get activeCount(): number {
    return this.#active.size;
  }
  get openCalls(): number {
    return this.#openCalls;
  }
  get openReasoning(): number {
    return this.#openReasoning;
  }

  /** Output so far in tokens, as reported or else reckoned from the text at four characters a token. */
  get outputTokens(): number {
    return Math.max(this.#outputTokensReported, Math.floor(this.#deltaChars / 4));
  }

  get activeItems(): readonly ActiveItem[] {
    return [...this.#active].map(([item, open]) => ({ item, kind: open.kind, name: open.name, chars: open.chars }));
  }

  #begin(at: number): void {
    this.#startedAt = at;
    this.#connectingAt = at;
    this.#sentAt = undefined;
    this.#bytesAt = undefined;
    this.#firstProgressAt = undefined;
    this.#progressAt = undefined;
    this.#anchor = 'attempt_started';
    this.#paused = false;
    this.#ending = false;
    this.#itemsSeen = 0;
    this.#deltaChars = 0;
    this.#outputTokensReported = 0;
    this.#reasoningSeen = false;
    this.#closeAll();
  }

  #open(item: ItemId, open: OpenItem): void {
    this.#itemsSeen += 1;
    this.#ending = false;
    if (open.kind === 'reasoning') {
      this.#reasoningSeen = true;
      this.#openReasoning += 1;
    }
    if (open.kind === 'tool_call') this.#openCalls += 1;
    this.#active.set(item, open);
  }

  #close(item: ItemId): void {
    const open = this.#active.get(item);
    if (open === undefined) return;
    if (open.kind === 'reasoning') this.#openReasoning -= 1;
    if (open.kind === 'tool_call') this.#openCalls -= 1;
    this.#active.delete(item);
  }

  #closeAll(): void {
    this.#active.clear();
    this.#openCalls = 0;
    this.#openReasoning = 0;
  }

  #delta(item: ItemId, text: string, at: number): void {
    const open = this.#active.get(item);
    if (open !== undefined) open.chars += text.length;
    this.#deltaChars += text.length;
    this.#ending = false;
    this.#progress('item_delta', at);
  }

  #progress(anchor: Anchor, at: number): void {
    this.#firstProgressAt ??= at;
    this.#progressAt = at;
    this.#bytesAt = at;
    this.#anchor = anchor;
  }
}

interface OpenItem {
  readonly kind: ActiveItem['kind'];
  readonly name: string | undefined;
  chars: number;
}
