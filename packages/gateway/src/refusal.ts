import type { Failure } from 'holdfast/turn';

/** Why this gateway answers a request itself. The dialects know the status of each. */
export type RefusalCode =
  | 'request_invalid'
  | 'request_timeout'
  | 'unauthorized'
  | 'forbidden'
  | 'not_found'
  | 'model_not_found'
  | 'method_not_allowed'
  | 'body_too_large'
  | 'unsupported_media_type'
  | 'rate_limited'
  | 'overloaded';

/** A request that was refused before any upstream was asked: one sentence, then the cure. */
export class Refusal {
  readonly code: RefusalCode;
  readonly message: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: RefusalCode, message: string, headers: Readonly<Record<string, string>> = {}) {
    this.code = code;
    this.message = message;
    this.headers = headers;
  }

  failure(): Failure {
    const isPassing = this.code === 'overloaded' || this.code === 'rate_limited' || this.code === 'request_timeout';
    return {
      code: this.code,
      kind: isPassing ? 'transient' : 'request',
      retryable: isPassing,
      atFault: this.code === 'overloaded' ? 'holdfast' : 'caller',
      message: this.message,
      ...(isPassing ? { retryAfterMs: 1_000 } : {}),
    };
  }
}
