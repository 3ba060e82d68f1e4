import type { Failure, FinishReason } from '../../turn/index.js';

/** What a finish reason of this wire means. Its list is open, so everything unknown is benign. */
export type FinishClass = 'benign' | 'cap' | 'refused' | 'failed';

export function finishClass(raw: string): FinishClass {
  return CLASSES.get(raw) ?? 'benign';
}

/** A later finish reason replaces an earlier one only where it is worse. */
export function isWorse(raw: string, than: string): boolean {
  return than === '' || GRAVITY[finishClass(raw)] > GRAVITY[finishClass(than)];
}

/** The upstream's own reason, as OpenRouter repeats it, where the cap ended the reply whatever the reason beside it says. */
export function isNativeCap(native: string): boolean {
  return NATIVE_CAPS.has(native);
}

/** A benign reason in our words, for a reply without calls. `tool_calls` without a call is an ordinary stop. */
export function benignFinish(raw: string | undefined): FinishReason {
  return raw !== undefined && STOPS.has(raw) ? 'stop' : 'unknown';
}

export function writeFinish(reason: FinishReason): string {
  return WRITTEN[reason];
}

/** The provider gave up and said so in the place of a finish reason, without an error beside it. */
export function failedFinish(raw: string, provider: string): Failure {
  return {
    code: raw === 'insufficient_system_resource' ? 'upstream_overloaded' : 'upstream_error',
    kind: 'transient',
    retryable: true,
    atFault: 'provider',
    message: `${provider} ended its reply with the finish reason "${raw}".`,
    advice: 'Nothing of this reply ran. Ask again; if it stays, use another model or provider.',
    upstream: { provider, status: undefined, code: raw, type: undefined, message: undefined, requestId: undefined },
  };
}

const CLASSES: ReadonlyMap<string, FinishClass> = new Map([
  ['length', 'cap'],
  ['max_tokens', 'cap'],
  ['max_output_tokens', 'cap'],
  // Mistral, where the context window and not the cap is full.
  ['model_length', 'cap'],
  ['content_filter', 'refused'],
  ['sensitive', 'refused'],
  ['error', 'failed'],
  ['network_error', 'failed'],
  ['insufficient_system_resource', 'failed'],
]);

const GRAVITY: Readonly<Record<FinishClass, number>> = { benign: 0, cap: 1, refused: 2, failed: 3 };

const NATIVE_CAPS: ReadonlySet<string> = new Set([
  'length',
  'max_tokens',
  'max_output_tokens',
  'model_length',
  'MAX_TOKENS',
]);

const STOPS: ReadonlySet<string> = new Set(['stop', 'tool_calls', 'function_call', 'eos', 'end_turn', 'stop_sequence']);

const WRITTEN: Readonly<Record<FinishReason, string>> = {
  stop: 'stop',
  tool_calls: 'tool_calls',
  length: 'length',
  content_filter: 'content_filter',
  unknown: 'stop',
};
