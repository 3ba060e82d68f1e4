import type { JsonValue } from 'holdfast/turn';

/** An HTTP answer that is no reply, as a provider sends it. */
export interface Refusal {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: JsonValue;
}

/** A request is checked into this: how it stands, or why the provider refuses it. */
export type Checked<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly refusal: Refusal };

/** Google's shape. */
export function googleRefusal(code: number, status: string, words: string | GoogleWords): Refusal {
  const { message, details } = typeof words === 'string' ? { message: words, details: undefined } : words;
  const error = { code, message, status, ...(details === undefined ? {} : { details }) };
  return { status: code, headers: {}, body: { error } };
}

export interface GoogleWords {
  readonly message: string;
  readonly details: readonly JsonValue[];
}

export interface OpenAiError {
  readonly message: string;
  readonly type?: string;
  readonly param?: string | null;
  readonly code?: string | null;
}

/** OpenAI's shape. */
export function openAiRefusal(
  status: number,
  error: OpenAiError,
  headers: Readonly<Record<string, string>> = {},
): Refusal {
  const { message, type = 'invalid_request_error', param = null, code = null } = error;
  return { status, headers, body: { error: { message, type, param, code } } };
}
