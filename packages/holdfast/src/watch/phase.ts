import type { Phase } from '../turn/index.js';
import type { Ledger } from './ledger.js';
import type { Rules } from './rules.js';

/** Where the attempt stands, as far as its producer lets anyone see. */
export function phaseOf(ledger: Ledger, rules: Rules): Phase {
  if (ledger.sentAt === undefined) return 'connect';
  if (ledger.progressAt === undefined) return 'prefill';
  if (ledger.ending) return 'terminal';
  if (ledger.openCalls > 0 && !rules.capabilities.argumentDeltas) return 'buffered_item';
  if (ledger.itemsSeen === 0) return 'idle';
  if (mayHideItems(rules)) return 'hidden_item'; // Before hidden thinking: a call may follow it unseen.
  if (ledger.openReasoning > 0 && !rules.capabilities.reasoningDeltas) return 'buffered_item';
  return ledger.activeCount > 0 ? 'item' : 'terminal';
}

/** The producer tells of a call only when it is whole, and this request lets it make one. */
export function mayHideItems(rules: Rules): boolean {
  return rules.capabilities.itemStart === 'with_completion' && rules.offersTools;
}
