import type { ItemId } from '../turn/index.js';

/** The id of a call whose provider sent none, or one that its reply has used before. Stable: made from the item alone. */
export function madeCallId(item: ItemId): string {
  return `call_${item.replace(/[^A-Za-z0-9]/gu, '_')}`;
}
