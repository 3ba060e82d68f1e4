import { mergeUsage, NO_USAGE } from '../../turn/index.js';
import type { Item, JsonObject, JsonValue, ReplyEvent, TurnEvent, Usage } from '../../turn/index.js';
import type { WriterOptions } from '../dialect.js';
import { ClientExtra } from './client-extra.js';
import { writeUsage } from './usage.js';
import { finishWord } from './write-reply.js';

/** The reply as one `chat.completion`. What was withdrawn and calls that were cut are not in it. */
export function writeReplyBody(events: readonly TurnEvent[], options: WriterOptions): JsonObject {
  const { items, usage, finished } = fold(events);
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

type Finished = Extract<ReplyEvent, { type: 'reply.finished' }>;

const UNEXPLAINED = { reason: 'unknown', detail: undefined } as const;

interface Folded {
  readonly items: readonly Item[];
  readonly usage: Usage;
  readonly finished: Finished | undefined;
}

function fold(events: readonly TurnEvent[]): Folded {
  let items: Item[] = [];
  let usage = NO_USAGE;
  let finished: Finished | undefined;
  for (const event of events) {
    const isWithdrawn = event.type === 'attempt.started' || event.type === 'attempt.retracted';
    if (isWithdrawn) {
      items = [];
      usage = NO_USAGE;
      finished = undefined;
    } else if (event.type === 'item.completed') items.push(event.result);
    else if (event.type === 'usage.reported') usage = mergeUsage(usage, event.usage);
    else if (event.type === 'reply.finished') finished = event;
  }
  return { items, usage, finished };
}

function writeMessage(items: readonly Item[]): JsonObject {
  const extra = new ClientExtra();
  const details: JsonValue[] = [];
  const calls: JsonObject[] = [];
  for (const { content, opaque } of items) {
    if (content.kind === 'reasoning') details.push(...extra.addReasoning(opaque));
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
  const state = extra.messageExtra();
  return {
    role: 'assistant',
    content: text === '' ? null : text,
    refusal: refusal === '' ? null : refusal,
    ...(reasoning === '' ? {} : { reasoning_content: reasoning }),
    ...(details.length === 0 ? {} : { reasoning_details: details }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
    ...(state === undefined ? {} : { extra_content: state }),
  };
}

function textOfKind(items: readonly Item[], kind: 'message' | 'reasoning' | 'refusal'): string {
  return items.map(({ content }) => (content.kind === kind ? content.text : '')).join('');
}
