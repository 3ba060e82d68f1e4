import { NO_USAGE } from '../../turn/index.js';
import type { Failure, ItemContent, JsonObject, JsonValue, OpaqueState, ReplyEvent, Usage } from '../../turn/index.js';
import { depthWithin, isRecord, parseJson, WIRE_LIMITS } from '../../wire/index.js';
import type { SseFrame } from '../../wire/index.js';
import { brokenReply } from '../broken-reply.js';
import type { ReaderOptions, ReplyReader } from '../dialect.js';
import { sameUsage } from '../same-usage.js';
import { opaqueOf, readExtraContent, signatureState } from './extra-content.js';
import { readStreamError } from './failures.js';
import { benignFinish, failedFinish, finishClass, isNativeCap, isWorse } from './finish.js';
import { ItemCounter } from './item-counter.js';
import type { Place } from './item-counter.js';
import { readReasoning, ReasoningTrack } from './reasoning-track.js';
import { ToolCallTable } from './tool-call-table.js';
import type { SettledCall } from './tool-call-table.js';
import { readUsage } from './usage.js';
import { isList, readChunk, textOf } from './wire.js';

/**
 * Chunks of any server of this family as events. A finish reason is not the end: usage, errors and even more of the
 * calls come after it. So prose and calls complete where the wire ends, at `[DONE]` or with the body, and a call that
 * the cap cut stays open, whatever the finish reason says.
 */
export class ChatReplyReader implements ReplyReader {
  readonly #options: ReaderOptions;
  readonly #places: ItemCounter;
  readonly #calls: ToolCallTable;
  #reasoning: ReasoningTrack | undefined;
  #message: OpenText | undefined;
  #refusal: OpenText | undefined;
  #usage: Usage = NO_USAGE;
  /** The finish reason that counts. Empty strings are what some servers write for "none". */
  #raw: string | undefined;
  #nativeCap = false;
  #over = false;

  constructor(options: ReaderOptions) {
    this.#options = options;
    this.#places = new ItemCounter(options.attempt);
    const snapshots = options.quirks.argumentSnapshots === true;
    this.#calls = new ToolCallTable({ vendor: options.vendor, places: this.#places, snapshots });
  }

  push(frame: SseFrame): readonly ReplyEvent[] {
    if (this.#over) return NOTHING;
    switch (frame.type) {
      case 'event':
        return this.#readEvent(frame.data, frame.name);
      case 'comment':
        return KEPT_ALIVE;
      case 'stray':
        return this.#readStray(frame.text);
      case 'oversize':
        return this.#fail(
          brokenReply('event_too_large', this.#options.provider, `an event of ${frame.chars} characters`),
        );
    }
  }

  /** A whole body. What is no reply fails. */
  readBody(body: string): readonly ReplyEvent[] {
    const json = parseJson(body);
    const value = json.ok ? json.value : undefined;
    const failure = value === undefined ? undefined : readStreamError(value, this.#options);
    if (failure !== undefined) return this.#fail(failure);
    if (isRecord(value) && isList(value.choices)) return this.#readWhole(value);
    return this.#fail(brokenReply('stream_corrupt', this.#options.provider, 'a body that is no chat completion'));
  }

  end(): readonly ReplyEvent[] {
    if (this.#over) return NOTHING;
    if (this.#raw !== undefined && this.#raw !== '') return this.#conclude();
    const mayOmitIt = this.#options.quirks.noFinishReason === true && this.#places.count > 0;
    if (!mayOmitIt || this.#calls.settle().some(isUnfinished)) return NOTHING;
    return this.#conclude();
  }

  #readEvent(data: string, name: string | undefined): readonly ReplyEvent[] {
    if (data === '[DONE]') return this.#conclude();
    const json = parseJson(data);
    if (!json.ok) return this.#readText(data, name);
    const chunk = json.value;
    if (!isRecord(chunk)) return this.#readForeign(chunk, name);
    // The error beside `choices` counts, even after a finish reason.
    if (chunk.error || name === 'error') return this.#readForeign(chunk, name);
    return this.#readChunk(chunk);
  }

  #readChunk(chunk: JsonObject): readonly ReplyEvent[] {
    const { choice, usage } = readChunk(chunk);
    const out: ReplyEvent[] = [];
    if (choice !== undefined) {
      // A server that ignores `stream` sends the whole reply as one event; beside a delta `message` only repeats.
      const whole = !isRecord(choice.delta);
      const delta = whole ? choice.message : choice.delta;
      if (isRecord(delta)) {
        if (isTooDeep(delta)) return this.#failBy('json_too_deep');
        this.#readDelta(delta, out, whole);
      }
      this.#readFinish(choice, out);
    }
    if (usage !== undefined) this.#readUsage(usage, out);
    const { problem } = this.#calls;
    if (problem !== undefined) return this.#failBy(problem);
    return out.length === 0 ? KEPT_ALIVE : out;
  }

  #readWhole(body: JsonObject): readonly ReplyEvent[] {
    const events = this.#readChunk(body);
    if (this.#over) return events;
    return [...events.filter(({ type }) => type !== 'wire.kept_alive'), ...this.#conclude()];
  }

  #readStray(text: string): readonly ReplyEvent[] {
    const json = parseJson(text);
    if (!json.ok) return this.#readText(text, undefined);
    const { value } = json;
    const failure = readStreamError(value, this.#options);
    if (failure !== undefined) return this.#fail(failure);
    return isRecord(value) && isList(value.choices) ? this.#readWhole(value) : KEPT_ALIVE;
  }

  /** Data that is not JSON. It is never skipped in silence, since what it held is lost. */
  #readText(data: string, name: string | undefined): readonly ReplyEvent[] {
    const text = data.trim();
    if (text === '') return KEPT_ALIVE;
    if (text === '[DONE]') return this.#conclude();
    const failure = name === 'error' ? readStreamError(text, this.#options) : undefined;
    if (failure !== undefined) return this.#fail(failure);
    if (name !== undefined && name !== 'message') return KEPT_ALIVE;
    return this.#fail(brokenReply('stream_corrupt', this.#options.provider, 'an event that is not JSON'));
  }

  #readForeign(value: JsonValue, name: string | undefined): readonly ReplyEvent[] {
    const isError = name === 'error' || isList(value) || isRecord(value);
    const failure = isError ? readStreamError(value, this.#options) : undefined;
    if (failure === undefined) return isRecord(value) ? this.#readChunk(value) : KEPT_ALIVE;
    const counted: ReplyEvent[] = [];
    const counts = isRecord(value) ? readChunk(value).usage : undefined;
    // What a failed reply cost is spent all the same.
    if (counts !== undefined) this.#readUsage(counts, counted);
    return [...counted, ...this.#fail(failure)];
  }

  #readDelta(delta: JsonObject, out: ReplyEvent[], whole: boolean): void {
    const { content, refusal, tool_calls: calls, function_call: legacy } = delta;
    const array = isList(content) ? sortChunks(content) : NO_CHUNKS;
    const thinking = readReasoning(delta, array.thinking);
    if (thinking !== undefined) {
      const track = this.#openReasoning(out);
      const text = track.read(thinking, whole);
      if (text !== '') out.push({ type: 'item.delta', item: track.item, text });
    }
    const text = array.text === '' ? textOf(content) : array.text;
    if (text !== '') this.#message = this.#say(this.#message, { kind: 'message', text }, out);
    if (array.foreign.length > 0) this.#readForeignChunks(array.foreign, out);
    const refused = textOf(refusal);
    if (refused !== '') this.#refusal = this.#say(this.#refusal, { kind: 'refusal', text: refused }, out);
    if (delta.extra_content || delta.thought_signature) this.#readState(delta, out);
    if (isList(calls)) this.#readCalls(calls, out);
    if (isRecord(legacy)) this.#readCalls([legacyCall(legacy)], out);
  }

  #readCalls(calls: readonly JsonValue[], out: ReplyEvent[]): void {
    if (calls.length === 0) return;
    this.#closeReasoning(out);
    this.#calls.read(calls, out);
  }

  #openReasoning(out: ReplyEvent[]): ReasoningTrack {
    if (this.#reasoning !== undefined) return this.#reasoning;
    const track = new ReasoningTrack(this.#places.take());
    this.#reasoning = track;
    out.push(started(track, 'reasoning'));
    return track;
  }

  /** Other content begins. Thinking whose state may still grow stays open until the reply ends. */
  #closeReasoning(out: ReplyEvent[]): void {
    const track = this.#reasoning;
    if (track === undefined || track.staysOpen) return;
    this.#reasoning = undefined;
    out.push(track.completed(this.#options.vendor));
  }

  #say(open: OpenText | undefined, said: Said, out: ReplyEvent[]): OpenText {
    this.#closeReasoning(out);
    const target = open ?? this.#openText(said.kind, out);
    target.text += said.text;
    if (said.text !== '') out.push({ type: 'item.delta', item: target.place.item, text: said.text });
    return target;
  }

  #openText(kind: OpenText['kind'], out: ReplyEvent[]): OpenText {
    const place = this.#places.take();
    out.push(started(place, kind));
    return { place, kind, text: '', opaque: undefined };
  }

  /** State of the message itself. A message can carry it without a word of text. */
  #readState(delta: JsonObject, out: ReplyEvent[]): void {
    const states = opaqueOf(readExtraContent(delta.extra_content), this.#options.vendor) ?? [];
    const twin = textOf(delta.thought_signature);
    const isMissing = twin !== '' && !states.some(({ kind }) => kind === 'thought_signature');
    const opaque = isMissing ? [signatureState(twin), ...states] : states;
    if (opaque.length === 0) return;
    this.#message ??= this.#say(undefined, { kind: 'message', text: '' }, out);
    this.#message.opaque = opaque;
  }

  /** Parts that have no counterpart here, such as Mistral's references. */
  #readForeignChunks(chunks: readonly JsonObject[], out: ReplyEvent[]): void {
    for (const value of chunks) {
      const place = this.#places.take();
      const content: ItemContent = { kind: 'foreign', wireKind: textOf(value.type), value };
      out.push(started(place, 'foreign'), {
        type: 'item.completed',
        item: place.item,
        result: { content, opaque: undefined },
      });
    }
  }

  #readFinish(choice: JsonObject, out: ReplyEvent[]): void {
    const raw = choice.finish_reason;
    if (typeof raw !== 'string') return;
    if (isNativeCap(textOf(choice.native_finish_reason))) this.#nativeCap = true;
    if (raw === this.#raw) return;
    if (raw !== '') out.push({ type: 'reply.ending', raw });
    if (this.#raw === undefined || isWorse(raw, this.#raw)) this.#raw = raw;
  }

  #readUsage(counts: JsonObject, out: ReplyEvent[]): void {
    const usage = readUsage(counts);
    if (sameUsage(usage, this.#usage)) return;
    this.#usage = usage;
    out.push({ type: 'usage.reported', usage });
  }

  /** The wire has ended. */
  #conclude(): readonly ReplyEvent[] {
    this.#over = true;
    const raw = this.#raw === '' ? undefined : this.#raw;
    const ended = raw === undefined ? 'benign' : finishClass(raw);
    if (raw !== undefined && ended === 'failed') return this.#fail(failedFinish(raw, this.#options.provider));
    if (ended === 'refused') return this.#finish([], 'content_filter');
    const calls = this.#calls.settle();
    if (ended === 'cap' || this.#nativeCap || this.#isCapSpentIn(calls)) return this.#finish([], 'length');
    return this.#accept(calls);
  }

  /** Nothing tells of a cut. Calls are whole, or their model wrote them wrong. */
  #accept(calls: readonly SettledCall[]): readonly ReplyEvent[] {
    if (this.#raw === undefined && calls.some(isUnfinished)) return this.#failBy('stream_incomplete');
    if (calls.some(({ name }) => name === '')) return this.#failBy('tool_call_malformed');
    if (calls.length > 0) return this.#finish(calls, this.#raw === undefined ? 'unknown' : 'tool_calls');
    const onlyRefused = this.#refusal !== undefined && this.#message === undefined;
    return this.#finish([], onlyRefused ? 'content_filter' : benignFinish(this.#raw));
  }

  #finish(calls: readonly SettledCall[], reason: FinishedReason): readonly ReplyEvent[] {
    const { vendor } = this.#options;
    const done: Completion[] = calls.map(({ position, events }) => ({ position, events }));
    if (this.#reasoning !== undefined) {
      done.push({ position: this.#reasoning.position, events: [this.#reasoning.completed(vendor)] });
    }
    if (this.#message !== undefined) done.push(completedText(this.#message));
    if (this.#refusal !== undefined) done.push(completedText(this.#refusal));
    const detail = this.#refusal !== undefined && reason === 'content_filter' ? 'refusal' : undefined;
    const raw = this.#raw === '' ? undefined : this.#raw;
    const events = done.toSorted((a, b) => a.position - b.position).flatMap((completion) => completion.events);
    return [...events, { type: 'reply.finished', reason, raw, detail }];
  }

  /** A call looks cut, and the provider counted as many tokens as it was allowed. */
  #isCapSpentIn(calls: readonly SettledCall[]): boolean {
    const { maxOutputTokens } = this.#options;
    const { outputTokens } = this.#usage;
    if (maxOutputTokens === undefined || outputTokens === undefined || outputTokens < maxOutputTokens) return false;
    return calls.some(isUnfinished);
  }

  #failBy(problem: keyof typeof PROBLEM): readonly ReplyEvent[] {
    return this.#fail(brokenReply(problem, this.#options.provider, PROBLEM[problem]));
  }

  #fail(failure: Failure): readonly ReplyEvent[] {
    this.#over = true;
    return [{ type: 'reply.failed', failure }];
  }
}

type FinishedReason = Extract<ReplyEvent, { type: 'reply.finished' }>['reason'];

interface OpenText {
  readonly place: Place;
  readonly kind: 'message' | 'refusal';
  text: string;
  opaque: readonly OpaqueState[] | undefined;
}

interface Said {
  readonly kind: OpenText['kind'];
  readonly text: string;
}

interface Completion {
  readonly position: number;
  readonly events: readonly ReplyEvent[];
}

/** An array `content`, by what its chunks are. */
interface SortedChunks {
  readonly thinking: readonly JsonValue[];
  readonly text: string;
  readonly foreign: readonly JsonObject[];
}

/** No server counts calls from below zero. */
const LEGACY_LABEL = -1;

const NOTHING: readonly ReplyEvent[] = [];
const KEPT_ALIVE: readonly ReplyEvent[] = [{ type: 'wire.kept_alive' }];
const NO_CHUNKS: SortedChunks = { thinking: [], text: '', foreign: [] };

const PROBLEM = {
  json_too_deep: 'state nested beyond the limit',
  stream_incomplete: 'a tool call without its end and no finish reason',
  tool_call_malformed: 'a tool call without a name',
  arguments_too_large: 'arguments of a tool call beyond the limit',
  too_many_tool_calls: 'more tool calls than a reply can hold',
} as const;

/** What is kept for replay is written again some day, so its nesting is bounded. Texts have none. */
function isTooDeep(delta: JsonObject): boolean {
  const { content, reasoning_details: details, thinking_blocks: blocks, extra_content: extra } = delta;
  if (typeof content !== 'object' && !details && !blocks && !extra) return false;
  return ![content, details, blocks, extra].every((kept) => depthWithin(kept, WIRE_LIMITS.jsonDepthMax));
}

/** The one call of the form before `tool_calls`. */
function legacyCall(call: JsonObject): JsonObject {
  return { index: LEGACY_LABEL, function: call };
}

function sortChunks(chunks: readonly JsonValue[]): SortedChunks {
  const records = chunks.filter(isRecord);
  const isText = (chunk: JsonObject): boolean => chunk.type === 'text';
  return {
    thinking: records.filter(({ type }) => type === 'thinking'),
    text: records
      .filter(isText)
      .map((chunk) => textOf(chunk.text))
      .join(''),
    foreign: records.filter((chunk) => !isText(chunk) && chunk.type !== 'thinking'),
  };
}

function started(place: { readonly item: Place['item'] }, kind: ItemContent['kind']): ReplyEvent {
  return { type: 'item.started', item: place.item, kind, name: undefined, callId: undefined, inferred: false };
}

function completedText({ place, kind, text, opaque }: OpenText): Completion {
  const event: ReplyEvent = { type: 'item.completed', item: place.item, result: { content: { kind, text }, opaque } };
  return { position: place.position, events: [event] };
}

/** Whether this call may have been cut: it has no arguments, or such that do not parse. */
function isUnfinished(call: SettledCall): boolean {
  return call.isBare || call.input.form === 'invalid';
}
