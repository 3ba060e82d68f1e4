import type { ItemId, JsonObject, JsonValue, OpaqueState, ReplyEvent } from '../../turn/index.js';
import { isRecord, WIRE_LIMITS } from '../../wire/index.js';
import type { Place } from './item-counter.js';
import { ReasoningDetails, shownDetail } from './reasoning-details.js';
import { ThinkingChunks, thinkingText } from './thinking-chunks.js';
import { isList, textOf } from './wire.js';

/** Thinking as one delta or one message carries it, in whichever fields its server uses. */
export interface ReasoningPieces {
  /** `reasoning_content`. */
  readonly content: string;
  /** `reasoning`. */
  readonly plain: string;
  /** `reasoning_details`. */
  readonly details: readonly JsonValue[];
  /** `thinking_blocks`, as LiteLLM writes them for Anthropic. */
  readonly blocks: readonly JsonValue[];
  /** Thinking chunks of an array `content`, as Mistral writes them. */
  readonly chunks: readonly JsonValue[];
}

/** `undefined` where a delta carries no thinking at all, which is the ordinary case. */
export function readReasoning(delta: JsonObject, chunks: readonly JsonValue[]): ReasoningPieces | undefined {
  const { reasoning_content: content, reasoning: plain, reasoning_details: details, thinking_blocks: blocks } = delta;
  if (!content && !plain && !details && !blocks && chunks.length === 0) return undefined;
  const pieces: ReasoningPieces = {
    content: textOf(content),
    plain: textOf(plain),
    details: isList(details) ? details : NONE,
    blocks: isList(blocks) ? blocks : NONE,
    chunks,
  };
  return isEmpty(pieces) ? undefined : pieces;
}

/**
 * One reasoning item under way. Several fields often carry the same text in the same chunk: the first that shows
 * something is shown from then on, and all are kept for replay.
 */
export class ReasoningTrack {
  readonly item: ItemId;
  readonly position: number;
  #source: Source | undefined;
  #text = '';
  #content = '';
  #chars = 0;
  readonly #details: ReasoningDetails = new ReasoningDetails();
  readonly #chunks: ThinkingChunks = new ThinkingChunks();
  readonly #blocks: ThinkingChunks = new ThinkingChunks();

  constructor(place: Place) {
    this.item = place.item;
    this.position = place.position;
  }

  /** Later pieces belong to this item, even after prose began: their signature comes in a delta of its own. */
  get staysOpen(): boolean {
    return !(this.#details.isEmpty && this.#chunks.isEmpty && this.#blocks.isEmpty);
  }

  /** Keeps the pieces and returns what of them is shown. `whole`: they are a message, not a delta. */
  read(pieces: ReasoningPieces, whole: boolean): string {
    const shown = this.#show(pieces);
    this.#keep(pieces, whole);
    const room = WIRE_LIMITS.reasoningCharsMax - this.#text.length;
    const kept = shown.length > room ? shown.slice(0, room) : shown;
    this.#text += kept;
    return kept;
  }

  completed(vendor: string): ReplyEvent {
    const opaque = this.#opaque(vendor);
    const result = {
      content: { kind: 'reasoning', text: this.#text },
      opaque: opaque.length === 0 ? undefined : opaque,
    } as const;
    return { type: 'item.completed', item: this.item, result };
  }

  #show(pieces: ReasoningPieces): string {
    if (this.#source !== undefined) return SHOWN[this.#source](pieces);
    for (const source of SOURCES) {
      const text = SHOWN[source](pieces);
      if (text === '') continue;
      this.#source = source;
      return text;
    }
    return '';
  }

  #keep(pieces: ReasoningPieces, whole: boolean): void {
    this.#chars += pieces.content.length + charsOf(pieces.details) + charsOf(pieces.blocks) + charsOf(pieces.chunks);
    // Beyond the limit nothing more is kept, and what was kept does not go back: half a state is worse than none.
    if (this.#chars > WIRE_LIMITS.reasoningCharsMax) return;
    this.#content += pieces.content;
    if (whole) {
      this.#details.take(pieces.details);
      this.#chunks.take(pieces.chunks);
      this.#blocks.take(pieces.blocks);
    } else {
      this.#details.join(pieces.details);
      this.#chunks.join(pieces.chunks);
      this.#blocks.join(pieces.blocks);
    }
  }

  #opaque(vendor: string): readonly OpaqueState[] {
    if (this.#chars > WIRE_LIMITS.reasoningCharsMax) return [];
    const states: OpaqueState[] = [];
    if (this.#content !== '') states.push({ vendor, kind: 'reasoning_content', value: this.#content });
    if (!this.#details.isEmpty) states.push({ vendor, kind: 'reasoning_details', value: this.#details.value });
    if (!this.#chunks.isEmpty) states.push({ vendor, kind: 'content_array', value: this.#chunks.value });
    if (!this.#blocks.isEmpty) {
      states.push({ vendor, kind: 'foreign', value: { thinking_blocks: this.#blocks.value } });
    }
    return states;
  }
}

type Source = 'content' | 'plain' | 'details' | 'chunks' | 'blocks';

const SOURCES: readonly Source[] = ['content', 'plain', 'details', 'chunks', 'blocks'];

const SHOWN: Readonly<Record<Source, (pieces: ReasoningPieces) => string>> = {
  content: (pieces) => pieces.content,
  plain: (pieces) => pieces.plain,
  details: (pieces) => textsOf(pieces.details, shownDetail),
  chunks: (pieces) => textsOf(pieces.chunks, thinkingText),
  blocks: (pieces) => textsOf(pieces.blocks, thinkingText),
};

const NONE: readonly JsonValue[] = [];

function isEmpty(pieces: ReasoningPieces): boolean {
  const { content, plain, details, blocks, chunks } = pieces;
  return content === '' && plain === '' && details.length + blocks.length + chunks.length === 0;
}

function textsOf(pieces: readonly JsonValue[], text: (piece: JsonValue) => string): string {
  return pieces.length === 0 ? '' : pieces.map(text).join('');
}

/** The strings of the pieces' fields, as a measure of what is kept. */
function charsOf(pieces: readonly JsonValue[]): number {
  let chars = 0;
  for (const piece of pieces) {
    if (!isRecord(piece)) continue;
    chars += thinkingText(piece).length;
    for (const value of Object.values(piece)) chars += textOf(value).length;
  }
  return chars;
}
