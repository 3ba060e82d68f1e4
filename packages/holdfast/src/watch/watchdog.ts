import type { Anchor, DeadlineVerdict, Phase, WatchdogName } from '../turn/index.js';
import { silenceBudgetMs } from './budget.js';
import type { Ledger } from './ledger.js';
import { phaseOf } from './phase.js';
import type { Rules } from './rules.js';

/** The soonest moment at which a budget runs out if nothing happens before. */
export interface Alarm {
  readonly watchdog: WatchdogName;
  readonly at: number;
  readonly budgetMs: number;
  readonly anchor: Anchor;
  readonly anchorAt: number;
  readonly phase: Phase;
}

/** When the caller must come back. It owns the timer; this file owns none. */
export function nextAlarm(ledger: Ledger, rules: Rules): Alarm {
  const phase = phaseOf(ledger, rules);
  const end = backstop(phase, ledger, rules);
  if (ledger.paused) return end;
  const quiet = progressAlarm(phase, ledger, rules);
  const soonest = quiet.at <= end.at ? quiet : end;
  const transport = transportAlarm(phase, ledger, rules);
  return transport !== undefined && transport.at < soonest.at ? transport : soonest;
}

/** The whole verdict once a budget has run out, `undefined` before. */
export function verdict(ledger: Ledger, rules: Rules, now: number): DeadlineVerdict | undefined {
  const alarm = nextAlarm(ledger, rules);
  if (now < alarm.at) return undefined;
  return {
    watchdog: alarm.watchdog,
    budgetMs: alarm.budgetMs,
    elapsedMs: Math.ceil(now - alarm.anchorAt), // Never less than the budget that it is said to have passed.
    anchor: alarm.anchor,
    anchorAtMs: Math.round(alarm.anchorAt - ledger.startedAt),
    phase: alarm.phase,
    activeItems: ledger.activeItems,
    capabilities: rules.capabilities,
  };
}

function progressAlarm(phase: Phase, ledger: Ledger, rules: Rules): Alarm {
  const anchorAt = ledger.progressAt ?? ledger.sentAt ?? ledger.connectingAt;
  const budgetMs = silenceBudgetMs(phase, ledger, rules);
  const watchdog = phase === 'connect' || phase === 'prefill' ? phase : 'silence';
  return { watchdog, at: anchorAt + budgetMs, budgetMs, anchor: ledger.anchor, anchorAt, phase };
}

function transportAlarm(phase: Phase, ledger: Ledger, rules: Rules): Alarm | undefined {
  const budgetMs = rules.deadlines.transportMs;
  const anchorAt = ledger.bytesAt;
  if (budgetMs === undefined || anchorAt === undefined) return undefined;
  return { watchdog: 'transport', at: anchorAt + budgetMs, budgetMs, anchor: 'byte', anchorAt, phase };
}

/** There is always an end: the attempt's own, or the turn's where that is sooner. */
function backstop(phase: Phase, ledger: Ledger, rules: Rules): Alarm {
  const { attemptMs, turnMs } = rules.deadlines;
  const anchorAt = ledger.startedAt;
  if (anchorAt + attemptMs <= rules.turnEndsAt) {
    return {
      watchdog: 'attempt',
      at: anchorAt + attemptMs,
      budgetMs: attemptMs,
      anchor: 'attempt_started',
      anchorAt,
      phase,
    };
  }
  const turnAt = rules.turnEndsAt - turnMs;
  return { watchdog: 'turn', at: rules.turnEndsAt, budgetMs: turnMs, anchor: 'turn_started', anchorAt: turnAt, phase };
}
