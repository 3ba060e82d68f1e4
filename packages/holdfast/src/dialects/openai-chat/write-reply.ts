import { mergeUsage, NO_USAGE } from '../../turn/index.js';
import type { Failure, Item, ItemId, ItemKind, JsonObject, ReplyEvent, TurnEvent, Usage } from '../../turn/index.js';
import { writeSseEvent } from '../../wire/index.js';
import type { ReplyWriter, WriterOptions } from '../dialect.js';
import { madeCallId } from '../made-call-id.js';
import { ClientExtra } from './client-extra.js';
import { writeError } from './failures.js';
import { writeFinish } from './finish.js';
import { writeUsage } from './usage.js';

/**
 * A reply for a client of this wire, as its strictest library reads it: the role first, one finish reason, then the
 * counts if they were asked for, then `[DONE]`.
 *
 * Several clients look for a call's state on its first delta alone. So a call that arrives whole is written when it is
 * complete, and the start of any other waits for one more event, at the longest for the end of its arrival.
 */
export class ChatReplyWriter implements ReplyWriter {
  readonly #options: WriterOptions;
  readonly #texts: Map<ItemId, OpenText> = new Map();
  readonly #calls: Map<ItemId, OpenCall> = new Map();
  readonly #extra: ClientExtra = new ClientExtra();
  #waiting: OpenCall | undefined;
  #callsWritten = 0;
  #callsCompleted = 0;
  #hasBegun = false;
  #usage: Usage = NO_USAGE;
  #done = false;

  constructor(options: WriterOptions) {
    this.#options = options;
  }

  write(event: TurnEvent): string {
    if (this.#done) return '';
    const isSame = 'item' in event && event.item === this.#waiting?.item;
    const before = isSame ? '' : this.#showWaiting();
    return before + this.#writeEvent(event);
  }

  /** A producer that announces a call and then writes it for a minute: the client sees the start meanwhile. */
  flush(): string {
    return this.#done ? '' : this.#showWaiting();
  }

  /** The empty delta: clients' timers start anew over it, and it says nothing. */
  keepAlive(): string {
    return this.#done ? '' : this.#showWaiting() + this.#chunk({});
  }

  fail(failure: Failure): string {
    if (this.#done) return '';
    this.#done = true;
    return writeSseEvent({ data: JSON.stringify(writeError(failure)) }) + DONE;
  }

  #writeEvent(event: TurnEvent): string {
    switch (event.type) {
      case 'item.started':
        this.#start(event);
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
        this.#begin();
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

  /** What the client has seen of an earlier attempt stays on its screen; nothing of it is carried on. */
  #begin(): void {
    this.#texts.clear();
    this.#calls.clear();
    this.#waiting = undefined;
    this.#extra.begin();
    this.#usage = NO_USAGE;
    this.#callsCompleted = 0;
  }

  #start({ item, kind, name, callId }: Extract<ReplyEvent, { type: 'item.started' }>): void {
    if (kind !== 'tool_call') {
      this.#texts.set(item, { kind, chars: 0 });
      return;
    }
    const call: OpenCall = { item, name, callId: callId ?? madeCallId(item), index: undefined, held: '', chars: 0 };
    this.#calls.set(item, call);
    this.#waiting = call;
  }

  #writeDelta(item: ItemId, text: string): string {
    const call = this.#calls.get(item);
    if (call !== undefined) return this.#writeArguments(call, text);
    const open = this.#texts.get(item);
    if (open === undefined) return '';
    open.chars += text.length;
    return this.#writeText(open.kind, text);
  }

  #writeArguments(call: OpenCall, text: string): string {
    call.chars += text.length;
    if (call.index === undefined) {
      const isFirst = call.held === '';
      call.held += text;
      if (call.name === undefined || (isFirst && looksWhole(text))) {
        if (this.#waiting === call) this.#waiting = undefined;
        return '';
      }
      return this.#showCall(call, call.name);
    }
    return text === '' ? '' : this.#callChunk(call.index, { function: { arguments: text } });
  }

  /** A start that nothing followed at once: the client learns of the call before its arguments. */
  #showWaiting(): string {
    const call = this.#waiting;
    this.#waiting = undefined;
    return call?.name === undefined || call.index !== undefined ? '' : this.#showCall(call, call.name);
  }

  /** The first delta of a call, with the arguments that are there. */
  #showCall(call: OpenCall, name: string, state: JsonObject = {}): string {
    const index = this.#place(call);
    const [first, ...more] = cut(call.held);
    const fields = { id: call.callId, type: 'function', function: { name, arguments: first ?? '' }, ...state };
    const opening = this.#callChunk(index, fields);
    return opening + more.map((text) => this.#callChunk(index, { function: { arguments: text } })).join('');
  }

  #writeCompleted(item: ItemId, { content, opaque }: Item): string {
    switch (content.kind) {
      case 'reasoning':
        this.#extra.addReasoning(opaque);
        return this.#writeRest(item, content);
      case 'message':
        this.#extra.addMessage(opaque);
        return this.#writeRest(item, content);
      case 'refusal':
        return this.#writeRest(item, content);
      case 'tool_call':
        this.#callsCompleted += 1;
        return this.#completeCall(item, { content, opaque });
      case 'foreign':
        return '';
    }
  }

  /** What the deltas did not carry of the text, which is all of it where none came. */
  #writeRest(item: ItemId, { kind, text }: TextContent): string {
    const sent = this.#texts.get(item)?.chars ?? 0;
    this.#texts.delete(item);
    return this.#writeText(kind, text.slice(sent));
  }

  #writeText(kind: ItemKind, text: string): string {
    const field = FIELDS[kind];
    if (field === undefined || text === '') return '';
    if (kind === 'reasoning') this.#extra.show(text);
    return this.#chunk({ [field]: text });
  }

  #completeCall(item: ItemId, { content, opaque }: Item): string {
    if (content.kind !== 'tool_call') return '';
    const call = this.#calls.get(item) ?? openAtEnd(item, content.callId);
    this.#calls.delete(item);
    const state = this.#extra.callState(opaque);
    const rest = content.input.text.slice(call.chars);
    if (call.index === undefined) {
      call.held += rest;
      if (content.input.form === 'text') return this.#writeCustom(call, content.name, state);
      call.callId = content.callId;
      return this.#showCall(call, content.name, state);
    }
    const { index } = call;
    const pieces = cut(rest).map((text) => this.#callChunk(index, { function: { arguments: text } }));
    return pieces.join('') + (Object.keys(state).length === 0 ? '' : this.#callChunk(index, state));
  }

  #writeCustom(call: OpenCall, name: string, state: JsonObject): string {
    const index = this.#place(call);
    return this.#callChunk(index, { id: call.callId, type: 'custom', custom: { name, input: call.held }, ...state });
  }

  /** From now on the client knows the call. */
  #place(call: OpenCall): number {
    const index = this.#callsWritten;
    this.#callsWritten += 1;
    call.index = index;
    return index;
  }

  #writeFinished(event: Extract<ReplyEvent, { type: 'reply.finished' }>): string {
    this.#done = true;
    const fields = this.#extra.messageFields();
    const state = Object.keys(fields).length === 0 ? '' : this.#chunk(fields);
    const end = this.#chunk({}, finishWord(event, this.#callsCompleted));
    const usage = this.#options.wantsUsage ? writeUsage(this.#usage) : undefined;
    const counts = usage === undefined ? '' : this.#frame({ choices: [], usage });
    return state + end + counts + DONE;
  }

  #callChunk(index: number, fields: JsonObject): string {
    return this.#chunk({ tool_calls: [{ index, ...fields }] });
  }

  #chunk(delta: JsonObject, finish?: string): string {
    const role = this.#hasBegun ? '' : this.#role();
    return role + this.#frame({ choices: [{ index: 0, delta, finish_reason: finish ?? null }] });
  }

  #role(): string {
    this.#hasBegun = true;
    return this.#frame({ choices: [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }] });
  }

  #frame(fields: JsonObject): string {
    const { replyId, createdAtSeconds, model } = this.#options;
    const chunk = { id: replyId, object: 'chat.completion.chunk', created: createdAtSeconds, model, ...fields };
    return `data: ${JSON.stringify(chunk)}\n\n`;
  }
}

/** This wire has no word for an end that nobody explained. Calls that are complete are there to be run. */
export function finishWord({ reason, detail }: Finished, callsCompleted: number): string {
  // OpenAI ends a refusal with "stop": the field that it stands in says the rest.
  if (reason === 'content_filter' && detail === 'refusal') return 'stop';
  return reason === 'unknown' && callsCompleted > 0 ? 'tool_calls' : writeFinish(reason);
}

/** Of arguments that arrived in one piece, this many characters go into one delta. */
const PIECE_CHARS_MAX = 4_096;

type Finished = Pick<Extract<ReplyEvent, { type: 'reply.finished' }>, 'reason' | 'detail'>;

type TextContent = Extract<Item['content'], { text: string }>;

interface OpenText {
  readonly kind: ItemKind;
  /** Characters of its text that the client has. */
  chars: number;
}

interface OpenCall {
  readonly item: ItemId;
  readonly name: string | undefined;
  callId: string;
  /** Its place on the wire; `undefined` while the client knows nothing of it. */
  index: number | undefined;
  /** Arguments that wait for its first delta. */
  held: string;
  /** Characters of its arguments so far, held or sent. */
  chars: number;
}

const DONE = 'data: [DONE]\n\n';

const FIELDS: Readonly<Record<ItemKind, string | undefined>> = {
  reasoning: 'reasoning_content',
  message: 'content',
  refusal: 'refusal',
  tool_call: undefined,
  foreign: undefined,
};

function openAtEnd(item: ItemId, callId: string): OpenCall {
  return { item, name: undefined, callId, index: undefined, held: '', chars: 0 };
}

function looksWhole(text: string): boolean {
  return text.startsWith('{') && text.endsWith('}');
}

function cut(text: string): readonly string[] {
  const pieces: string[] = [];
  for (let from = 0; from < text.length; from += PIECE_CHARS_MAX) pieces.push(text.slice(from, from + PIECE_CHARS_MAX));
  return pieces;
}
