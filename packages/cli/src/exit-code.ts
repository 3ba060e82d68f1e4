import type { FailureKind, FinishReason } from 'holdfast/turn';
import type { StopSignal } from './world.js';

/** What a shell is told. Scripts rely on these numbers: docs/SPEC.md, exit codes. */
export const EXIT_CODES: Readonly<Record<FailureKind, number>> = {
  auth: 3,
  billing: 3,
  request: 4,
  model_unknown: 4,
  context_overflow: 4,
  content: 6,
  transient: 7,
  protocol: 7,
  deadline: 8,
  output_cap: 9,
  output_cap_thinking: 9,
  empty_completion: 9,
  stopped: 130,
};

/** Stop beats failure: whatever the call said, a signal decides. */
export function exitCodeOf(kind: FailureKind, signal: StopSignal | undefined): number {
  if (signal !== undefined) return signal === 'SIGINT' ? 130 : 143;
  return EXIT_CODES[kind];
}

/** A reply that came to an end and is still no whole answer is no success. */
export function exitCodeOfFinish(finish: FinishReason): number {
  switch (finish) {
    case 'stop':
    case 'tool_calls':
    case 'unknown':
      return 0;
    case 'length':
      return EXIT_CODES.output_cap;
    case 'content_filter':
      return EXIT_CODES.content;
  }
}
