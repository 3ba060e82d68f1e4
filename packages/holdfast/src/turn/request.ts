import type { Item } from './item.js';
import type { JsonObject, JsonValue } from './json.js';

/**
 * What a caller asks of a model, in no vendor's words. Field order is meaning where a list is ordered:
 * writers translate deterministically, so equal requests give equal bytes.
 */
export interface ModelRequest {
  /** The name the upstream knows. */
  readonly model: string;
  /** System or developer instructions ahead of the conversation. */
  readonly instructions?: string;
  readonly messages: readonly Message[];
  readonly tools?: readonly ToolDefinition[];
  readonly toolChoice?: ToolChoice;
  /** Absent means the provider's default. */
  readonly parallelToolCalls?: boolean;
  /** Output tokens, thinking included. */
  readonly maxOutputTokens?: number;
  readonly temperature?: number;
  readonly topP?: number;
  readonly topK?: number;
  readonly seed?: number;
  readonly presencePenalty?: number;
  readonly frequencyPenalty?: number;
  readonly stop?: readonly string[];
  readonly thinking?: Thinking;
  readonly responseFormat?: ResponseFormat;
  /** Fields of the caller's wire that have no neutral name. They go out only on the same dialect. */
  readonly extra?: ExtraFields;
}

export interface ExtraFields {
  readonly dialect: string;
  readonly fields: JsonObject;
}

export type Message =
  /** Instructions in the middle of a conversation: notes, clocks, corrections. Appended, never inserted earlier. */
  | { readonly role: 'system'; readonly text: string }
  | { readonly role: 'user'; readonly parts: readonly Part[] }
  /** One reply of a model, as its completed items. `vendor` names whose opaque state the items carry, where known. */
  | { readonly role: 'assistant'; readonly items: readonly Item[] }
  /** The results of one step, in the order of its calls. */
  | { readonly role: 'tool'; readonly results: readonly ToolResult[] };

export type Part =
  | { readonly type: 'text'; readonly text: string }
  /** Base64 data with its media type: image, audio, document. */
  | { readonly type: 'media'; readonly mediaType: string; readonly data: string; readonly name?: string }
  /** Media by address. The product never fetches it; a target that cannot take an address refuses. */
  | { readonly type: 'media_url'; readonly mediaType: string | undefined; readonly url: string }
  /** A part of the caller's wire that has no counterpart; it goes out only on the same dialect. */
  | { readonly type: 'foreign'; readonly dialect: string; readonly value: JsonValue };

export interface ToolResult {
  readonly callId: string;
  /** The tool's name where the wire needs it again (Gemini). */
  readonly name: string | undefined;
  readonly parts: readonly Part[];
  readonly isError: boolean;
}

export interface ToolDefinition {
  readonly name: string;
  readonly description?: string;
  /** JSON Schema of the arguments. Absent for a tool without parameters. */
  readonly parameters?: JsonObject;
  readonly strict?: boolean;
}

export type ToolChoice = 'auto' | 'none' | 'required' | { readonly name: string };

export type ThinkingLevel = 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max';

export interface Thinking {
  readonly level?: ThinkingLevel;
  /** Tokens, for models that take a budget; -1 leaves the amount to the model. */
  readonly budgetTokens?: number;
  /** Whether the vendor should show its thinking. */
  readonly show?: boolean;
}

export type ResponseFormat =
  | { readonly type: 'json' }
  | { readonly type: 'json_schema'; readonly name: string; readonly schema: JsonObject; readonly strict?: boolean };
