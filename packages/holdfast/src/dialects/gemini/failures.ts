import type { Failure, JsonObject, JsonValue } from '../../turn/index.js';
import {
  depthWithin,
  isRecord,
  listOf,
  parseJson,
  readDurationMs,
  readRetryAfterMs,
  readWaitWordsMs,
  stringOf,
  WIRE_LIMITS,
} from '../../wire/index.js';
import { classify } from '../classify.js';
import type { UpstreamWords } from '../classify.js';
import { clientStatus } from '../client-status.js';
import type { ErrorAnswer, WireError } from '../dialect.js';

/** An HTTP answer that is no reply. Total: a page, an empty body or an array of errors all become a failure. */
export function readFailure(answer: ErrorAnswer): Failure {
  const said = readErrorBody(answer.body);
  const { provider, model, status, headers, at } = answer;
  const isFine = status >= 200 && status < 300;
  return classify({
    provider,
    model,
    // An error inside a 200 counts as its own status.
    status: isFine ? (said.code ?? status) : status,
    ...wordsOf(said),
    requestId: headers['x-request-id'],
    retryAfterMs: readRetryAfterMs(headers, at) ?? said.retryAfterMs,
    inStream: false,
  });
}

/** An error object in the place of a reply chunk; `undefined` for anything else. */
export function readStreamError(
  value: unknown,
  asked: { readonly provider: string; readonly model?: string },
): Failure | undefined {
  if (!isRecord(value) || Array.isArray(value['candidates'])) return undefined;
  const said = readError(value);
  if (said === undefined) return undefined;
  return classify({
    provider: asked.provider,
    model: asked.model ?? '',
    status: said.code,
    ...wordsOf(said),
    requestId: undefined,
    retryAfterMs: said.retryAfterMs,
    inStream: true,
  });
}

function wordsOf({
  code,
  status,
  reason,
  message,
  details,
}: SaidError): Pick<UpstreamWords, 'code' | 'type' | 'message' | 'details'> {
  return { code: status ?? (code === undefined ? undefined : String(code)), type: reason, message, details };
}

/** The failure as an HTTP answer for a client of this wire. */
export function writeFailure(failure: Failure): WireError {
  const { status, headers } = clientStatus(failure);
  return { status, headers, body: writeError(failure) };
}

/** The failure as this wire's error object, which is the same in an answer and inside a stream. */
export function writeError(failure: Failure): JsonObject {
  const { status, code } = clientStatus(failure);
  const wait = failure.retryable && failure.retryAfterMs !== undefined ? failure.retryAfterMs : undefined;
  const details: JsonValue[] = [{ '@type': `${RPC}ErrorInfo`, reason: code.toUpperCase(), domain: 'holdfast' }];
  if (wait !== undefined) details.push({ '@type': `${RPC}RetryInfo`, retryDelay: `${Math.ceil(wait / 1000)}s` });
  const message = failure.advice === undefined ? failure.message : `${failure.message} ${failure.advice}`;
  return { error: { code: status, message, status: RPC_STATUS.get(status) ?? 'UNKNOWN', details } };
}

/** What one error of this wire says, its details and its nested texts included. */
interface SaidError {
  readonly code: number | undefined;
  readonly status: string | undefined;
  /** `ErrorInfo.reason`. */
  readonly reason: string | undefined;
  /** Reasons, quotas and fields of the details, as JSON text: they tell a full minute from a spent day. */
  readonly details: string | undefined;
  readonly message: string | undefined;
  readonly retryAfterMs: number | undefined;
}

const NOTHING_SAID: SaidError = {
  code: undefined,
  status: undefined,
  reason: undefined,
  details: undefined,
  message: undefined,
  retryAfterMs: undefined,
};

/** Proxies put whole error bodies into the message of another error, this deep at most. */
const NESTING_MAX = 4;

const RPC = 'type.googleapis.com/google.rpc.';

const RPC_STATUS: ReadonlyMap<number, string> = new Map([
  [400, 'INVALID_ARGUMENT'],
  [401, 'UNAUTHENTICATED'],
  [403, 'PERMISSION_DENIED'],
  [404, 'NOT_FOUND'],
  [405, 'UNIMPLEMENTED'],
  [413, 'INVALID_ARGUMENT'],
  [415, 'INVALID_ARGUMENT'],
  [429, 'RESOURCE_EXHAUSTED'],
  [499, 'CANCELLED'],
  [502, 'INTERNAL'],
  [503, 'UNAVAILABLE'],
  [504, 'DEADLINE_EXCEEDED'],
]);

/** What is no error of this wire, such as a proxy's page, is its own message. */
function readErrorBody(body: string): SaidError {
  const json = parseJson(body);
  const text = body.trim();
  return (json.ok ? readError(json.value) : undefined) ?? { ...NOTHING_SAID, message: text === '' ? undefined : text };
}

function readError(body: unknown): SaidError | undefined {
  const holder = Array.isArray(body) ? listOf(body)[0] : body;
  if (!isRecord(holder)) return undefined;
  const error = holder['error'];
  if (typeof error === 'string') return { ...NOTHING_SAID, message: error };
  return isRecord(error) ? readErrorObject(error, 1) : undefined;
}

function readErrorObject(error: JsonObject, level: number): SaidError {
  const message = stringOf(error['message']);
  const inner = message === undefined || level === NESTING_MAX ? undefined : nested(message, level);
  const details = listOf(error['details']).filter(isRecord);
  const own: SaidError = {
    code: statusNumber(error['code']),
    status: stringOf(error['status']),
    reason: stringOf(ofType(details, 'ErrorInfo')[0]?.['reason']),
    details: tellingDetails(details),
    message,
    retryAfterMs: retryDelayMs(details) ?? readWaitWordsMs(message ?? ''),
  };
  return inner === undefined ? own : mergeSaid(own, inner);
}

function mergeSaid(outer: SaidError, inner: SaidError): SaidError {
  return {
    code: inner.code ?? outer.code,
    status: inner.status ?? outer.status,
    reason: inner.reason ?? outer.reason,
    details: inner.details ?? outer.details,
    message: inner.message ?? outer.message,
    retryAfterMs: inner.retryAfterMs ?? outer.retryAfterMs,
  };
}

function nested(message: string, level: number): SaidError | undefined {
  const text = message.trim();
  if (!text.startsWith('{') && !text.startsWith('[')) return undefined;
  const json = parseJson(text);
  if (!json.ok) return undefined;
  const holder = Array.isArray(json.value) ? listOf(json.value)[0] : json.value;
  if (!isRecord(holder)) return undefined;
  const error = holder['error'];
  if (isRecord(error)) return readErrorObject(error, level + 1);
  return typeof holder['message'] === 'string' ? readErrorObject(holder, level + 1) : undefined;
}

const TELLING = ['ErrorInfo', 'QuotaFailure', 'BadRequest', 'PreconditionFailure'] as const;

function tellingDetails(details: readonly JsonObject[]): string | undefined {
  const telling = TELLING.flatMap((type) => ofType(details, type));
  return telling.length === 0 || !depthWithin(telling, WIRE_LIMITS.jsonDepthMax) ? undefined : JSON.stringify(telling);
}

function retryDelayMs(details: readonly JsonObject[]): number | undefined {
  const delay = stringOf(ofType(details, 'RetryInfo')[0]?.['retryDelay']);
  return delay === undefined ? undefined : readDurationMs(delay);
}

function ofType(details: readonly JsonObject[], type: string): readonly JsonObject[] {
  return details.filter((detail) => stringOf(detail['@type'])?.endsWith(`.${type}`) === true);
}

function statusNumber(code: unknown): number | undefined {
  const number = typeof code === 'string' ? Number(code) : code;
  return typeof number === 'number' && Number.isInteger(number) && number >= 100 && number < 600 ? number : undefined;
}
