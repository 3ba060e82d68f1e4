import type { Phase } from '../turn/index.js';
import type { Ledger } from './ledger.js';
import type { Rules } from './rules.js';

/** How long the next lifecycle fact may take in this phase, in milliseconds. */
export function silenceBudgetMs(phase: Phase, ledger: Ledger, rules: Rules): number {
  const { deadlines } = rules;
  switch (phase) {
    case 'connect':
      return deadlines.connectMs;
    case 'prefill':
      return readingBudgetMs(rules) + (rules.streamed ? 0 : physicalBudgetMs(ledger, rules));
    case 'idle':
      return deadlines.silenceMs;
    case 'item':
      return deadlines.openItemMs ?? deadlines.silenceMs;
    case 'buffered_item':
    case 'hidden_item':
      return deadlines.openItemMs === undefined
        ? physicalBudgetMs(ledger, rules)
        : Math.max(deadlines.openItemMs, deadlines.silenceMs);
    case 'terminal':
      return deadlines.terminalMs;
  }
}

/** A long prompt is read for longer. */
function readingBudgetMs({ deadlines, promptTokens }: Rules): number {
  return deadlines.prefillMs + Math.floor(promptTokens / 4_000) * deadlines.prefillPer4kTokensMs;
}

/**
 * The time in which a reply that shows nothing could still be alive: what is left of its cap, written at the slow
 * pace. Never below the plain silence budget, and never above `silenceMaxMs`, since a dead server must not hold a
 * turn for as long as a large cap would allow.
 */
function physicalBudgetMs(ledger: Ledger, rules: Rules): number {
  const { silenceMs, silenceMaxMs } = rules.deadlines;
  if (rules.maxOutputTokens === undefined) return Math.max(silenceMs, silenceMaxMs);
  const left = Math.max(0, rules.maxOutputTokens - ledger.outputTokens);
  const alive = Math.ceil((left / rules.slowPace) * 1_000);
  return Math.max(silenceMs, Math.min(alive, silenceMaxMs));
}
