import { mergeUsage, NO_USAGE } from '../../turn/index.js';
import type { Failure, Item, ItemId, ItemKind, JsonObject, ReplyEvent, TurnEvent, Usage } from '../../turn/index.js';
import { isRecord } from '../../wire/index.js';
import type { ReplyWriter, WriterOptions } from '../dialect.js';
import { foldReply } from '../fold-reply.js';
import { writeError } from './failures.js';
import { writeFinish } from './finish.js';
import { GOOGLE, signatureOf } from './signature.js';
import { writeUsage } from './usage.js';
import { writeArgs } from './write-contents.js';

/**
 * A reply for a client of this wire: text as it comes, a call when it is complete, and one last chunk with the
 * finish and the counts. Every chunk has parts: one client forgets the turn over a chunk without.
 */
export class GeminiReplyWriter implements ReplyWriter {
  readonly #options: WriterOptions;
  readonly #shown: Map<ItemId, Shown> = new Map();
  #usage: Usage = NO_USAGE;
  #malformed: string | undefined;
  #hasBegun = false;
  #done = false;

  constructor(options: WriterOptions) {
    this.#options = options;
  }

  write(event: TurnEvent): string {
    if (this.#done) return '';
    switch (event.type) {
      case 'item.started':
        this.#shown.set(event.item, { kind: event.kind, chars: 0 });
        return '';
      case 'item.delta':
        return this.#writeDelta(event.item, event.text);
      case 'item.completed':
        return this.#writeCompleted(event.item, event.result);
      case 'usage.reported':
        this.#usage = mergeUsage(this.#usage, event.usage);
        return '';
      case 'reply.finished':
        return this.#writeFinished(event);
      case 'attempt.started':
        this.#usage = NO_USAGE;
        this.#shown.clear();
        this.#malformed = undefined;
        return '';
      // The runtime's own facts have no form here, and whether a failure is the end is for it to say.
      case 'reply.failed':
      case 'reply.ending':
      case 'wire.kept_alive':
      case 'attempt.sent':
      case 'attempt.accepted':
      case 'attempt.completed':
      case 'attempt.failed':
      case 'attempt.retracted':
      case 'deadline.extended':
      case 'deadline.fired':
      case 'call.started':
      case 'call.completed':
      case 'call.failed':
      case 'retry.scheduled':
      case 'fallback.chosen':
      case 'notice':
        return '';
    }
  }

  /** A thought of no text: every client known takes it, while comments break one of them. */
  keepAlive(): string {
    return this.#done ? '' : this.#chunk([{ thought: true, text: '' }]);
  }

  fail(failure: Failure): string {
    if (this.#done) return '';
    const frame = this.#frame(writeError(failure));
    return frame + this.#close();
  }

  #writeDelta(item: ItemId, text: string): string {
    const shown = this.#shown.get(item);
    if (shown === undefined || text === '') return '';
    shown.chars += text.length;
    const part = prosePart(shown.kind, text);
    return part === undefined ? '' : this.#chunk([part]);
  }

  /** The text of a signed item has gone out; its signature follows on an empty part, as this provider does it. */
  #writeCompleted(item: ItemId, result: Item): string {
    const sent = this.#shown.get(item)?.chars ?? 0;
    this.#shown.delete(item);
    this.#malformed = malformedCall(result) ?? this.#malformed;
    const part = itemPart(result, sent);
    return part === undefined ? '' : this.#chunk([part]);
  }

  #writeFinished(event: Finished): string {
    const last = finishedReply(this.#options, {
      parts: [{ text: '' }],
      finished: event,
      usage: this.#usage,
      malformed: this.#malformed,
    });
    const frame = this.#frame(last);
    return frame + this.#close();
  }

  #chunk(parts: readonly JsonObject[]): string {
    return this.#frame(response(this.#options, { content: { role: 'model', parts }, index: 0 }));
  }

  /** CRLF, as the provider ends its lines. */
  #frame(value: JsonObject): string {
    const json = JSON.stringify(value);
    if (this.#options.framing === 'sse') return `data: ${json}\r\n\r\n`;
    const lead = this.#hasBegun ? ',\r\n' : '[';
    this.#hasBegun = true;
    return lead + json;
  }

  #close(): string {
    this.#done = true;
    return this.#options.framing === 'sse' ? '' : '\r\n]';
  }
}

/** The reply as one `GenerateContentResponse`. What was withdrawn is not in it. */
export function writeReplyBody(events: readonly TurnEvent[], options: WriterOptions): JsonObject {
  const { items, usage, finished } = foldReply(events);
  const parts = items.map((item) => itemPart(item, 0)).filter((part) => part !== undefined);
  const malformed = items.map(malformedCall).find((name) => name !== undefined);
  return finishedReply(options, { parts: parts.length === 0 ? [{ text: '' }] : parts, finished, usage, malformed });
}

type Finished = ReplyEvent & { readonly type: 'reply.finished' };

interface Shown {
  readonly kind: ItemKind;
  /** Characters of its text that the client has. */
  chars: number;
}

interface Last {
  readonly parts: readonly JsonObject[];
  readonly finished: Finished | undefined;
  readonly usage: Usage;
  /** The tool whose arguments were no JSON object: this wire has a finish reason for that and no part. */
  readonly malformed: string | undefined;
}

function finishedReply(options: WriterOptions, { parts, finished, usage, malformed }: Last): JsonObject {
  const reason =
    malformed === undefined ? writeFinish(finished?.reason ?? 'unknown', finished?.raw) : 'MALFORMED_FUNCTION_CALL';
  const message =
    malformed === undefined ? finished?.detail : `The arguments of the call "${malformed}" are not a JSON object.`;
  const candidate: JsonObject = {
    content: { role: 'model', parts },
    finishReason: reason,
    ...(message === undefined ? {} : { finishMessage: message }),
    index: 0,
  };
  const usageMetadata = writeUsage(usage);
  return response(options, candidate, usageMetadata);
}

function response(options: WriterOptions, candidate: JsonObject, usageMetadata?: JsonObject): JsonObject {
  return {
    candidates: [candidate],
    ...(usageMetadata === undefined ? {} : { usageMetadata }),
    modelVersion: options.model,
    responseId: options.replyId,
  };
}

function prosePart(kind: ItemKind, text: string): JsonObject | undefined {
  switch (kind) {
    case 'reasoning':
      return { text, thought: true };
    case 'message':
    case 'refusal':
      return { text };
    case 'tool_call':
    case 'foreign':
      return undefined;
  }
}

/** The part of a completed item of which the client has this many characters; `undefined` where nothing is left to send. */
function itemPart(item: Item, sentChars: number): JsonObject | undefined {
  const signature = signatureOf(item, GOOGLE);
  const signed = signature === undefined ? {} : { thoughtSignature: signature };
  const { content } = item;
  switch (content.kind) {
    case 'reasoning':
    case 'message':
    case 'refusal': {
      const rest = content.text.slice(sentChars);
      if (rest === '' && signature === undefined) return undefined;
      return { ...prosePart(content.kind, rest), ...signed };
    }
    case 'tool_call':
      if (content.input.form === 'invalid') return undefined;
      return { functionCall: { id: content.callId, name: content.name, args: writeArgs(content.input) }, ...signed };
    case 'foreign':
      return isRecord(content.value) && Object.hasOwn(content.value, content.wireKind)
        ? { ...content.value, ...signed }
        : undefined;
  }
}

function malformedCall({ content }: Item): string | undefined {
  return content.kind === 'tool_call' && content.input.form === 'invalid' ? content.name : undefined;
}
