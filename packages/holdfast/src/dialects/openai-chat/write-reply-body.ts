import type { Item, JsonObject, TurnEvent } from '../../turn/index.js';
import type { WriterOptions } from '../dialect.js';
import { foldReply } from '../fold-reply.js';
import { ClientExtra } from './client-extra.js';
import { writeUsage } from './usage.js';
import { finishWord } from './write-reply.js';

/** The reply as one `chat.completion`. What was withdrawn and calls that were cut are not in it. */
export function writeReplyBody(events: readonly TurnEvent[], options: WriterOptions): JsonObject {
  const { items, usage, finished } = foldReply(events);
  const calls = items.filter(({ content }) => content.kind === 'tool_call').length;
  const counts = writeUsage(usage);
  return {
    id: options.replyId,
    object: 'chat.completion',
    created: options.createdAtSeconds,
    model: options.model,
    choices: [
      {
        index: 0,
        message: writeMessage(items),
        logprobs: null,
        finish_reason: finishWord(finished ?? UNEXPLAINED, calls),
      },
    ],
    ...(counts === undefined ? {} : { usage: counts }),
  };
}

const UNEXPLAINED = { reason: 'unknown', detail: undefined } as const;

function writeMessage(items: readonly Item[]): JsonObject {
  const extra = new ClientExtra();
  const calls: JsonObject[] = [];
  for (const { content, opaque } of items) {
    if (content.kind === 'reasoning') extra.addReasoning(opaque);
    if (content.kind === 'message') extra.addMessage(opaque);
    if (content.kind !== 'tool_call') continue;
    const { callId, name, input } = content;
    const tool =
      input.form === 'text'
        ? { type: 'custom', custom: { name, input: input.text } }
        : { type: 'function', function: { name, arguments: input.text } };
    calls.push({ id: callId, ...tool, ...extra.callState(opaque) });
  }
  const text = textOfKind(items, 'message');
  const reasoning = textOfKind(items, 'reasoning');
  const refusal = textOfKind(items, 'refusal');
  extra.show(reasoning);
  return {
    role: 'assistant',
    content: text === '' ? null : text,
    refusal: refusal === '' ? null : refusal,
    ...(reasoning === '' ? {} : { reasoning_content: reasoning }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
    ...extra.messageFields(),
  };
}

function textOfKind(items: readonly Item[], kind: 'message' | 'reasoning' | 'refusal'): string {
  return items.map(({ content }) => (content.kind === kind ? content.text : '')).join('');
}
