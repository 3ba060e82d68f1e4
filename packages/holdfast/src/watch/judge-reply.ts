import type { Failure, FinishReason, Item } from '../turn/index.js';
import type { Reply } from './reply.js';

/** A reply that ended in its wire's own way, and what is needed to say whether it answered. */
export interface EndedReply {
  readonly reply: Reply;
  readonly reason: FinishReason;
  readonly raw: string | undefined;
  readonly detail: string | undefined;
  readonly provider: string;
  readonly model: string;
  readonly maxOutputTokens: number | undefined;
  readonly promptTokens: number;
  readonly configEntry: string | undefined;
}

/** A clean end is not yet an answer. `undefined` where the reply stands, whole or honestly cut by its cap. */
export function judgeReply(ended: EndedReply): Failure | undefined {
  if (ended.reason === 'content_filter') return contentFailure(ended);
  const empty = !ended.reply.callStarted && !ended.reply.items.some(isSubstance);
  if (!empty) return undefined;
  if (ended.reason === 'length' && wasThinking(ended)) return capSpentThinking(ended);
  return emptyCompletion(ended);
}

function isSubstance(item: Item): boolean {
  const { content } = item;
  if (content.kind === 'reasoning') return false;
  return content.kind === 'tool_call' || content.kind === 'foreign' || content.text !== '';
}

/** Thinking was seen or billed, or the cap's worth of tokens went somewhere that nobody saw. */
function wasThinking(ended: EndedReply): boolean {
  const cap = ended.maxOutputTokens;
  return sawThinking(ended) || (cap !== undefined && (ended.reply.usage.outputTokens ?? 0) >= cap * 0.9);
}

function sawThinking(ended: EndedReply): boolean {
  const { items, usage } = ended.reply;
  return items.some((item) => item.content.kind === 'reasoning') || (usage.reasoningTokens ?? 0) > 0;
}

function contentFailure(ended: EndedReply): Failure {
  const detail = ended.detail ?? ended.raw;
  return {
    code: 'content_refused',
    kind: 'content',
    retryable: false,
    atFault: 'model',
    message: `${ended.provider} ended the reply of ${ended.model} as refused or blocked${detail === undefined ? '' : ` (${detail})`}.`,
    advice: 'Change the request; the same one will be refused again.',
  };
}

function capSpentThinking(ended: EndedReply): Failure {
  const cap = ended.maxOutputTokens ?? ended.reply.usage.outputTokens;
  const entry = ended.configEntry ?? 'max_tokens';
  const facts = `finish reason ${ended.raw ?? 'length'}, prompt about ${ended.promptTokens} tokens`;
  return {
    code: 'output_cap_thinking',
    kind: 'output_cap_thinking',
    retryable: false,
    atFault: 'operator',
    message: `The reply of ${ended.model} used all ${cap ?? 'its'} output tokens ${sawThinking(ended) ? 'thinking' : 'before it showed anything'} (${facts}).`,
    advice: `Raise \`${entry}\` or lower the thinking level.`,
    ...(ended.configEntry === undefined ? {} : { configEntry: ended.configEntry }),
  };
}

function emptyCompletion(ended: EndedReply): Failure {
  return {
    code: 'empty_completion',
    kind: 'empty_completion',
    retryable: true,
    atFault: 'model',
    message: `${ended.model} ended its reply (${ended.raw ?? ended.reason}) without any content.`,
    advice: 'If this prompt meets it again, tell the model what to answer, or add a fallback of another vendor.',
  };
}
