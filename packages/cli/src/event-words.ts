import type { Phase, TurnEvent } from 'holdfast/turn';
import { durationWords } from 'holdfast/watch';

/** The lasting line that a fact deserves; `undefined` where the activity line or the answer itself says enough. */
export function eventWords(event: TurnEvent): string | undefined {
  switch (event.type) {
    case 'retry.scheduled':
      return `${event.reason.message} ${retryWords(event)}`;
    case 'fallback.chosen':
      return `${event.from} is failing (${event.reason.code}); this call goes on at ${event.to}.`;
    case 'deadline.extended':
      return extensionWords(event);
    case 'notice':
      return event.text;
    case 'item.completed':
      return completedWords(event);
    case 'call.completed':
      return event.finish === 'length'
        ? 'The answer was cut by the output cap. Raise --max-output-tokens for a whole one.'
        : undefined;
    case 'item.started':
    case 'item.delta':
    case 'usage.reported':
    case 'wire.kept_alive':
    case 'reply.ending':
    case 'reply.finished':
    case 'reply.failed':
    case 'attempt.started':
    case 'attempt.sent':
    case 'attempt.accepted':
    case 'attempt.completed':
    case 'attempt.failed':
    case 'attempt.retracted':
    case 'deadline.fired':
    case 'call.started':
    case 'call.failed':
      return undefined;
  }
}

function retryWords(event: Extract<TurnEvent, { type: 'retry.scheduled' }>): string {
  const changes = event.changes.length === 0 ? '' : ` with ${event.changes.join(' and ')}`;
  const when = event.waitMs < 100 ? 'now' : `in ${durationWords(event.waitMs)}`;
  return `Asking again${changes} ${when} (attempt ${event.number} of at most ${event.numberMax}).`;
}

/** Only where a long silence is to be expected; every other change of phase is in the activity line. */
function extensionWords(event: Extract<TurnEvent, { type: 'deadline.extended' }>): string | undefined {
  const why = becauseWords(event.because);
  if (why === undefined) return undefined;
  return `Silence of up to ${durationWords(event.toMs)} is normal now, instead of ${durationWords(event.fromMs)}: ${why}.`;
}

function becauseWords(phase: Phase): string | undefined {
  switch (phase) {
    case 'buffered_item':
      return 'a part of the reply is being written that this provider sends in one piece';
    case 'hidden_item':
      return 'this provider may be writing a tool call, which it announces only when whole';
    case 'connect':
    case 'prefill':
    case 'idle':
    case 'item':
    case 'terminal':
      return undefined;
  }
}

/** What the answer on standard output does not show. */
function completedWords(event: Extract<TurnEvent, { type: 'item.completed' }>): string | undefined {
  const { content } = event.result;
  switch (content.kind) {
    case 'tool_call':
      return `The model called ${content.name} (${content.input.text.length} characters of arguments). This command runs no tools, so nothing was run.`;
    case 'refusal':
      return `The model refused: ${content.text}`;
    case 'foreign':
      return `The reply holds a part of the kind ${content.wireKind}, which is not shown here.`;
    case 'message':
    case 'reasoning':
      return undefined;
  }
}
