import type { JsonObject, JsonValue } from './json.js';
import type { OpaqueState } from './opaque.js';

export type ItemKind = ItemContent['kind'];

/** What a completed item says. */
export type ItemContent = ReasoningContent | MessageContent | RefusalContent | ToolCallContent | ForeignContent;

/** Thinking that the vendor shows, possibly empty when only its opaque state came. */
export interface ReasoningContent {
  readonly kind: 'reasoning';
  readonly text: string;
}

/** Visible text of the model. */
export interface MessageContent {
  readonly kind: 'message';
  readonly text: string;
}

/** The model's own words of refusal, kept apart from an answer. */
export interface RefusalContent {
  readonly kind: 'refusal';
  readonly text: string;
}

export interface ToolCallContent {
  readonly kind: 'tool_call';
  /**
   * Pairs call and result, unique within its reply only. The provider's id where it sent one; otherwise made
   * from the item's id, and then `idFromProvider` is false.
   */
  readonly callId: string;
  readonly idFromProvider: boolean;
  readonly name: string;
  readonly input: ToolInput;
}

/** A dispatcher reads `form` first: only `json` and `text` may run. */
export type ToolInput =
  /** Arguments that parse to an object. `text` is what the wire carried, or our serialisation where it carried an object. */
  | { readonly form: 'json'; readonly text: string; readonly value: JsonObject }
  /** The free text of a custom tool. Never parsed. */
  | { readonly form: 'text'; readonly text: string }
  /** The model finished the call and its arguments are not a JSON object. Told to the model, never dispatched. */
  | { readonly form: 'invalid'; readonly text: string };

/** A part of the reply that has no counterpart here: generated files, executed code, server-side tools. */
export interface ForeignContent {
  readonly kind: 'foreign';
  /** The wire's own name of it, such as `executableCode`. */
  readonly wireKind: string;
  readonly value: JsonValue;
}

/**
 * A completed item as it is stored: what it says and what must go back with it.
 * `opaque` is absent where none came, and never empty.
 */
export interface Item {
  readonly content: ItemContent;
  readonly opaque: readonly OpaqueState[] | undefined;
}
