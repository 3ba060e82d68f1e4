import type { Failure, FinishReason } from '../../turn/index.js';
import { oneLine } from '../one-line.js';

/** What a finish reason of this wire means; the wire's list is open. */
export type FinishClass = 'complete' | 'cap' | 'refused' | 'failed' | 'unknown';

export function finishClass(raw: string): FinishClass {
  return CLASSES.get(raw) ?? 'unknown';
}

/** Our reason in this wire's words. The provider's own word stays where it means the same. */
export function writeFinish(reason: FinishReason, raw: string | undefined): string {
  const meant = CLASS_OF[reason];
  if (raw !== undefined && WIRE_WORD.test(raw) && finishClass(raw) === meant) return raw;
  return WRITTEN[reason];
}

/** The reply ended with a reason that is neither a success nor a refusal. */
export function failedGeneration(raw: string, said: string | undefined, provider: string): Failure {
  const malformed = raw === 'MALFORMED_FUNCTION_CALL' || raw === 'UNEXPECTED_TOOL_CALL';
  const reason = said === undefined ? ' and gave no reason' : `: ${oneLine(said).replace(/\.$/, '')}`;
  return {
    code: malformed ? 'tool_call_malformed' : 'generation_failed',
    kind: 'protocol',
    retryable: true,
    atFault: malformed ? 'model' : 'provider',
    message: `${provider} ended the reply with ${raw}${reason}.`,
    advice: malformed
      ? 'Nothing of this call ran. Ask for a smaller call, or check that every tool it may call is declared.'
      : 'Ask again; if it stays, change the request or the model.',
    upstream: { provider, status: undefined, code: raw, type: undefined, message: said, requestId: undefined },
  };
}

const WIRE_WORD = /^[A-Z][A-Z0-9_]*$/;

const CLASSES: ReadonlyMap<string, FinishClass> = new Map([
  ['STOP', 'complete'],
  ['MAX_TOKENS', 'cap'],
  ['CONTINUATION', 'cap'],
  ['SAFETY', 'refused'],
  ['RECITATION', 'refused'],
  ['LANGUAGE', 'refused'],
  ['BLOCKLIST', 'refused'],
  ['PROHIBITED_CONTENT', 'refused'],
  ['SPII', 'refused'],
  ['IMAGE_SAFETY', 'refused'],
  ['IMAGE_PROHIBITED_CONTENT', 'refused'],
  ['IMAGE_RECITATION', 'refused'],
  // Sent by Vertex, in no list of the provider.
  ['MODEL_ARMOR', 'refused'],
  ['MALFORMED_FUNCTION_CALL', 'failed'],
  ['MALFORMED_RESPONSE', 'failed'],
  ['UNEXPECTED_TOOL_CALL', 'failed'],
  ['TOO_MANY_TOOL_CALLS', 'failed'],
  ['MISSING_THOUGHT_SIGNATURE', 'failed'],
  ['OTHER', 'failed'],
  ['NO_IMAGE', 'failed'],
  ['IMAGE_OTHER', 'failed'],
]);

const CLASS_OF: Readonly<Record<FinishReason, FinishClass>> = {
  stop: 'complete',
  tool_calls: 'complete',
  length: 'cap',
  content_filter: 'refused',
  unknown: 'unknown',
};

const WRITTEN: Readonly<Record<FinishReason, string>> = {
  stop: 'STOP',
  tool_calls: 'STOP',
  length: 'MAX_TOKENS',
  content_filter: 'SAFETY',
  unknown: 'FINISH_REASON_UNSPECIFIED',
};
