import type { DialectName } from 'holdfast/dialects';
import { attemptId, callId as callName, itemId } from 'holdfast/turn';
import type {
  FinishReason,
  ItemContent,
  ItemId,
  ModelRequest,
  OpaqueState,
  ReplyEvent,
  ToolInput,
  Usage,
} from 'holdfast/turn';
import { isRecord, parseJson } from 'holdfast/wire';
import { PACE } from '../scenario/scenario.js';
import type { Call, Pace, Scenario, Signature, Step, UsageCounts } from '../scenario/scenario.js';
import { Dice, token } from '../seed.js';
import { SIGNATURE_BYTES, signatureFor } from '../signature.js';
import type { Standing } from '../strict/outline.js';
import { ABSENT_ID } from './beat.js';
import type { Act, Beat } from './beat.js';
import { cutText, headOf } from './cut-text.js';
import { fillArguments } from './fill-arguments.js';

export interface ReplyBrief {
  readonly scenario: Scenario;
  readonly steps: readonly Step[];
  readonly request: ModelRequest;
  readonly standing: Standing;
  readonly dialect: DialectName;
  readonly seed: number;
  /** The n-th answer of the scenario, from 1. */
  readonly answer: number;
  readonly inputTokens: number;
}

/** The steps of a scenario as moments in time, in the words of the house. Equal briefs give equal beats. */
export function composeReply(brief: ReplyBrief): readonly Beat[] {
  return new Composer(brief).compose();
}

/** Roughly what tokenizers make of English and of code. */
export const CHARS_PER_TOKEN = 4;

const TOKENS_PER_PIECE = 4;
const PIECES_MAX = 500;

/** Keeps the time, the positions and the tokens of one reply. */
class Composer {
  readonly #brief: ReplyBrief;
  readonly #pace: Pace;
  readonly #dice: Dice;
  readonly #attempt = attemptId(callName('simulated'), 1);
  readonly #beats: Beat[] = [];
  #waitMs: number;
  #position = 0;
  #calls = 0;
  #tokens = 0;
  #reasoningTokens = 0;
  #counts: UsageCounts = {};
  #isOver = false;

  constructor(brief: ReplyBrief) {
    const { scenario, seed, answer, standing } = brief;
    this.#brief = brief;
    this.#pace = { ...PACE, ...scenario.pace };
    this.#dice = new Dice([seed, scenario.name, answer, standing.conversation, standing.turn, standing.round]);
    this.#waitMs = this.#pace.prefillMs;
  }

  compose(): readonly Beat[] {
    for (const step of this.#brief.steps) {
      if (this.#isOver) break;
      this.#step(step);
    }
    if (!this.#isOver) this.#finish(this.#calls > 0 ? 'tool_calls' : 'stop');
    return this.#beats;
  }

  #step(step: Step): void {
    if ('think' in step) this.#think(this.#words(step.think), step);
    else if ('say' in step) this.#write('message', this.#words(step.say), step);
    else if ('refuse' in step) this.#write('refusal', step.refuse, {});
    else if ('call' in step) this.#call(step.call);
    else if ('wait' in step) this.#waitMs += step.wait;
    else if ('ping' in step) for (let n = 0; n < step.ping; n += 1) this.#act({ type: 'comment' });
    else if ('usage' in step) this.#counts = { ...this.#counts, ...step.usage };
    else this.#last(step);
  }

  #last(step: Extract<Step, { finish: unknown } | { error: unknown } | { raw: unknown } | { cut: unknown }>): void {
    if ('finish' in step) this.#finish(step.finish);
    else if ('error' in step) this.#end({ type: 'error', error: step.error });
    else if ('cut' in step) this.#end({ type: 'cut', how: step.cut, midEvent: step.midEvent === true });
    else {
      const text = typeof step.raw === 'string' ? step.raw : step.raw[this.#brief.dialect];
      if (text !== undefined) this.#act({ type: 'raw', text });
    }
  }

  /** Thinking that the request forbids is not done; thinking that it hides takes its time and its tokens unseen. */
  #think(text: string, options: { readonly chunks?: number; readonly tokens?: number }): void {
    const { thinking } = this.#brief.request;
    if (thinking?.level === 'none' || thinking?.budgetTokens === 0) return;
    if (thinking?.show === false) this.#unseen(options.tokens ?? tokensOf(text));
    else this.#write('reasoning', text, options);
  }

  #unseen(wanted: number): void {
    const spent = Math.min(wanted, this.#room());
    this.#waitMs += this.#writingMs(spent);
    this.#tokens += spent;
    this.#reasoningTokens += spent;
    if (spent < wanted) this.#finish('length');
  }

  #write(
    kind: 'reasoning' | 'message' | 'refusal',
    text: string,
    options: { readonly chunks?: number; readonly tokens?: number; readonly signature?: Signature },
  ): void {
    const wanted = options.tokens ?? tokensOf(text);
    const spent = Math.min(wanted, this.#room());
    const isCut = spent < wanted;
    const shown = isCut ? headOf(text, Math.floor((text.length * spent) / wanted)) : text;
    this.#tokens += spent;
    if (kind === 'reasoning') this.#reasoningTokens += spent;
    if (!isCut || shown !== '') {
      const item = this.#open(kind, undefined, undefined);
      this.#deltas(item, cutText(shown, options.chunks ?? defaultPieces(spent)), spent);
      const opaque = isCut ? undefined : this.#opaque(options.signature, -1, '');
      this.#complete(item, { kind, text: shown }, opaque);
    } else {
      this.#waitMs += this.#writingMs(spent);
    }
    if (isCut) this.#finish('length');
  }

  #call(call: Call): void {
    if (this.#brief.request.toolChoice === 'none') return;
    const planned = this.#plan(call);
    const { name, callId, input, signature, isWhole, goal } = planned;
    const wanted = Math.ceil(tokensOf(input.text) * goal);
    const spent = Math.min(wanted, this.#room());
    this.#tokens += spent;
    const tokens = call.silent === undefined ? spent : 0;
    const isAtOnce = isWhole && goal === 1;
    // A call that comes in one piece shows its start when all of it is written.
    if (isAtOnce) this.#waitMs += (call.silent ?? 0) + this.#writingMs(tokens);
    const item = this.#open('tool_call', name, callId);
    if (!isAtOnce) this.#waitMs += call.silent ?? 0;
    const shown = headOf(input.text, Math.floor((input.text.length * goal * spent) / Math.max(1, wanted)));
    this.#deltas(item, cutText(shown, planned.pieces), isAtOnce ? 0 : tokens);
    if (spent < wanted) return this.#finish('length');
    if (goal < 1) return;
    const content: ItemContent = { kind: 'tool_call', callId, idFromProvider: planned.hasId, name, input };
    this.#complete(item, content, this.#opaque(signature, planned.index, name));
  }

  /** A server that signs sends the call in one piece, since its clients look for the signature there. */
  #plan(call: Call): PlannedCall {
    const index = this.#calls;
    this.#calls += 1;
    const name = this.#toolName(call);
    const input = this.#input(call, name);
    const signature = call.signature ?? (this.#brief.dialect === 'gemini' && index === 0);
    const isWhole = signature !== false && call.deltas === undefined;
    const usual = isWhole || call.silent !== undefined ? 1 : defaultPieces(tokensOf(input.text));
    const id = this.#providerId(call, index);
    return {
      index,
      name,
      input,
      signature,
      isWhole,
      pieces: call.deltas ?? usual,
      goal: call.until === undefined ? 1 : GOALS[call.until],
      callId: id ?? `${ABSENT_ID}${index}`,
      hasId: id !== null,
    };
  }

  #toolName(call: Call): string {
    const { tools = [], toolChoice } = this.#brief.request;
    const forced = typeof toolChoice === 'object' ? toolChoice.name : undefined;
    return call.tool ?? forced ?? tools[0]?.name ?? 'write_file';
  }

  #input(call: Call, name: string): WrittenInput {
    if (call.text !== undefined) {
      const parsed = parseJson(call.text);
      const isObject = parsed.ok && isRecord(parsed.value);
      return isObject ? { form: 'json', text: call.text, value: parsed.value } : { form: 'invalid', text: call.text };
    }
    const { tools = [] } = this.#brief.request;
    const known = tools.find((tool) => tool.name === name);
    const schema = known === undefined ? UNKNOWN_TOOL : known.parameters;
    const value = call.arguments ?? fillArguments(schema, call.chars);
    return { form: 'json', text: JSON.stringify(value), value };
  }

  /** `null`: the wire gets none. Gemini seldom sends any. */
  #providerId(call: Call, index: number): string | null {
    if (call.id !== undefined) return call.id;
    if (this.#brief.dialect === 'gemini') return null;
    const { seed, scenario, standing, answer } = this.#brief;
    return `call_${token([seed, scenario.name, standing.conversation, standing.turn, standing.round, answer, index], 24)}`;
  }

  #opaque(signature: Signature | undefined, call: number, name: string): readonly OpaqueState[] | undefined {
    if (signature === undefined || signature === false) return undefined;
    const { seed, scenario, standing } = this.#brief;
    const { conversation, turn, round } = standing;
    const place = { seed, scenario: scenario.name, conversation, turn, round, call, name };
    const value = signatureFor(place, signature === true ? SIGNATURE_BYTES : signature);
    return [{ vendor: 'google', kind: 'thought_signature', value }];
  }

  #open(kind: ItemContent['kind'], name: string | undefined, id: string | undefined): ItemId {
    const item = itemId(this.#attempt, this.#position);
    this.#position += 1;
    this.#event({ type: 'item.started', item, kind, name, callId: id, inferred: false });
    return item;
  }

  #deltas(item: ItemId, pieces: readonly string[], tokens: number): void {
    for (const text of pieces) {
      this.#waitMs += this.#writingMs(tokens / pieces.length);
      this.#event({ type: 'item.delta', item, text });
    }
  }

  #complete(item: ItemId, content: ItemContent, opaque: readonly OpaqueState[] | undefined): void {
    this.#event({ type: 'item.completed', item, result: { content, opaque } });
  }

  /** A reply that its cap has cut has spent all of it. */
  #finish(reason: FinishReason): void {
    if (reason === 'length') this.#tokens = Math.max(this.#tokens, this.#brief.request.maxOutputTokens ?? 0);
    this.#event({ type: 'usage.reported', usage: this.#usage() });
    this.#end({ type: 'event', event: { type: 'reply.finished', reason, raw: undefined, detail: undefined } });
  }

  #usage(): Usage {
    return {
      inputTokens: this.#counts.inputTokens ?? this.#brief.inputTokens,
      cacheReadTokens: this.#counts.cacheReadTokens,
      cacheWriteTokens: undefined,
      outputTokens: this.#counts.outputTokens ?? this.#tokens,
      reasoningTokens: this.#counts.reasoningTokens ?? this.#reasoningTokens,
    };
  }

  #event(event: ReplyEvent): void {
    this.#act({ type: 'event', event });
  }

  #end(act: Act): void {
    this.#act(act);
    this.#isOver = true;
  }

  #act(act: Act): void {
    this.#beats.push({ afterMs: this.#waitMs, act });
    this.#waitMs = 0;
  }

  #room(): number {
    return Math.max(0, (this.#brief.request.maxOutputTokens ?? Number.POSITIVE_INFINITY) - this.#tokens);
  }

  #writingMs(tokens: number): number {
    const { tokensPerSecond, jitter } = this.#pace;
    return (tokens / tokensPerSecond) * 1_000 * (1 + jitter * (2 * this.#dice.next() - 1));
  }

  #words(text: string): string {
    const { standing, request } = this.#brief;
    return text
      .replaceAll('{{rounds}}', String(standing.round))
      .replaceAll('{{results}}', String(standing.results))
      .replaceAll('{{model}}', () => request.model);
  }
}

type WrittenInput = Extract<ToolInput, { form: 'json' | 'invalid' }>;

interface PlannedCall {
  readonly index: number;
  readonly name: string;
  readonly input: WrittenInput;
  readonly signature: Signature;
  readonly isWhole: boolean;
  readonly pieces: number;
  /** How much of the call is written. */
  readonly goal: number;
  readonly callId: string;
  readonly hasId: boolean;
}

const GOALS: Readonly<Record<NonNullable<Call['until']>, number>> = { start: 0, half: 0.5 };

/** Called where the request offers no tool, so that a scenario with calls plays for any client. */
const UNKNOWN_TOOL = {
  type: 'object',
  properties: { path: { type: 'string' }, content: { type: 'string' } },
  required: ['path', 'content'],
} as const;

function tokensOf(text: string): number {
  return Math.ceil(text.length / CHARS_PER_TOKEN);
}

function defaultPieces(tokens: number): number {
  return Math.max(1, Math.min(Math.ceil(tokens / TOKENS_PER_PIECE), PIECES_MAX));
}
