import { itemId, NO_USAGE } from '../../turn/index.js';
import type {
  Failure,
  Item,
  ItemContent,
  ItemId,
  OpaqueState,
  ReplyEvent,
  ToolInput,
  Usage,
} from '../../turn/index.js';
import { depthWithin, parseJson, quoteUpstream, WIRE_LIMITS } from '../../wire/index.js';
import type { SseFrame } from '../../wire/index.js';
import { brokenReply } from '../broken-reply.js';
import type { ReaderOptions, ReplyReader } from '../dialect.js';
import { madeCallId } from '../made-call-id.js';
import { sameUsage } from '../same-usage.js';
import { readStreamError } from './failures.js';
import { failedGeneration, finishClass } from './finish.js';
import type { FinishClass } from './finish.js';
import { PartialArgs, wholeInput } from './partial-args.js';
import { mergeCounts, NO_COUNTS, readUsage } from './usage.js';
import { readChunk } from './wire.js';
import type { WireCall, WireChunk, WirePart, WireUsage } from './wire.js';

/**
 * This wire marks no ends: prose closes when another kind begins, a signed part is an item of its own, and the
 * reply ends when the connection does. A finish reason may come early and more than once; the last one counts.
 *
 * Calls start at once and complete at the end alone: a later `MALFORMED_FUNCTION_CALL` takes them all back. What
 * completes after a call waits behind it, so that items complete in their order.
 */
export class GeminiReplyReader implements ReplyReader {
  readonly #options: ReaderOptions;
  readonly #callIds: Set<string> = new Set();
  readonly #held: Slot[] = [];
  #out: ReplyEvent[] = [];
  #position = 0;
  #prose: OpenProse | undefined;
  #call: OpenCall | undefined;
  #counts: WireUsage = NO_COUNTS;
  #usage: Usage = NO_USAGE;
  #finish: string | undefined;
  #block: string | undefined;
  #detail: string | undefined;
  #heard = false;
  #done = false;

  constructor(options: ReaderOptions) {
    this.#options = options;
  }

  push(frame: SseFrame): readonly ReplyEvent[] {
    if (this.#done) return [];
    switch (frame.type) {
      case 'event':
        // Relays close with the sentinel of another wire.
        if (frame.data === '' || frame.data === '[DONE]') break;
        this.#readText(frame.data);
        break;
      case 'stray':
        this.#readText(frame.text);
        break;
      case 'oversize':
        this.#fail(brokenReply('event_too_large', this.#options.provider, `an event of ${frame.chars} characters`));
        break;
      case 'comment':
        break;
    }
    if (this.#out.length === 0) return [{ type: 'wire.kept_alive' }];
    return this.#take();
  }

  /** A whole body, or one JSON document of a stream. */
  readText(text: string): readonly ReplyEvent[] {
    if (!this.#done) this.#readText(text);
    return this.#take();
  }

  end(): readonly ReplyEvent[] {
    if (this.#done) return [];
    this.#done = true;
    const raw = this.#finish ?? this.#block;
    if (raw === undefined && !(this.#options.quirks.noFinishReason === true && this.#heard)) return [];
    this.#finishAs(raw, this.#endClass(raw));
    return this.#take();
  }

  #endClass(raw: string | undefined): FinishClass {
    if (raw === undefined) return 'complete';
    return this.#finish === undefined ? 'refused' : finishClass(raw);
  }

  #finishAs(raw: string | undefined, ended: FinishClass): void {
    const detail = this.#detail === undefined ? undefined : quoteUpstream(this.#detail);
    if (ended === 'failed') {
      this.#out.push({ type: 'reply.failed', failure: failedGeneration(raw ?? '', detail, this.#options.provider) });
      return;
    }
    // A streamed call that the cap cut stays open: it was never finished.
    if (ended !== 'cap' && !this.#closeCall()) return;
    this.#closeProse();
    const calls = this.#release(ended);
    const reason = {
      complete: calls === 0 ? 'stop' : 'tool_calls',
      cap: 'length',
      refused: 'content_filter',
      unknown: 'unknown',
    } as const;
    this.#out.push({ type: 'reply.finished', reason: reason[ended], raw, detail });
  }

  /** Lets the held completions go, and counts the calls among them. A blocked reply gives no call away. */
  #release(ended: FinishClass): number {
    let calls = 0;
    for (const { completion } of this.#held) {
      if (completion === undefined) continue;
      const isCall = completion.result.content.kind === 'tool_call';
      if (isCall && ended === 'refused') continue;
      if (isCall) calls += 1;
      this.#out.push(completion);
    }
    return calls;
  }

  #take(): readonly ReplyEvent[] {
    const out = this.#out;
    this.#out = [];
    return out;
  }

  #readText(text: string): void {
    const json = parseJson(text);
    if (!json.ok) {
      this.#fail(brokenReply('stream_corrupt', this.#options.provider, 'text that is not JSON'));
      return;
    }
    // A server that ignores `alt=sse` sends one array, and errors come as an array of one.
    const values: readonly unknown[] = Array.isArray(json.value) ? json.value : [json.value];
    for (const value of values) {
      if (this.#done) return;
      this.#readValue(value);
    }
  }

  #readValue(value: unknown): void {
    const failure = readStreamError(value, this.#options);
    if (failure !== undefined) {
      this.#fail(failure);
      return;
    }
    const chunk = readChunk(value);
    if (chunk === undefined) return;
    this.#readChunk(chunk);
  }

  #readChunk(chunk: WireChunk): void {
    for (const part of chunk.parts) {
      if (this.#done) return;
      this.#readPart(part);
    }
    if (this.#done) return;
    if (chunk.parts.length > 0) this.#heard = true;
    if (chunk.usage !== undefined) this.#readUsage(chunk.usage);
    this.#readEnding(chunk);
  }

  /** A blocked prompt has no candidates, and so no finish reason. */
  #readEnding({ finishReason, blockReason, detail }: WireChunk): void {
    this.#detail = detail ?? this.#detail;
    if (finishReason !== undefined && finishReason !== this.#finish) {
      this.#finish = finishReason;
      this.#out.push({ type: 'reply.ending', raw: finishReason });
    } else if (blockReason !== undefined && blockReason !== this.#block && this.#finish === undefined) {
      this.#out.push({ type: 'reply.ending', raw: blockReason });
    }
    this.#block = blockReason ?? this.#block;
  }

  #readUsage(counts: WireUsage): void {
    this.#counts = mergeCounts(this.#counts, counts);
    const usage = readUsage(this.#counts);
    if (sameUsage(usage, this.#usage)) return;
    this.#usage = usage;
    this.#out.push({ type: 'usage.reported', usage });
  }

  #readPart(part: WirePart): void {
    switch (part.kind) {
      case 'text':
        this.#readProse(part);
        break;
      case 'call':
        this.#readCall(part.call, part.signature);
        break;
      case 'foreign':
        this.#readForeign(part);
        break;
    }
  }

  #readForeign(part: WirePart & { readonly kind: 'foreign' }): void {
    const { wireKind, value, signature } = part;
    if (!depthWithin(value, WIRE_LIMITS.jsonDepthMax)) {
      this.#fail(
        brokenReply('event_too_large', this.#options.provider, `a part "${wireKind}" nested beyond the limit`),
      );
      return;
    }
    this.#closeProse();
    const id = this.#start('foreign');
    this.#complete(id, { content: { kind: 'foreign', wireKind, value }, opaque: this.#opaque(signature) });
  }

  /** A signature keeps its place: the part that carries it merges neither with what precedes nor with what follows. */
  #readProse(part: WirePart & { readonly kind: 'text' }): void {
    const { text, signature } = part;
    if (text === '' && signature === undefined) return;
    const kind = part.thought ? 'reasoning' : 'message';
    if (this.#prose?.kind !== kind || signature !== undefined) this.#closeProse();
    this.#prose ??= { id: this.#start(kind), kind, text: '' };
    this.#growProse(this.#prose, text);
    if (signature !== undefined) this.#closeProse(signature);
  }

  /** Thinking beyond the limit is progress and no text. */
  #growProse(prose: OpenProse, text: string): void {
    if (text === '') return;
    const room = WIRE_LIMITS.reasoningCharsMax - prose.text.length;
    const kept = prose.kind === 'reasoning' && text.length > room ? text.slice(0, room) : text;
    prose.text += kept;
    this.#out.push({ type: 'item.delta', item: prose.id, text: kept });
  }

  #closeProse(signature?: string): void {
    const prose = this.#prose;
    if (prose === undefined) return;
    this.#prose = undefined;
    this.#complete(prose.id, { content: { kind: prose.kind, text: prose.text }, opaque: this.#opaque(signature) });
  }

  #readCall(call: WireCall, signature: string | undefined): void {
    if (call.name !== undefined) this.#beginCall(call, call.name, signature);
    else this.#continueCall(call, signature);
  }

  #beginCall(call: WireCall, name: string, signature: string | undefined): void {
    if (!this.#closeCall()) return;
    this.#closeProse();
    const id = itemId(this.#options.attempt, this.#position);
    const idFromProvider = call.id !== undefined && !this.#callIds.has(call.id);
    const callId = idFromProvider && call.id !== undefined ? call.id : madeCallId(id);
    this.#callIds.add(callId);
    this.#start('tool_call', { name, callId });
    const slot: Slot = { completion: undefined };
    this.#held.push(slot);
    const open: OpenCall = { id, callId, idFromProvider, name, signature, slot, input: new PartialArgs() };
    if (call.willContinue || call.updates.length > 0) {
      this.#call = open;
      this.#updateCall(open, call);
      return;
    }
    this.#finishCall(open, wholeInput(call.args));
  }

  #continueCall(call: WireCall, signature: string | undefined): void {
    const open = this.#call;
    if (open !== undefined) {
      open.signature ??= signature;
      this.#updateCall(open, call);
    } else if (call.args !== undefined || call.updates.length > 0) {
      this.#fail(brokenReply('tool_call_malformed', this.#options.provider, 'a tool call without a name'));
    }
  }

  /** Each update is progress of a known item; its text follows whole, since later updates may still change it. */
  #updateCall(open: OpenCall, call: WireCall): void {
    if (call.args !== undefined) open.input.assign(call.args);
    for (const update of call.updates) {
      open.input.apply(update);
      this.#out.push({ type: 'item.delta', item: open.id, text: '' });
    }
    if (open.input.isTooLarge) this.#failTooLarge(open.name);
    else if (!call.willContinue) this.#closeCall();
  }

  /** False where closing showed that the reply is broken. */
  #closeCall(): boolean {
    const open = this.#call;
    this.#call = undefined;
    return open === undefined || this.#finishCall(open, open.input.close());
  }

  #finishCall(open: OpenCall, input: ToolInput | undefined): boolean {
    if (input === undefined) {
      this.#failTooLarge(open.name);
      return false;
    }
    this.#out.push({ type: 'item.delta', item: open.id, text: input.text });
    const { callId, idFromProvider, name } = open;
    const content: ItemContent = { kind: 'tool_call', callId, idFromProvider, name, input };
    open.slot.completion = {
      type: 'item.completed',
      item: open.id,
      result: { content, opaque: this.#opaque(open.signature) },
    };
    return true;
  }

  #start(kind: ItemContent['kind'], call?: { readonly name: string; readonly callId: string }): ItemId {
    const item = itemId(this.#options.attempt, this.#position);
    this.#position += 1;
    this.#out.push({ type: 'item.started', item, kind, name: call?.name, callId: call?.callId, inferred: false });
    return item;
  }

  #complete(item: ItemId, result: Item): void {
    const completion: Completion = { type: 'item.completed', item, result };
    if (this.#held.length === 0) this.#out.push(completion);
    else this.#held.push({ completion });
  }

  #opaque(signature: string | undefined): readonly OpaqueState[] | undefined {
    if (signature === undefined) return undefined;
    return [{ vendor: this.#options.vendor, kind: 'thought_signature', value: signature }];
  }

  #failTooLarge(name: string): void {
    this.#fail(
      brokenReply('arguments_too_large', this.#options.provider, `arguments of the tool "${name}" beyond the limit`),
    );
  }

  #fail(failure: Failure): void {
    this.#done = true;
    this.#out.push({ type: 'reply.failed', failure });
  }
}

type Completion = ReplyEvent & { readonly type: 'item.completed' };

/** The place of an item among those that wait; empty while a call is being written. */
interface Slot {
  completion: Completion | undefined;
}

/** A call whose arguments are still being written. */
interface OpenCall {
  readonly id: ItemId;
  readonly callId: string;
  readonly idFromProvider: boolean;
  readonly name: string;
  /** On the first piece as a rule. */
  signature: string | undefined;
  readonly slot: Slot;
  readonly input: PartialArgs;
}

interface OpenProse {
  readonly id: ItemId;
  readonly kind: 'reasoning' | 'message';
  text: string;
}
