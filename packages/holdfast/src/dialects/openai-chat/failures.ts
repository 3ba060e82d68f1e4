import type { Failure, JsonObject, JsonValue } from '../../turn/index.js';
import { isRecord, numberOf, parseJson, readRetryAfterMs, readWaitWordsMs } from '../../wire/index.js';
import { classify } from '../classify.js';
import { clientStatus } from '../client-status.js';
import type { ErrorAnswer, WireError } from '../dialect.js';
import { isList, textOf } from './wire.js';

/** An HTTP answer that is no reply. Total: a page, an empty body or any server's shape becomes a failure. */
export function readFailure(answer: ErrorAnswer): Failure {
  const { provider, model, status, headers, body, at } = answer;
  const json = parseJson(body);
  const text = body.trim();
  const said = (json.ok ? readError(json.value) : undefined) ?? {
    ...NOTHING_SAID,
    message: text === '' ? undefined : text,
  };
  const isFine = status >= 200 && status < 300;
  return classify({
    provider,
    model,
    status: isFine ? (said.status ?? status) : status,
    code: said.code,
    type: said.type,
    message: said.message,
    details: said.details,
    requestId: headers['x-request-id'] ?? headers['apim-request-id'] ?? headers['request-id'],
    retryAfterMs: readRetryAfterMs(headers, at) ?? readWaitWordsMs(said.message ?? ''),
    inStream: false,
  });
}

/** An error in the place of a chunk or of a reply; `undefined` for anything else. */
export function readStreamError(
  value: JsonValue,
  asked: { readonly provider: string; readonly model?: string },
): Failure | undefined {
  const said = typeof value === 'string' ? { ...NOTHING_SAID, message: value } : readError(value);
  if (said === undefined) return undefined;
  return classify({
    provider: asked.provider,
    model: asked.model ?? (isRecord(value) ? textOf(value.model) : ''),
    status: said.status,
    code: said.code,
    type: said.type,
    message: said.message,
    details: said.details,
    requestId: undefined,
    retryAfterMs: readWaitWordsMs(said.message ?? ''),
    inStream: true,
  });
}

/** The failure as an HTTP answer for a client of this wire. */
export function writeFailure(failure: Failure): WireError {
  const { status, headers } = clientStatus(failure);
  return { status, headers, body: writeError(failure) };
}

/** The failure as this wire's error object, which is the same in an answer and inside a stream. */
export function writeError(failure: Failure): JsonObject {
  const { status, code } = clientStatus(failure);
  const message = failure.advice === undefined ? failure.message : `${failure.message} ${failure.advice}`;
  if (failure.kind === 'context_overflow') {
    // Clients look for this code or these words before they compact their history.
    const known = `This model's maximum context length is exceeded. Please reduce the length of the messages. ${message}`;
    return {
      error: { message: known, type: 'invalid_request_error', param: 'messages', code: 'context_length_exceeded' },
    };
  }
  return { error: { message, type: errorType(status), param: null, code } };
}

/** What one error of this family says. */
interface SaidError {
  /** The HTTP status that the body names. */
  readonly status: number | undefined;
  readonly code: string | undefined;
  readonly type: string | undefined;
  readonly message: string | undefined;
  /** What a relay got from its upstream. */
  readonly details: string | undefined;
}

const NOTHING_SAID: SaidError = {
  status: undefined,
  code: undefined,
  type: undefined,
  message: undefined,
  details: undefined,
};

function readError(body: JsonValue): SaidError | undefined {
  // Gemini's compatibility endpoint wraps its error in an array.
  const holder = isList(body) ? body[0] : body;
  if (!isRecord(holder)) return undefined;
  const { error } = holder;
  if (isRecord(error) && Object.keys(error).length > 0) return readErrorObject(error);
  // Venice and Ollama send the text alone, xAI puts a code beside it.
  if (typeof error === 'string' && error !== '') return { ...readErrorObject(holder), message: error };
  return Array.isArray(holder.choices) ? undefined : readFlat(holder);
}

/** Errors without an `error` key: Mistral, vLLM, Doubleword, and FastAPI's `detail`. */
function readFlat(holder: JsonObject): SaidError | undefined {
  const { detail, message } = holder;
  if (typeof detail === 'string') return { ...NOTHING_SAID, message: detail };
  if (isList(detail)) return { ...NOTHING_SAID, message: detail.map(detailText).join('; ') };
  if (typeof message === 'string') return readErrorObject(holder);
  return holder.object === 'error' ? readErrorObject(holder) : undefined;
}

function readErrorObject(error: JsonObject): SaidError {
  const { message, metadata, innererror } = error;
  const meta = isRecord(metadata) ? metadata : NO_FIELDS;
  const inner = isRecord(innererror) ? innererror : NO_FIELDS;
  const status = [error.status, error.status_code, error.raw_status_code, error.code, error.type].map(httpStatus);
  const details = [meta.raw, meta.error_type, meta.provider_code, inner.code].map(textOf).filter((text) => text !== '');
  return {
    status: status.find((found) => found !== undefined),
    code: wordOf(error.code),
    type: wordOf(error.type) ?? wordOf(error.status),
    message: typeof message === 'string' && message !== '' ? message : undefined,
    details: details.length === 0 ? undefined : details.join('\n'),
  };
}

const NO_FIELDS: JsonObject = {};

function detailText(detail: JsonValue): string {
  if (!isRecord(detail)) return textOf(detail);
  const place = isList(detail.loc) ? detail.loc.map(String).join('.') : '';
  return place === '' ? textOf(detail.msg) : `${place}: ${textOf(detail.msg)}`;
}

function wordOf(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Numbers and numbers in quotes: Azure and relays write both. Mistral's own codes are no status. */
function httpStatus(value: JsonValue | undefined): number | undefined {
  const number = numberOf(typeof value === 'string' && value.length === 3 ? Number(value) : value);
  return number !== undefined && Number.isInteger(number) && number >= 400 && number < 600 ? number : undefined;
}

function errorType(status: number): string {
  if (status === 429) return 'requests';
  return status >= 500 ? 'api_error' : 'invalid_request_error';
}
