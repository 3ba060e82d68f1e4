import type { Failure, Item, Usage } from '../turn/index.js';

/** What the promise-style API throws when a call fails. The failure is data; this carries it. */
export class HoldfastError extends Error {
  override readonly name = 'HoldfastError';
  readonly failure: Failure;
  /** What was complete when the call failed. */
  readonly items: readonly Item[];
  /** Visible text of the last attempt, that of an unfinished message included. Never an answer. */
  readonly partialText: string;
  /** All attempts of the call. */
  readonly usage: Usage;

  constructor(
    failure: Failure,
    kept: { readonly items: readonly Item[]; readonly partialText: string; readonly usage: Usage },
  ) {
    super(failure.advice === undefined ? failure.message : `${failure.message} ${failure.advice}`);
    this.failure = failure;
    this.items = kept.items;
    this.partialText = kept.partialText;
    this.usage = kept.usage;
  }
}
