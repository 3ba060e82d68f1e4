import type { AtFault, FailureKind } from '../turn/index.js';

/** What an upstream's failure can be, finer than its kind. Stable and documented. */
export type FailureCode =
  | 'upstream_overloaded'
  | 'upstream_rate_limited'
  | 'upstream_unavailable'
  | 'upstream_timeout'
  | 'upstream_cancelled'
  | 'upstream_conflict'
  | 'upstream_error'
  | 'upstream_request_invalid'
  | 'upstream_redirect'
  | 'upstream_path_unknown'
  | 'request_too_large'
  | 'request_exceeds_rate_limit'
  | 'unsupported_parameter'
  | 'output_cap_too_large'
  | 'thought_signature_missing'
  | 'thought_signature_invalid'
  | 'reasoning_missing'
  | 'reasoning_invalid'
  | 'history_incomplete'
  | 'previous_response_unknown'
  | 'context_overflow'
  | 'upstream_auth_failed'
  | 'upstream_account_blocked'
  | 'upstream_billing'
  | 'upstream_quota_exhausted'
  | 'upstream_model_unknown'
  | 'upstream_content_blocked'
  | 'tool_generation_invalid';

/** What a code means to everyone. */
export interface CodeMeaning {
  readonly kind: FailureKind;
  readonly atFault: AtFault;
  /** What happened, after the provider's name and before its words. `model` is such as `the model "m-1"`. */
  readonly does: (model: string) => string;
  readonly advice?: string;
}

export const CODE_MEANINGS: Readonly<Record<FailureCode, CodeMeaning>> = {
  upstream_overloaded: transient('is overloaded'),
  upstream_rate_limited: transient('limits the rate of requests'),
  upstream_unavailable: transient('is unavailable'),
  upstream_timeout: transient('timed out'),
  upstream_cancelled: transient('cancelled the request'),
  upstream_conflict: transient('is busy with a conflicting request'),
  upstream_error: transient('failed'),
  upstream_request_invalid: request('refused the request'),
  upstream_redirect: {
    kind: 'request',
    atFault: 'operator',
    does: () => 'answered with a redirect, which is never followed',
    advice: 'Set the base URL of this provider to the address where its API really is.',
  },
  upstream_path_unknown: {
    kind: 'request',
    atFault: 'operator',
    does: (model) => `found nothing at the address that was asked for ${model}`,
    advice: 'Check the base URL of this provider, its API version included, and the name of the model.',
  },
  request_too_large: request('refused the request as too large', 'Send less: shorter messages or smaller attachments.'),
  request_exceeds_rate_limit: request(
    'refused the request, which is larger than its limit of tokens per minute',
    'Waiting does not help. Send a smaller request, or ask the provider for a higher limit.',
  ),
  unsupported_parameter: request(
    'refused a parameter of the request',
    'Remove or rename the parameter that the provider names.',
  ),
  output_cap_too_large: request(
    'refused the output cap (max_output_tokens)',
    'Lower max_output_tokens, so that prompt and output fit into the context window of the model.',
  ),
  thought_signature_missing: request(
    'refused the request, since a replayed tool call lacks its thought signature',
    'Send every tool call back with the signature that came with it; a client on the way may drop it.',
  ),
  thought_signature_invalid: request(
    'refused the request, since a replayed thought signature is not valid there',
    'Signatures belong to one vendor, project and route. Leave those of another out of the history.',
  ),
  reasoning_missing: request(
    'refused the request, since reasoning that belongs to a replayed message is missing',
    'Send the reasoning of earlier replies back unchanged; a client on the way may drop it.',
  ),
  reasoning_invalid: request(
    'refused the request, since replayed reasoning does not belong to this history',
    'Earlier messages, the system prompt and the tools must stay as they were sent. Leave reasoning of another account out.',
  ),
  history_incomplete: request(
    'refused the request, since its history is incomplete',
    'Every tool call needs its result, and every reasoning item the item that it led to.',
  ),
  previous_response_unknown: request(
    'does not know the earlier response that the request continues',
    'Send the whole history instead of the id of an earlier response.',
  ),
  context_overflow: {
    kind: 'context_overflow',
    atFault: 'caller',
    does: (model) => `refused the request, which is larger than the context window of ${model}`,
    advice: 'Shorten or compact the conversation.',
  },
  upstream_auth_failed: {
    kind: 'auth',
    atFault: 'operator',
    does: () => 'rejected the credentials',
    advice: 'Check the API key of this provider and what it may use.',
  },
  upstream_account_blocked: {
    kind: 'auth',
    atFault: 'operator',
    does: () => 'does not serve this account or place',
    advice: 'Check the state of the account at this provider, and from where it may be used.',
  },
  upstream_billing: {
    kind: 'billing',
    atFault: 'operator',
    does: () => 'refused the request for want of payment',
    advice: 'Check balance, plan and spending limit of the account at this provider.',
  },
  upstream_quota_exhausted: {
    kind: 'billing',
    atFault: 'operator',
    does: () => 'refused the request, since the quota of the account is used up',
    advice: 'A short wait does not help. Raise the quota or the plan of the account at this provider.',
  },
  upstream_model_unknown: {
    kind: 'model_unknown',
    atFault: 'operator',
    does: (model) => `does not know ${model}`,
    advice: 'Check the name of the model; it may be retired, or not open to this account.',
  },
  upstream_content_blocked: {
    kind: 'content',
    atFault: 'provider',
    does: () => 'blocked the request for its content',
    advice: 'The same request is blocked again. Change what it says.',
  },
  tool_generation_invalid: {
    kind: 'protocol',
    atFault: 'model',
    does: (model) => `could not use the tool call that ${model} wrote`,
  },
};

function transient(what: string): CodeMeaning {
  const advice = 'Ask again later, or add a fallback of another vendor.';
  return { kind: 'transient', atFault: 'provider', does: () => what, advice };
}

function request(what: string, advice?: string): CodeMeaning {
  return { kind: 'request', atFault: 'caller', does: () => what, ...(advice === undefined ? {} : { advice }) };
}
