import type { Failure } from '../turn/index.js';
import { boundText, quoteUpstream, readWaitWordsMs, statusCategory } from '../wire/index.js';
import type { CodeMeaning, FailureCode } from './failure-code.js';
import { CODE_MEANINGS } from './failure-code.js';
import { oneLine } from './one-line.js';
import { mayBeWrapped, readWords } from './read-words.js';

export type { FailureCode } from './failure-code.js';

/** What a provider said of its failure, taken out of its dialect's shape. */
export interface UpstreamWords {
  readonly provider: string;
  readonly model: string;
  /** The status received, or the one that an error inside a 200 stream carries; `undefined` where none is known. */
  readonly status: number | undefined;
  readonly code: string | undefined;
  readonly type: string | undefined;
  readonly message: string | undefined;
  /** More words that help to tell the kind and are not quoted: error reasons, quota ids, what a relay got from upstream. */
  readonly details?: string | undefined;
  readonly requestId: string | undefined;
  readonly retryAfterMs: number | undefined;
  /** True when it came inside a reply that had begun with a 200. */
  readonly inStream: boolean;
}

/** The provider's words as one of our kinds: its own code and text first, its status last. */
export function classify(words: UpstreamWords): Failure {
  const code = codeOf(words);
  const meaning = CODE_MEANINGS[code];
  const retryAfterMs = words.retryAfterMs ?? readWaitWordsMs(words.message?.slice(0, SEARCH_CHARS_MAX) ?? '');
  return {
    code,
    kind: meaning.kind,
    retryable: meaning.kind === 'transient' || meaning.kind === 'protocol',
    atFault: meaning.atFault,
    message: sentence(words, meaning),
    ...(meaning.advice === undefined ? {} : { advice: meaning.advice }),
    upstream: {
      provider: words.provider,
      status: shownStatus(words),
      code: shortWord(words.code),
      type: shortWord(words.type),
      message: words.message === undefined ? undefined : quoteUpstream(words.message),
      requestId: shortWord(words.requestId),
    },
    ...(meaning.kind === 'transient' && retryAfterMs !== undefined ? { retryAfterMs } : {}),
  };
}

/** Providers put what matters first; the rest is not searched. */
const SEARCH_CHARS_MAX = 16_384;
const WORD_BYTES_MAX = 256;

function codeOf(words: UpstreamWords): FailureCode {
  const status = decidingStatus(words);
  const said = [words.code, words.type, words.message, words.details]
    .filter((part) => part !== undefined)
    .map((part) => part.slice(0, SEARCH_CHARS_MAX));
  const asksToWait = words.retryAfterMs !== undefined;
  return readWords({ text: said.join('\n').toLowerCase(), status, asksToWait }) ?? codeOfStatus(status);
}

function codeOfStatus(status: number | undefined): FailureCode {
  if (status === undefined) return 'upstream_error';
  switch (statusCategory(status)) {
    case 'redirect':
      return 'upstream_redirect';
    case 'auth':
      return 'upstream_auth_failed';
    case 'billing':
      return 'upstream_billing';
    case 'request':
      return REFUSALS.get(status) ?? 'upstream_request_invalid';
    case 'transient':
      return TROUBLES.get(status) ?? 'upstream_error';
    case 'fine':
      return 'upstream_error';
  }
}

const REFUSALS: ReadonlyMap<number, FailureCode> = new Map([
  [404, 'upstream_path_unknown'],
  [413, 'request_too_large'],
]);

const TROUBLES: ReadonlyMap<number, FailureCode> = new Map([
  [408, 'upstream_timeout'],
  [429, 'upstream_rate_limited'],
  [499, 'upstream_cancelled'],
  [502, 'upstream_unavailable'],
  [503, 'upstream_unavailable'],
  [504, 'upstream_timeout'],
  [529, 'upstream_overloaded'],
]);

/** A body that carries a status of its own is believed where the received one says little. */
function decidingStatus(words: UpstreamWords): number | undefined {
  const inner = innerStatus(words);
  if (inner === undefined || !mayBeWrapped(words.status)) return words.status;
  const isBare = words.status === undefined || statusCategory(words.status) === 'fine';
  return isBare || statusCategory(inner) !== 'transient' ? inner : words.status;
}

function shownStatus(words: UpstreamWords): number | undefined {
  const isBare = words.status === undefined || statusCategory(words.status) === 'fine';
  return isBare ? (innerStatus(words) ?? words.status) : words.status;
}

/** A code or a type that is an HTTP error status. Other numbers are a provider's own. */
function innerStatus({ code, type }: UpstreamWords): number | undefined {
  const found = [code, type].find((word) => word !== undefined && /^[45]\d\d$/u.test(word));
  return found === undefined ? undefined : Number(found);
}

function sentence(words: UpstreamWords, meaning: CodeMeaning): string {
  const status = shownStatus(words);
  const model = words.model === '' ? 'the model' : `the model "${boundText(words.model, WORD_BYTES_MAX)}"`;
  const where = words.inStream ? ' inside its reply' : '';
  const what = oneLine(`${words.provider} ${meaning.does(model)}${where}${status === undefined ? '' : ` (${status})`}`);
  const said = oneLine(quoteUpstream(words.message ?? words.code ?? words.type ?? ''));
  if (said === '') return `${what} and gave no reason.`;
  if (!HTML.test(said)) return `${what}: "${said}"`;
  const title = TITLE.exec(said)?.[1]?.trim();
  return title === undefined ? `${what} with an HTML page.` : `${what} with an HTML page: "${title}"`;
}

const HTML = /^<(?:!doctype|html|head|body|center)\b/iu;
const TITLE = /<title>([^<]{1,200})</iu;

function shortWord(word: string | undefined): string | undefined {
  return word === undefined ? undefined : boundText(quoteUpstream(word), WORD_BYTES_MAX);
}
