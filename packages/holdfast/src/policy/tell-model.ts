import type { DeadlineVerdict, Failure } from '../turn/index.js';

/** How often the same cause has cut this call, the newest cut included. */
export interface Times {
  readonly count: number;
}

/**
 * What the model is told at the tail of the next request, so that it does not write the same doomed reply again.
 * `undefined` where the cause was not of the model's making.
 */
export function tellModel(failure: Failure, times: Times): string | undefined {
  switch (failure.kind) {
    case 'deadline':
      return failure.deadline === undefined ? undefined : tellDeadline(failure.deadline, times);
    case 'protocol':
      if (failure.code === 'wrong_content_type') return undefined; // No model wrote that page, and none needs to read it.
      return `[Note from the runtime] Your previous reply did not arrive whole (${oneLine(failure.message)}) and was withdrawn; nothing in it was executed. Please answer again${often(times)}. If it held a large tool call, split it into smaller ones.`;
    case 'transient':
    case 'request':
    case 'context_overflow':
    case 'auth':
    case 'billing':
    case 'model_unknown':
    case 'content':
    case 'output_cap_thinking':
    case 'output_cap':
    case 'empty_completion':
    case 'stopped':
      return undefined;
  }
}

/** A cut in prefill says nothing about the reply, so the model is told only of cuts while it was writing. */
function tellDeadline(verdict: DeadlineVerdict, times: Times): string | undefined {
  const seconds = Math.max(1, Math.round(verdict.elapsedMs / 1_000));
  const call = verdict.activeItems.find((item) => item.kind === 'tool_call');
  if (call === undefined && verdict.phase !== 'hidden_item' && verdict.phase !== 'item') return undefined;
  const cut = (what: string): string =>
    `[Note from the runtime] Your previous attempt was cut ${what}: nothing arrived for ${seconds} s, so it was withdrawn and nothing was executed${often(times)}.`;
  if (call === undefined && verdict.phase === 'item')
    return `${cut('in the middle of its answer')} Please answer again, and keep it shorter.`;
  const what =
    call === undefined
      ? 'while it was silent, possibly writing a large tool call'
      : `while emitting a large tool call${call.name === undefined ? '' : ` (${call.name})`}`;
  return `${cut(what)} Split the work: write the payload in smaller pieces, over several tool calls.`;
}

function often(times: Times): string {
  return times.count > 1 ? ` (this happened ${times.count} times)` : '';
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replace(/\.$/, '').slice(0, 200);
}
