import type { ActiveItem, DeadlineVerdict, Failure } from '../turn/index.js';
import { durationWords } from './duration-words.js';

/** The failure of a fired deadline. Its words are made from the verdict and from nothing else. */
export function deadlineFailure(verdict: DeadlineVerdict, provider: string): Failure {
  return {
    code: `deadline_${verdict.watchdog}`,
    kind: 'deadline',
    retryable: true,
    atFault: verdict.watchdog === 'connect' ? 'network' : 'provider',
    message: deadlineSentence(verdict, provider),
    advice: adviceFor(verdict),
    deadline: verdict,
  };
}

function deadlineSentence(verdict: DeadlineVerdict, provider: string): string {
  const elapsed = durationWords(verdict.elapsedMs);
  const budget = durationWords(verdict.budgetMs);
  switch (verdict.watchdog) {
    case 'connect':
      return `No connection to ${provider} stood after ${elapsed} (connect budget ${budget}).`;
    case 'prefill':
      return `${provider} took the request and sent nothing of the model for ${elapsed} (prefill budget ${budget}).`;
    case 'transport':
      return `No byte came from ${provider} for ${elapsed} (transport budget ${budget})${openWords(verdict)}.`;
    case 'silence':
      return `Nothing of the model came from ${provider} for ${elapsed} (silence budget ${budget}, ${phaseWords(verdict)})${openWords(verdict)}.`;
    case 'attempt':
      return `The attempt at ${provider} was still running after ${elapsed} (attempt budget ${budget})${openWords(verdict)}.`;
    case 'turn':
      return `The turn was still running after ${elapsed} (turn budget ${budget})${openWords(verdict)}.`;
  }
}

function phaseWords(verdict: DeadlineVerdict): string {
  const last = `last fact: ${verdict.anchor.replaceAll('_', ' ')}`;
  switch (verdict.phase) {
    case 'connect':
    case 'prefill':
      return last;
    case 'idle':
      return `nothing open, ${last}`;
    case 'item':
      return `an item open, ${last}`;
    case 'buffered_item':
      return `an item open that this provider sends whole, ${last}`;
    case 'hidden_item':
      return `this provider announces calls only when whole, ${last}`;
    case 'terminal':
      return `everything complete but the end of the stream, ${last}`;
  }
}

function openWords(verdict: DeadlineVerdict): string {
  if (verdict.activeItems.length === 0) return '';
  return `; open: ${verdict.activeItems.map(itemWords).join(', ')}`;
}

function itemWords(item: ActiveItem): string {
  const what =
    item.name === undefined ? item.kind.replaceAll('_', ' ') : `${item.kind.replaceAll('_', ' ')} ${item.name}`;
  return `${what} (${item.chars} character${item.chars === 1 ? '' : 's'} so far)`;
}

function adviceFor(verdict: DeadlineVerdict): string {
  switch (verdict.watchdog) {
    case 'connect':
      return 'Check the address and the network, or raise deadlines.connectMs.';
    case 'prefill':
      return 'Try a shorter prompt or another model, or raise deadlines.prefillMs.';
    case 'transport':
      return 'Raise deadlines.transportMs, or leave it off where the provider does not ping.';
    case 'silence':
      return silenceAdvice(verdict);
    case 'attempt':
      return 'Raise deadlines.attemptMs if replies of this length are expected.';
    case 'turn':
      return 'Raise deadlines.turnMs if turns of this length are expected.';
  }
}

/** Names the one budget that decides in the phase. */
function silenceAdvice(verdict: DeadlineVerdict): string {
  switch (verdict.phase) {
    case 'connect':
    case 'prefill':
    case 'idle':
      return 'Ask again, or raise deadlines.silenceMs.';
    case 'item':
      return verdict.activeItems.some((item) => item.kind === 'tool_call')
        ? 'Ask for the payload in smaller pieces, or raise deadlines.openItemMs.'
        : 'Ask again, or raise deadlines.openItemMs.';
    case 'buffered_item':
    case 'hidden_item':
      return 'Ask for the payload in smaller pieces, or raise deadlines.openItemMs.';
    case 'terminal':
      return 'The reply was whole but for its end, and what was complete is kept with this failure. Ask again, or raise deadlines.terminalMs.';
  }
}
