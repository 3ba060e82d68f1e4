import type { AttemptId, Item, ItemId, StampedEvent, Usage } from 'holdfast/turn';

/** What the events of one whole call break, in sentences: empty for an honest call. */
export function brokenGrammar(events: readonly StampedEvent[]): string[] {
  const reading = new Reading();
  for (const [index, event] of events.entries()) reading.take(event, index);
  return reading.end(events.at(-1));
}

interface AttemptSoFar {
  readonly open: Set<ItemId>;
  readonly closed: Set<ItemId>;
  readonly items: Item[];
  ended: boolean;
  failed: boolean;
}

class Reading {
  readonly #broken: string[] = [];
  readonly #attempts: Map<AttemptId, AttemptSoFar> = new Map();
  #firstSeq: number | undefined;
  #ends = 0;

  take(event: StampedEvent, index: number): void {
    this.#firstSeq ??= event.seq;
    if (event.seq !== this.#firstSeq + index) this.#say(`${event.type} has seq ${event.seq} at place ${index}`);
    if (this.#ends > 0) this.#say(`${event.type} comes after the end of the call`);
    if (event.attempt === undefined) this.#takeCallFact(event, index);
    else this.#takeAttemptFact(event, event.attempt);
  }

  end(last: StampedEvent | undefined): string[] {
    if (this.#ends !== 1) this.#say(`the call has ${this.#ends} ends`);
    if (this.#attempts.size > 8) this.#say(`the call has ${this.#attempts.size} attempts`);
    for (const [id, attempt] of this.#attempts) if (!attempt.ended) this.#say(`${id} has no end`);
    const standing = [...this.#attempts.values()].at(-1);
    if (last?.type === 'call.completed' && JSON.stringify(last.items) !== JSON.stringify(standing?.items)) {
      this.#say('the items of the call are not those of the attempt that stood');
    }
    return this.#broken;
  }

  #takeCallFact(event: StampedEvent, index: number): void {
    if ((event.type === 'call.started') !== (index === 0)) this.#say(`${event.type} is at place ${index}`);
    if (event.type !== 'call.completed' && event.type !== 'call.failed') return;
    this.#ends += 1;
    this.#checkUsage(event.usage);
  }

  #takeAttemptFact(event: StampedEvent, id: AttemptId): void {
    if (event.type === 'attempt.started') return this.#begin(id);
    const attempt = this.#attempts.get(id);
    if (attempt === undefined) return this.#say(`${event.type} of ${id}, which has not started`);
    if (event.type === 'attempt.retracted')
      return attempt.failed ? undefined : this.#say(`${id} is withdrawn without a failure`);
    if (attempt.ended) this.#say(`${event.type} comes after the end of ${id}`);
    if (event.type === 'attempt.completed' || event.type === 'attempt.failed') {
      attempt.ended = true;
      attempt.failed = event.type === 'attempt.failed';
      return this.#checkUsage(event.usage);
    }
    this.#takeItemFact(event, attempt);
  }

  #begin(id: AttemptId): void {
    if (this.#attempts.has(id)) this.#say(`${id} starts twice`);
    if ([...this.#attempts.values()].some(({ ended }) => !ended)) this.#say(`${id} starts while another runs`);
    this.#attempts.set(id, { open: new Set(), closed: new Set(), items: [], ended: false, failed: false });
  }

  #takeItemFact(event: StampedEvent, attempt: AttemptSoFar): void {
    if (event.type === 'usage.reported') return this.#checkUsage(event.usage);
    if (event.type === 'item.started') {
      if (attempt.open.has(event.item) || attempt.closed.has(event.item)) this.#say(`${event.item} starts twice`);
      attempt.open.add(event.item);
    } else if (event.type === 'item.delta' && !attempt.open.has(event.item)) {
      this.#say(`${event.item} grows and is not open`);
    } else if (event.type === 'item.completed') {
      if (!attempt.open.delete(event.item)) this.#say(`${event.item} completes and is not open`);
      attempt.closed.add(event.item);
      attempt.items.push(event.result);
    }
  }

  #checkUsage(usage: Usage): void {
    for (const [name, count] of Object.entries(usage)) {
      if (typeof count === 'number' && !(Number.isInteger(count) && count >= 0)) this.#say(`${name} is ${count}`);
    }
  }

  #say(what: string): void {
    this.#broken.push(what);
  }
}
