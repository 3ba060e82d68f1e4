import type { JsonValue } from './json.js';

/**
 * What a vendor wants back unchanged: a signature, an encrypted block, a replay field. It hangs on the item
 * it came with, is stored with it and goes back to the same vendor only. Nobody between the reader and the
 * writer looks inside.
 */
export interface OpaqueState {
  /** The company whose model made it, such as `google`. It is never sent to another. */
  readonly vendor: string;
  /** Which field of the wire it is. */
  readonly kind: OpaqueKind;
  /** Byte for byte as it came: a string, or the JSON value of a structured field. */
  readonly value: JsonValue;
}

/** One name per field that some vendor's wire carries; dialects map their own field names to these. */
export type OpaqueKind =
  /** Gemini `thoughtSignature`, on the Chat wire `extra_content.google.thought_signature`. */
  | 'thought_signature'
  /** Chat wire: the text of `reasoning_content`, which some vendors want back. */
  | 'reasoning_content'
  /** Chat wire: the joined `reasoning_details` array. */
  | 'reasoning_details'
  /** Chat wire: an array `content` with thinking chunks (Mistral). */
  | 'content_array'
  /** Anthropic `signature` of a thinking block. */
  | 'signature'
  /** Anthropic `redacted_thinking.data`. */
  | 'redacted_thinking'
  /** OpenAI `encrypted_content` of a reasoning item. */
  | 'encrypted_content'
  /** A provider's own id of an item, where replay needs it. */
  | 'item_id'
  /** A whole part or field that this version does not know and that must go back in place. */
  | 'foreign';
