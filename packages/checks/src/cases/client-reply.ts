import type { JsonObject } from 'holdfast/turn';
import type { SeenCall, SeenUsage } from './outcome.js';
import { readAnthropicReply } from './client-reply-anthropic.js';
import { readChatReply } from './client-reply-chat.js';
import { readGeminiReply } from './client-reply-gemini.js';
import type { WireDocument } from './wire-document.js';

/** One answer as a client accumulates it the usual way. */
export interface ClientReply {
  readonly text: string;
  readonly calls: readonly SeenCall[];
  /** In the words of the cases; `undefined` where no reason came. */
  readonly finish: string | undefined;
  readonly usage: SeenUsage | undefined;
  readonly error: ClientError | undefined;
  /** The wire's own end arrived. */
  readonly isWhole: boolean;
  /** What the client sends back in its next request: the reply, then a result for each call. */
  echo(resultOf: (name: string) => string): readonly JsonObject[];
}

export interface ClientError {
  readonly code: string | undefined;
  readonly message: string;
}

/** `undefined` for a dialect that no client here speaks. */
export function readClientReply(document: WireDocument): ClientReply | undefined {
  switch (document.dialect) {
    case 'openai-chat':
      return readChatReply(document);
    case 'anthropic':
      return readAnthropicReply(document);
    case 'gemini':
      return readGeminiReply(document);
    default:
      return undefined;
  }
}

export const CLIENT_DIALECTS: readonly string[] = ['openai-chat', 'anthropic', 'gemini'];
