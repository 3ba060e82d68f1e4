/** UTF-8 bytes of a provider's words that we keep. */
export const QUOTE_BYTES_MAX = 2_048;

/** A provider's words as they may be stored and shown: without keys, and bounded. */
export function quoteUpstream(text: string): string {
  // Keys go first, so that no cut leaves the beginning of one; a longer text is cut before, to bound the work.
  return boundText(redact(text.length > WORK_CHARS_MAX ? text.slice(0, WORK_CHARS_MAX) : text));
}

/** At most `bytesMax` bytes of UTF-8, the mark of the cut included. No character is split. */
export function boundText(text: string, bytesMax: number = QUOTE_BYTES_MAX): string {
  if (text.length * 3 <= bytesMax) return text;
  const encoder = new TextEncoder();
  if (encoder.encodeInto(text, new Uint8Array(bytesMax)).read === text.length) return text;
  const room = new Uint8Array(Math.max(0, bytesMax - 3));
  return `${text.slice(0, encoder.encodeInto(text, room).read)}…`;
}

/** Replaces everything that looks like a credential. What a provider has masked itself stays readable. */
export function redact(text: string): string {
  let clean = text;
  for (const secret of SECRETS) clean = clean.replace(secret, '$1[redacted]');
  return clean;
}

const WORK_CHARS_MAX = 65_536;

// Every search ahead is bounded, so that no text makes them slow.
const SECRETS: readonly RegExp[] = [
  /()\bAIza?[\w-]{16,}/gu,
  /()\bya29\.[\w.-]{8,}/gu,
  /()\beyJ[\w-]{8,512}\.[\w.-]{8,}/gu,
  /()\b(?:sk|pk|rk|xai|gsk|hf|nvapi|fw|pplx|hold|csk|tgp|AKIA|ASIA|ghp|glpat)[-_]?(?=[\w-]{0,64}\d)[\w-]{12,}/gu,
  /\b(Bearer\s+)[\w.~+/=-]{6,}/giu,
  /\b(Basic\s+)[\w+/=]{12,}/giu,
  /([?&](?:key|api_key|apikey|access_token|token)=)[^&\s"'<>]{4,}/giu,
  /\b(api[-_ ]?key(?: provided)?"?\s{0,4}[:=]\s{0,4}"?)[\w~+/=-]{12,}/giu,
];
