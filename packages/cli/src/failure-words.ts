import type { Failure } from 'holdfast/turn';
import type { Colours } from './colours.js';
import { deadlineAdvice } from './read-deadline.js';
import { safeText } from './safe-text.js';

/** A failed call for a person: what happened, what to do, and the code in small type. Upstream words in it are only words. */
export function failureWords(failure: Failure, colours: Colours): string {
  const facts = [
    failure.code,
    ...(failure.attempts === undefined ? [] : [failure.attempts === 1 ? '1 attempt' : `${failure.attempts} attempts`]),
    ...(failure.upstream?.requestId === undefined ? [] : [`request ${failure.upstream.requestId}`]),
  ];
  const advice = failure.advice === undefined ? [] : [safeText(deadlineAdvice(failure.advice))];
  return [colours.red(safeText(failure.message)), ...advice, colours.dim(safeText(facts.join(' · ')))].join('\n');
}
