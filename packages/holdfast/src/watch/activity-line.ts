import type { Ledger } from './ledger.js';
import { durationWords } from './duration-words.js';
import type { Rules } from './rules.js';
import { nextAlarm } from './watchdog.js';
import type { Alarm } from './watchdog.js';

/** The one line that says what an attempt is doing now and, when it is silent, why and until when. */
export function activityLine(
  ledger: Ledger,
  rules: Rules,
  view: { readonly provider: string; readonly now: number },
): string {
  const alarm = nextAlarm(ledger, rules);
  const age = durationWords(view.now - alarm.anchorAt);
  const budget = durationWords(alarm.budgetMs);
  const left = durationWords(Math.max(0, alarm.at - view.now));
  switch (alarm.phase) {
    case 'connect':
      return `Connecting to ${view.provider} · ${age} of ${budget}`;
    case 'prefill':
      return `Waiting for the first token from ${view.provider} · ${age} of ${budget}`;
    case 'hidden_item':
      return view.now - alarm.anchorAt < 2_000
        ? openLine(ledger, age, alarm)
        : `Quiet for ${age}; a tool call may be under way, which this provider shows only when whole · ${left} left`;
    case 'buffered_item':
      return `${ledger.openCalls > 0 ? `Writing ${openName(ledger)}` : 'Thinking'} · shown only when whole · ${age} of ${budget}`;
    case 'idle':
    case 'item':
      return pingAge(ledger, view.now) ?? openLine(ledger, age, alarm);
    case 'terminal':
      return `Reply complete; waiting for ${view.provider} to end the stream · ${age} of ${budget}`;
  }
}

function openLine(ledger: Ledger, age: string, alarm: Alarm): string {
  const open = ledger.activeItems.at(-1);
  if (open === undefined)
    return `No item open · last fact ${age} ago · cut in ${durationWords(alarm.budgetMs)} of quiet`;
  if (open.kind === 'reasoning') return `Thinking · about ${ledger.outputTokens} tokens · last ${age} ago`;
  if (open.kind === 'tool_call')
    return `Writing ${openName(ledger)} · ${open.chars} characters so far · last ${age} ago`;
  return `Answering · about ${ledger.outputTokens} tokens · last ${age} ago`;
}

function openName(ledger: Ledger): string {
  return ledger.activeItems.findLast((item) => item.name !== undefined)?.name ?? 'a tool call';
}

/** Only where the wire has been heard well after the model. */
function pingAge(ledger: Ledger, now: number): string | undefined {
  const { bytesAt, progressAt } = ledger;
  if (bytesAt === undefined || progressAt === undefined || bytesAt - progressAt < 2_000) return undefined;
  return `Connection alive (ping ${durationWords(now - bytesAt)} ago), no content for ${durationWords(now - progressAt)}`;
}
