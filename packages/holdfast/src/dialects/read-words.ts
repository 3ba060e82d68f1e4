import { statusCategory } from '../wire/index.js';
import type { FailureCode } from './failure-code.js';

/** What the words say and what stands behind them, ready to be searched. */
export interface SearchableWords {
  /** Code, type, message and details, in lower case, one to a line where they are one line. */
  readonly text: string;
  /** The status that decides where the words do not. */
  readonly status: number | undefined;
  readonly asksToWait: boolean;
}

/**
 * What the provider's own words mean, or `undefined` where they mean nothing to us. Every wording was seen at a
 * provider or in its documents. The first rule that matches decides, so the specific come first.
 */
export function readWords(words: SearchableWords): FailureCode | undefined {
  const isSoft = mayBeWrapped(words.status);
  for (const rule of RULES) {
    if (rule.onlyWhen === 'soft' && !isSoft) continue;
    if (rule.onlyWhen === 'hard' && isSoft) continue;
    const code = typeof rule.means === 'function' ? rule.means(words) : rule.means;
    if (code !== undefined && (rule.words === undefined || rule.words.test(words.text))) return code;
  }
  return undefined;
}

/** A status that says little: none, a 2xx around an error, or one of those in which relays wrap what they got. */
export function mayBeWrapped(status: number | undefined): boolean {
  if (status === undefined) return true;
  const category = statusCategory(status);
  return category === 'transient' || category === 'fine';
}

interface Rule {
  readonly means: FailureCode | ((words: SearchableWords) => FailureCode | undefined);
  readonly words?: RegExp;
  /** `soft`: believed only where the status says little. `hard`: only where it is a plain refusal. */
  readonly onlyWhen?: 'soft' | 'hard';
}

// Every repetition is bounded: a hostile text costs no more than its length.
const RULES: readonly Rule[] = [
  // Our replay was wrong. First, since relays wrap these as 429 and 500.
  {
    means: 'thought_signature_invalid',
    words:
      /(?:invalid|corrupt(?:ed)?|malformed|unreadable) `?thought[_ ]?signature|thought[_ ]?signature`? (?:is |was )?(?:not valid|invalid|corrupt)/u,
  },
  {
    means: 'thought_signature_missing',
    words: /(?:missing|lacks?|without|requires?)(?![a-z])[^\n]{0,40}?thought[_ ]?signature/u,
  },
  {
    means: 'reasoning_missing',
    words:
      /reasoning_content\b[^\n]{0,120}?(?:must be passed back|missing)|(?:missing|without)\b[^\n]{0,60}?reasoning_content|expected `?thinking`? or `?redacted_thinking|must start with a thinking block/u,
  },
  {
    means: 'reasoning_invalid',
    words:
      /invalid_encrypted_content|encrypted[_ ]content\b[^\n]{0,200}?could not be (?:verified|decrypted|parsed)|invalid `?signature`? in `?thinking`? block|bound to a different (?:conversation|organization|model|user)|blocks[^\n]{0,80}?cannot be modified|_binding_mismatch/u,
  },
  {
    means: 'history_incomplete',
    words:
      /without its required|no tool (?:output|call|result) found for|tool_use`? ids? (?:were|was) found without|must be followed by tool messages|tool_call_ids? did not have response|unexpected `?tool_use_id|number of function response parts|function response turn comes immediately after/u,
  },
  {
    means: 'previous_response_unknown',
    words: /previous_response_not_found|previous response with id\b[^\n]{0,120}?not found|thread_not_found/u,
  },
  {
    means: 'tool_generation_invalid',
    words: /^(?:tool_use_failed|output_parse_failed)$|failed to (?:call a function|parse tool call)/mu,
  },
  // An overload is an overload under any status.
  {
    means: 'upstream_overloaded',
    words:
      /^(?:overloaded_error|overloaded|engine_overloaded|engine_overloaded_error|server_overloaded|model_overloaded|server_busy)\W{0,3}$|\b(?:model|server|engine|service|system)s? (?:is|are) (?:currently |temporarily )?(?:overloaded|busy|at capacity)/mu,
  },
  { means: 'upstream_overloaded', words: /\boverloaded\b/u, onlyWhen: 'soft' },
  // The account, which no wait of ours cures.
  {
    means: 'upstream_quota_exhausted',
    words: /insufficient_quota|free-models-per-day|quota_exhausted|no quota left/u,
  },
  {
    means: 'upstream_billing',
    words:
      /credit_balance_exhausted|credit balance (?:is )?too low|billing_error|billing_not_active|billing_hard_limit|insufficient[_ ](?:account )?(?:balance|funds|credits?)|payment_required|spend_limit_reached|out of credits|(?:more|enough) credits|(?:enable|requires?) billing|arrearage/u,
  },
  {
    means: 'upstream_account_blocked',
    words:
      /user location is not supported|unsupported_country|organization_on_hold|account_deactivated|(?:organization|account) (?:is|has been) (?:deactivated|disabled|suspended|restricted|blocked)/u,
  },
  {
    means: 'upstream_quota_exhausted',
    words:
      /per_?day|\b(?:requests|tokens) per day|\b[rt]pd\b|\bdaily (?:\w{1,20} )?(?:limit|quota)|\blimit: 0\b|quota_(?:limit_)?value"?:? ?"?0\b/u,
    onlyWhen: 'soft',
  },
  {
    // The same sentence at two providers: a spent account at one, a full minute at the other, which says how long.
    means: ({ text, asksToWait }) =>
      asksToWait || /resource_exhausted|per_?minute/u.test(text) ? undefined : 'upstream_quota_exhausted',
    words: /exceeded your current quota/u,
    onlyWhen: 'soft',
  },
  // Too much of something.
  { means: exceedsRateLimit },
  { means: blameCapOrPrompt },
  {
    means: 'context_overflow',
    words:
      /context_length_exceeded|context_window_exceeded|exceed_context_size|(?:prompt|input) is too long|prompt too long|maximum context length|maximum prompt length|max(?:imum)? (?:input )?length|context (?:window|length|size|limit)\b[^\n]{0,60}?(?:exceed|too (?:large|long|small))|(?:exceed(?:s|ed)?|larger than|too large for|too long for)\b[^\n]{0,60}?context (?:window|length|size|limit)|exceed(?:s|ed)? the maximum number of (?:input )?tokens|input token count\b[^\n]{0,60}?exceeds|exceeded model token limit|reduce the length of the (?:messages|prompt|input)|range of input length|context overflows/u,
    onlyWhen: 'hard',
  },
  {
    means: 'context_overflow',
    words:
      /context_length_exceeded|context_window_exceeded|exceed_context_size|prompt is too long|maximum context length|exceeds the maximum number of tokens|exceeds the (?:available )?context/u,
    onlyWhen: 'soft',
  },
  {
    means: 'upstream_content_blocked',
    words:
      /^(?:content_filter|content_policy|content_policy_violation|safety|image_safety|prohibited_content|blocklist|spii|recitation|moderation_blocked|invalid_prompt|bio_policy|cyber_policy|responsibleaipolicyviolation|data_inspection_failed|refusal)$|content management policy|content policy|usage polic(?:y|ies)|blocked by\b[^\n]{0,40}?(?:safety|content|moderation)|(?:prompt|input|response) (?:was|has been|is) (?:blocked|flagged|filtered)|contains? (?:sensitive|unsafe|inappropriate)|content exists risk|\bsafety system\b/mu,
  },
  {
    means: 'upstream_model_unknown',
    words:
      /model_?not_?found|model_?not_?exist|deploymentnotfound|^invalid_model$|model_decommissioned|models\/[\w.:@-]{1,120} is not found|^model: [\w./:@-]{1,120}$|\bmodel\b:?\s?(?:id |name )?[`'"]?[\w./:@-]{1,120}[`'"]?,? (?:(?:does|was|is|could) )?not (?:be )?(?:exist|found)|\bmodel not (?:exist|found)|\bmodel\b[^\n]{0,120}?(?:is no longer (?:available|supported)|has been (?:retired|deprecated|decommissioned|removed|discontinued))|not a valid model|\binvalid model\b|\bunknown model\b|no such model|supported api model names|model identifier is invalid|no endpoints found for |deployment for this resource does not exist/mu,
  },
  {
    means: 'upstream_auth_failed',
    words:
      /api_key_invalid|invalid_api_key|(?:invalid|incorrect|missing|expired|wrong) (?:x-)?api[- _]?key|api[- _]?key (?:is |was )?(?:not valid|invalid|expired|revoked|missing|not found|required)|^(?:authentication_error|unauthenticated|unauthorized|permission_error|permission_denied)$|authentication fails|missing authentication|invalid subscription key|security token\b[^\n]{0,60}?is invalid/mu,
  },
  {
    means: 'unsupported_parameter',
    words:
      /^(?:unsupported_parameter|unknown_parameter)$|unsupported parameter|unknown parameter|unrecognized request argument|extra inputs are not permitted/mu,
  },
  // Where the status says little, the words say whether it is about time or about the request.
  {
    means: 'upstream_rate_limited',
    words:
      /^(?:resource_exhausted|requests|tokens|throttling|throttlingexception|too_many_requests)$|rate[-_ ]?limit|too many requests|quota exceeded|exceeded your current quota/mu,
    onlyWhen: 'soft',
  },
  {
    means: 'upstream_request_invalid',
    words:
      /invalid_request_error|\binvalid_argument\b|^(?:invalid_request|invalid-argument|badrequesterror|bad request|bad_request|validation_error|failed_precondition|unprocessable_entity)$|"(?:code|status|status_code)": ?"?4(?:00|04|13|22)\b|\b(?:status|status code|error|error code|http)[: ]{1,2}4(?:00|13|22)\b/mu,
    onlyWhen: 'soft',
  },
  { means: 'upstream_conflict', words: /^conflict_error$/mu },
  { means: lockOf409 },
  {
    means: 'upstream_timeout',
    words: /^(?:timeout_error|timeout|deadline_exceeded|request_timeout|gateway_timeout)$|\btimed out\b/mu,
    onlyWhen: 'soft',
  },
  {
    means: 'upstream_unavailable',
    words:
      /^(?:unavailable|service_unavailable|service_unavailable_error|provider_unavailable|bad_gateway|insufficient_system_resource|network_error)$|service (?:is )?(?:temporarily )?unavailable/mu,
    onlyWhen: 'soft',
  },
  { means: 'upstream_cancelled', words: /^cancelled$/mu, onlyWhen: 'soft' },
];

/** `Request too large … on tokens per min (TPM): Limit 1, Requested 30`: no wait makes it fit. */
function exceedsRateLimit({ text }: SearchableWords): FailureCode | undefined {
  if (!/per[ _]?min|\btpm\b/u.test(text)) return undefined;
  const limit = numberOf(text, /\blimit:? (\d{1,12})\b/u);
  const requested = numberOf(text, /\brequested:? (\d{1,12})\b/u);
  const isTooMuch = limit !== undefined && requested !== undefined && requested > limit;
  return isTooMuch || text.includes('request too large for') ? 'request_exceeds_rate_limit' : undefined;
}

/** Prompt and output share the window. The larger share is to blame, where the provider names both. */
function blameCapOrPrompt({ text }: SearchableWords): FailureCode | undefined {
  const cap = numberOf(text, CAP_NUMBERS);
  const prompt = numberOf(text, PROMPT_NUMBERS);
  if (cap !== undefined && prompt !== undefined && text.includes('context')) {
    return cap >= prompt ? 'output_cap_too_large' : 'context_overflow';
  }
  return CAP_COMPLAINT.test(text) ? 'output_cap_too_large' : undefined;
}

const CAP_NUMBERS =
  /(?:\d{1,12}) \+ (\d{1,12}) > \d|(\d{1,12})\D{0,40}in the (?:completion|output)|tokens'? is too large: (\d{1,12})/u;
const PROMPT_NUMBERS =
  /(\d{1,12}) \+ (?:\d{1,12}) > \d|(\d{1,12})\D{0,40}in the messages|(\d{1,12}) (?:input tokens|of text input)/u;
const CAP_COMPLAINT =
  /max_(?:completion_|output_|new_)?tokens\W{0,4}\d{1,12} ?(?:is more than|>|exceeds)|max_(?:completion_|output_|new_)?tokens\W{1,3}is too (?:large|high)|supports at most \d{1,12} (?:completion|output) tokens|maxoutputtokens\b[^\n]{0,80}?(?:range|exceed|larger|at most)|maximum allowed number of output tokens/u;

function lockOf409({ text, status }: SearchableWords): FailureCode | undefined {
  return status === 409 && /\block(?:ed|s)?\b/u.test(text) ? 'upstream_conflict' : undefined;
}

function numberOf(text: string, form: RegExp): number | undefined {
  const digits = form
    .exec(text)
    ?.slice(1)
    .find((group) => group !== undefined);
  return digits === undefined ? undefined : Number(digits);
}
