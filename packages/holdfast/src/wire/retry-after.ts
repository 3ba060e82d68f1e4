/** Header names in lower case. */
export type ResponseHeaders = Readonly<Record<string, string | undefined>>;

/**
 * How long the answer asks us to wait, in milliseconds; 0 for a moment that has passed; `undefined` where it says
 * nothing readable. `at` is when the answer came, in milliseconds since the epoch. Read it on errors only:
 * `retry-after` also stands on successful answers of several hosts.
 */
export function readRetryAfterMs(headers: ResponseHeaders, at: number): number | undefined {
  return (
    millisecondsOf(headers['retry-after-ms']) ??
    secondsOrDateMs(headers['retry-after'], at) ??
    resetMs(DURATION_RESETS, headers, readDurationMs) ??
    resetMs(DATE_RESETS, headers, (text) => untilMs(text, RFC3339, at)) ??
    epochResetMs(headers['x-ratelimit-reset'], at)
  );
}

/** A duration as Google and OpenAI write it: `34.4s`, `6m0s`, `120ms`, `1h2m3s`. */
export function readDurationMs(text: string): number | undefined {
  const found = DURATION.exec(text.trim());
  if (found === null || found[0] === '') return undefined;
  const [, days, hours, minutes, seconds, milliseconds] = found;
  const ms =
    amount(days) * 86_400_000 +
    amount(hours) * 3_600_000 +
    amount(minutes) * 60_000 +
    amount(seconds) * 1_000 +
    amount(milliseconds);
  return waitOf(ms);
}

/** The wait that an error's prose names, such as `Please retry in 48.9s.` or `try again in 6m0s`. */
export function readWaitWordsMs(message: string): number | undefined {
  const found = WAIT_WORDS.exec(message)?.[1];
  return found === undefined ? undefined : readDurationMs(found);
}

interface Reset {
  readonly reset: string;
  readonly remaining: string;
}

const DURATION_RESETS: readonly Reset[] = ['requests', 'tokens'].map((what) => ({
  reset: `x-ratelimit-reset-${what}`,
  remaining: `x-ratelimit-remaining-${what}`,
}));

const DATE_RESETS: readonly Reset[] = ['requests', 'tokens', 'input-tokens', 'output-tokens'].map((what) => ({
  reset: `anthropic-ratelimit-${what}-reset`,
  remaining: `anthropic-ratelimit-${what}-remaining`,
}));

const NUMBER = /^[+-]?\d{1,15}(?:\.\d{1,15})?$/u;
const HTTP_DATE = /^[A-Za-z]{3,9},? /u;
const RFC3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/u;
const DURATION =
  /^(?:(\d{1,9}(?:\.\d{1,12})?)d)?(?:(\d{1,9}(?:\.\d{1,12})?)h)?(?:(\d{1,9}(?:\.\d{1,12})?)m)?(?:(\d{1,9}(?:\.\d{1,12})?)s)?(?:(\d{1,12}(?:\.\d{1,12})?)ms)?$/u;
const WAIT_WORDS = /\b(?:retry|try again) (?:in|after) ((?:\d{1,9}(?:\.\d{1,12})?(?:ms|d|h|m|s)){1,5})(?![a-z\d])/iu;
// Below this a reset is seconds from now; above it, seconds since the epoch; above the second, milliseconds.
const EPOCH_SECONDS = 1_000_000_000;
const EPOCH_MILLISECONDS = 1_000_000_000_000;

function millisecondsOf(text: string | undefined): number | undefined {
  const number = numberIn(text);
  return number === undefined ? undefined : waitOf(number);
}

function secondsOrDateMs(text: string | undefined, at: number): number | undefined {
  const seconds = numberIn(text);
  if (seconds !== undefined) return waitOf(seconds * 1_000);
  return text === undefined ? undefined : untilMs(text, HTTP_DATE, at);
}

/** The windows that are used up, the latest of them; where none says so, the first that opens. */
function resetMs(
  resets: readonly Reset[],
  headers: ResponseHeaders,
  read: (text: string) => number | undefined,
): number | undefined {
  const waits: number[] = [];
  const usedUp: number[] = [];
  for (const { reset, remaining } of resets) {
    const text = headers[reset];
    const wait = text === undefined ? undefined : read(text);
    if (wait === undefined) continue;
    waits.push(wait);
    if (numberIn(headers[remaining]) === 0) usedUp.push(wait);
  }
  if (usedUp.length > 0) return Math.max(...usedUp);
  return waits.length > 0 ? Math.min(...waits) : undefined;
}

function epochResetMs(text: string | undefined, at: number): number | undefined {
  const number = numberIn(text);
  if (number === undefined) return undefined;
  if (number >= EPOCH_MILLISECONDS) return waitOf(number - at);
  return waitOf(number >= EPOCH_SECONDS ? number * 1_000 - at : number * 1_000);
}

function untilMs(text: string, form: RegExp, at: number): number | undefined {
  if (!form.test(text.trim())) return undefined;
  const moment = Date.parse(text);
  return Number.isNaN(moment) ? undefined : waitOf(moment - at);
}

function numberIn(text: string | undefined): number | undefined {
  const trimmed = text?.trim();
  return trimmed !== undefined && NUMBER.test(trimmed) ? Number(trimmed) : undefined;
}

function amount(text: string | undefined): number {
  return text === undefined ? 0 : Number(text);
}

function waitOf(ms: number): number {
  return Math.max(0, Math.ceil(ms));
}
