import { mergeUsage, NO_USAGE } from '../turn/index.js';
import type { Item, ReplyEvent, TurnEvent, Usage } from '../turn/index.js';

export interface FoldedReply {
  readonly items: readonly Item[];
  readonly usage: Usage;
  readonly finished: Extract<ReplyEvent, { type: 'reply.finished' }> | undefined;
}

/** What stands of a reply once it has ended. What was withdrawn and items that were cut are not in it. */
export function foldReply(events: readonly TurnEvent[]): FoldedReply {
  let items: Item[] = [];
  let usage = NO_USAGE;
  let finished: FoldedReply['finished'];
  for (const event of events) {
    const isWithdrawn = event.type === 'attempt.started' || event.type === 'attempt.retracted';
    if (isWithdrawn) {
      items = [];
      usage = NO_USAGE;
      finished = undefined;
    } else if (event.type === 'item.completed') items.push(event.result);
    else if (event.type === 'usage.reported') usage = mergeUsage(usage, event.usage);
    else if (event.type === 'reply.finished') finished = event;
  }
  return { items, usage, finished };
}
