import type { Case } from './case-file.js';
import type { SeenRequest } from './fake-provider.js';
import type { Outcome } from './outcome.js';

/** Upper bounds of time are for an idle machine and may be widened so far; lower ones never. */
export const TIME_SLACK: number = 3;

/** Everything that a judge looks at: the case, what came out, and what the provider saw. */
export interface Scene {
  readonly played: Case;
  readonly outcome: Outcome;
  readonly requests: readonly SeenRequest[];
  readonly scale: number;
}

/** All that the surface says of a failure, in one text. */
export function failureWords({ outcome }: Scene): string {
  const failure = outcome.failure?.failure;
  const cause = failure?.cause;
  return [outcome.failure?.message, failure?.configEntry, cause?.message, cause?.advice]
    .filter((text) => text !== undefined)
    .join(' ');
}

/** Everything that a consumer was shown: the final text, each piece on the way, and the client's bytes. */
export function shownTexts({ outcome }: Scene): readonly string[] {
  const deltas = outcome.events.map(({ event }) => (event.type === 'item.delta' ? event.text : ''));
  return [outcome.text, ...deltas, outcome.client?.document.raw ?? ''];
}
