import type { ServerResponse } from 'node:http';
import type { Dialect } from 'holdfast/dialects';
import type { Failure, JsonObject } from 'holdfast/turn';
import { cleanHeaders } from './clean-headers.js';
import type { Outcome } from './outcome.js';
import type { Refusal } from './refusal.js';

export interface WholeAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON: a value, or the bytes of one. */
  readonly body: JsonObject | Uint8Array;
}

/** A whole JSON answer. */
export function sendWhole(response: ServerResponse, answer: WholeAnswer): void {
  const body = answer.body instanceof Uint8Array ? answer.body : Buffer.from(JSON.stringify(answer.body));
  response.writeHead(answer.status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': body.byteLength,
    ...cleanHeaders(answer.headers),
  });
  response.end(body);
}

/** A failure before the first byte, in the client's dialect. */
export function sendFailure(response: ServerResponse, dialect: Dialect, failed: FailedAnswer): Outcome {
  const wire = dialect.writeFailure(failed.failure);
  sendWhole(response, { status: wire.status, headers: { ...failed.headers, ...wire.headers }, body: wire.body });
  return { status: wire.status, code: failed.failure.code };
}

export interface FailedAnswer {
  readonly failure: Failure;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What this gateway refuses by itself, in the client's dialect. */
export function sendRefusal(response: ServerResponse, dialect: Dialect, refusal: Refusal): Outcome {
  const failure = refusal.failure();
  const wire = dialect.writeFailure(failure);
  const status = refusal.code === 'request_timeout' ? 408 : wire.status;
  sendWhole(response, { status, headers: { ...refusal.headers, ...wire.headers }, body: wire.body });
  return { status, code: failure.code };
}
