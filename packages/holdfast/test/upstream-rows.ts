import type { FailureCode, UpstreamWords } from '../src/dialects/classify.js';

/** `[what, words, code]`. The kind follows from the code; it is held by the table below. */
export type Row = readonly [string, Partial<UpstreamWords>, FailureCode];

export const TIMING: readonly Row[] = [
  ['408', { status: 408 }, 'upstream_timeout'],
  ['425', { status: 425 }, 'upstream_error'],
  ['429', { status: 429 }, 'upstream_rate_limited'],
  [
    '429 by code',
    { status: 429, code: 'rate_limit_exceeded', type: 'requests', message: 'slow down' },
    'upstream_rate_limited',
  ],
  [
    '429 typed as a request error',
    { status: 429, type: 'invalid_request_error', code: 'rate_limit_exceeded' },
    'upstream_rate_limited',
  ],
  [
    '429 of Azure',
    { status: 429, code: 'RateLimitReached', message: 'Your requests to x have exceeded rate limit.' },
    'upstream_rate_limited',
  ],
  [
    '429 of Anthropic',
    { status: 429, type: 'rate_limit_error', message: 'This request would exceed your rate limit.' },
    'upstream_rate_limited',
  ],
  [
    '429 of a relay',
    { status: 429, code: '429', message: 'Provider returned error', details: 'x is temporarily rate-limited upstream' },
    'upstream_rate_limited',
  ],
  [
    '429 of a throttle',
    { status: 429, message: 'Too many tokens, please wait before trying again.' },
    'upstream_rate_limited',
  ],
  [
    '429 used tokens of a minute',
    {
      status: 429,
      code: 'rate_limit_exceeded',
      message:
        'Rate limit reached on tokens per min (TPM): Limit 30000, Used 25000, Requested 8000. Please try again in 6s.',
    },
    'upstream_rate_limited',
  ],
  [
    '429 of Google for a minute',
    {
      status: 429,
      type: 'RESOURCE_EXHAUSTED',
      message: 'You exceeded your current quota, please check your plan and billing details. Please retry in 48.9s.',
      retryAfterMs: 48_000,
    },
    'upstream_rate_limited',
  ],
  [
    '499 in a stream',
    { status: 499, type: 'CANCELLED', message: 'The operation was cancelled.', inStream: true },
    'upstream_cancelled',
  ],
  ['500', { status: 500 }, 'upstream_error'],
  ['500 INTERNAL', { status: 500, type: 'INTERNAL', message: 'An internal error has occurred.' }, 'upstream_error'],
  [
    '500 in a stream',
    { status: 500, code: '500', type: 'InternalServerError', message: 'worker died', inStream: true },
    'upstream_error',
  ],
  ['500 of Anthropic', { status: 500, type: 'api_error', message: 'it broke' }, 'upstream_error'],
  ['502', { status: 502, message: '<html><title>502 Bad Gateway</title></html>' }, 'upstream_unavailable'],
  [
    '502 in a stream',
    { status: 502, code: '502', message: 'the provider hung up', details: 'provider_unavailable', inStream: true },
    'upstream_unavailable',
  ],
  ['503', { status: 503, type: 'server_error', message: 'down' }, 'upstream_unavailable'],
  [
    '503 UNAVAILABLE',
    { status: 503, type: 'UNAVAILABLE', message: 'no capacity just now', inStream: true },
    'upstream_unavailable',
  ],
  [
    '503 overloaded',
    { status: 503, type: 'UNAVAILABLE', message: 'The model is overloaded. Please try again later.' },
    'upstream_overloaded',
  ],
  ['504', { status: 504 }, 'upstream_timeout'],
  ['504 DEADLINE_EXCEEDED', { status: 504, type: 'DEADLINE_EXCEEDED' }, 'upstream_timeout'],
  ['504 of Anthropic', { status: 504, type: 'timeout_error', message: 'Request timed out' }, 'upstream_timeout'],
  ['529', { status: 529, type: 'overloaded_error', message: 'Overloaded' }, 'upstream_overloaded'],
  ['529 without a body', { status: 529 }, 'upstream_overloaded'],
  ['an overload under 400', { status: 400, type: 'overloaded_error', message: 'Overloaded' }, 'upstream_overloaded'],
  ['an overload in words under 400', { status: 400, message: 'Overloaded' }, 'upstream_overloaded'],
  [
    'an overload inside a 200',
    { status: 200, type: 'overloaded_error', message: 'too busy', inStream: true },
    'upstream_overloaded',
  ],
  [
    'an overload with no status',
    { type: 'overloaded_error', message: 'too busy', inStream: true },
    'upstream_overloaded',
  ],
  [
    'a server error with no status',
    { type: 'server_error', message: 'The server had an error processing your request.', inStream: true },
    'upstream_error',
  ],
  ['DeepSeek without machines', { code: 'insufficient_system_resource', inStream: true }, 'upstream_unavailable'],
  ['409 of Anthropic', { status: 409, type: 'conflict_error', message: 'try again' }, 'upstream_conflict'],
  ['409 of a lock', { status: 409, message: 'The thread is locked by another run.' }, 'upstream_conflict'],
  ['an unknown 5xx', { status: 520, message: 'Web server is returning an unknown error' }, 'upstream_error'],
  ['an overload in words under 500', { status: 500, message: 'upstream overloaded, try again' }, 'upstream_overloaded'],
  ['a timeout in a stream', { type: 'timeout_error', message: 'too slow', inStream: true }, 'upstream_timeout'],
  ['a timeout in words under 500', { status: 500, message: 'The request timed out.' }, 'upstream_timeout'],
  ['a length that is no prompt', { status: 500, message: 'The queue has reached its max length.' }, 'upstream_error'],
  ['nothing at all', {}, 'upstream_error'],
  ['a 200 that says nothing', { status: 200 }, 'upstream_error'],
];

export const REQUEST: readonly Row[] = [
  ['400', { status: 400, type: 'invalid_request_error', message: 'bad' }, 'upstream_request_invalid'],
  ['400 without a body', { status: 400 }, 'upstream_request_invalid'],
  ['400 of Google', { status: 400, type: 'INVALID_ARGUMENT', message: 'bad tool schema' }, 'upstream_request_invalid'],
  [
    '400 of a flat error',
    {
      status: 400,
      code: '400',
      type: 'Bad Request',
      message: 'Validation: Temperature must be between 0 and 2, got 100',
    },
    'upstream_request_invalid',
  ],
  [
    '400 tool choice',
    { status: 400, code: 'invalid_request_error', message: 'Thinking mode does not support this tool_choice' },
    'upstream_request_invalid',
  ],
  [
    '400 effort',
    {
      status: 400,
      type: 'invalid_request_error',
      message: "This model does not support effort level 'xhigh'. Supported levels: high, low.",
    },
    'upstream_request_invalid',
  ],
  [
    '400 thinking type',
    { status: 400, type: 'invalid_request_error', message: 'thinking.type: this value does not go with the model' },
    'upstream_request_invalid',
  ],
  [
    '400 with the word overloaded in a tool',
    { status: 400, message: 'tools.0: the function is an overloaded one' },
    'upstream_request_invalid',
  ],
  [
    '400 with the word timeout',
    { status: 400, message: 'timed out is no value of status' },
    'upstream_request_invalid',
  ],
  ['404 of a path', { status: 404, message: 'Not Found' }, 'upstream_path_unknown'],
  ['405', { status: 405 }, 'upstream_request_invalid'],
  ['406', { status: 406 }, 'upstream_request_invalid'],
  ['409', { status: 409, message: 'no' }, 'upstream_request_invalid'],
  ['411', { status: 411 }, 'upstream_request_invalid'],
  ['413', { status: 413, type: 'request_too_large', message: 'Request exceeds the maximum size' }, 'request_too_large'],
  ['413 as a page', { status: 413, message: '<html>Request Entity Too Large</html>' }, 'request_too_large'],
  ['415', { status: 415 }, 'upstream_request_invalid'],
  ['422', { status: 422, message: '[{"loc":["body","messages"],"msg":"field required"}]' }, 'upstream_request_invalid'],
  ['an unknown 4xx', { status: 418 }, 'upstream_request_invalid'],
  ['a redirect', { status: 302 }, 'upstream_redirect'],
  [
    'OpenRouter after its finish',
    { status: 400, code: '400', message: 'Token limit reached', inStream: true },
    'upstream_request_invalid',
  ],
  [
    'a relay: 500 with a type 400',
    { status: 500, type: '400', message: 'schema is wrong' },
    'upstream_request_invalid',
  ],
  [
    'a relay: 429 around an INVALID_ARGUMENT',
    {
      status: 429,
      code: '429',
      message: 'Provider returned error',
      details: '{"error":{"code":400,"status":"INVALID_ARGUMENT"}}',
    },
    'upstream_request_invalid',
  ],
  [
    'a relay: 500 around a typed refusal',
    { status: 500, type: 'invalid_request_error', message: 'messages: bad' },
    'upstream_request_invalid',
  ],
  [
    'a relay: 502 that quotes a status',
    { status: 502, message: 'upstream error: status code 400: schema is wrong' },
    'upstream_request_invalid',
  ],
  ['a refusal inside a 200', { status: 200, code: '400', message: 'no', inStream: true }, 'upstream_request_invalid'],
  [
    'a minute too small',
    {
      status: 429,
      code: 'rate_limit_exceeded',
      type: 'tokens',
      message:
        'Request too large for gpt-4o in organization org-x on tokens per min (TPM): Limit 30000, Requested 40000.',
    },
    'request_exceeds_rate_limit',
  ],
  [
    'a minute too small, as 413',
    {
      status: 413,
      code: 'rate_limit_exceeded',
      message:
        'Request too large for model `x` on tokens per minute (TPM): Limit 6000, Requested 8000, please reduce your message size',
    },
    'request_exceeds_rate_limit',
  ],
  [
    'max_tokens unsupported',
    {
      status: 400,
      code: 'unsupported_parameter',
      message:
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
    },
    'unsupported_parameter',
  ],
  [
    'an unknown argument',
    { status: 400, message: 'Unrecognized request argument supplied: foo' },
    'unsupported_parameter',
  ],
  [
    'an unknown input',
    { status: 400, type: 'invalid_request_error', message: 'foo: Extra inputs are not permitted' },
    'unsupported_parameter',
  ],
];

export const CAP: readonly Row[] = [
  [
    'a cap as large as the window',
    {
      status: 400,
      code: '400',
      type: 'BadRequestError',
      message:
        'the maximum context length is 262144 tokens; 262144 were asked for in the completion and 12 in the messages',
    },
    'output_cap_too_large',
  ],
  [
    'the cap of vLLM',
    {
      status: 400,
      message:
        "'max_tokens' or 'max_completion_tokens' is too large: 262144. This model's maximum context length is 262144 tokens and your request has 12 input tokens (262144 > 262144 - 12).",
    },
    'output_cap_too_large',
  ],
  [
    'the same with a long prompt',
    {
      status: 400,
      message:
        "'max_tokens' or 'max_completion_tokens' is too large: 4000. This model's maximum context length is 262144 tokens and your request has 262000 input tokens (4000 > 262144 - 262000).",
    },
    'context_overflow',
  ],
  [
    'the old sentence of OpenAI, cap to blame',
    {
      status: 400,
      code: 'context_length_exceeded',
      message:
        "This model's maximum context length is 4097 tokens. However, you requested 4200 tokens (200 in the messages, 4000 in the completion). Please reduce the length of the messages or completion.",
    },
    'output_cap_too_large',
  ],
  [
    'the old sentence of OpenAI, prompt to blame',
    {
      status: 400,
      code: 'context_length_exceeded',
      message:
        "This model's maximum context length is 4097 tokens. However, you requested 5000 tokens (4500 in the messages, 500 in the completion). Please reduce the length of the messages or completion.",
    },
    'context_overflow',
  ],
  [
    'the sum of Anthropic, prompt to blame',
    {
      status: 400,
      message:
        'input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000, decrease input length or `max_tokens` and try again',
    },
    'context_overflow',
  ],
  [
    'the sum of Anthropic, cap to blame',
    {
      status: 400,
      message:
        'input length and `max_tokens` exceed context limit: 40 + 200000 > 200000, decrease input length or `max_tokens` and try again',
    },
    'output_cap_too_large',
  ],
  [
    'the limit of Anthropic',
    {
      status: 400,
      message: 'max_tokens: 100000 > 64000, which is the maximum allowed number of output tokens for claude-x',
    },
    'output_cap_too_large',
  ],
  [
    'the limit in other words',
    { status: 400, message: 'max_tokens: 8000 is more than this model allows here' },
    'output_cap_too_large',
  ],
  [
    'the limit of OpenAI',
    {
      status: 400,
      message:
        'max_tokens is too large: 100000. This model supports at most 16384 completion tokens, whereas you provided 100000.',
    },
    'output_cap_too_large',
  ],
  [
    'the limit of Google',
    {
      status: 400,
      message:
        'Unable to submit request because it has a maxOutputTokens value of 100000 but the supported range is from 1 (inclusive) to 65537 (exclusive).',
    },
    'output_cap_too_large',
  ],
];

export const REPLAY: readonly Row[] = [
  [
    'no signature, AI Studio',
    {
      status: 400,
      type: 'INVALID_ARGUMENT',
      message:
        'Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance.',
    },
    'thought_signature_missing',
  ],
  [
    'no signature, Vertex',
    { status: 400, message: 'function call `f` in the 2. content block is missing a `thought_signature`.' },
    'thought_signature_missing',
  ],
  [
    'no signature, other words',
    { status: 400, message: 'a functionCall part lacks its thought_signature, position 2' },
    'thought_signature_missing',
  ],
  [
    'no signature, relayed as 500',
    { status: 500, type: '400', message: 'Function call is missing a thought_signature in functionCall parts.' },
    'thought_signature_missing',
  ],
  [
    'no signature, relayed as 429',
    {
      status: 429,
      code: 'rate_limit_exceeded',
      message: 'Function call is missing a thought_signature in functionCall parts.',
    },
    'thought_signature_missing',
  ],
  ['a corrupted signature', { status: 400, message: 'Corrupted thought signature.' }, 'thought_signature_invalid'],
  ['an invalid signature', { status: 400, message: 'Invalid thought signature.' }, 'thought_signature_invalid'],
  [
    'DeepSeek reasoning',
    { status: 400, message: 'The reasoning_content in the thinking mode must be passed back to the API.' },
    'reasoning_missing',
  ],
  [
    'DeepSeek reasoning, relayed',
    { status: 429, message: 'The `reasoning_content` in the thinking mode must be passed back to the API.' },
    'reasoning_missing',
  ],
  [
    'Kimi reasoning',
    {
      status: 400,
      message: 'thinking is enabled but reasoning_content is missing in assistant tool call message at index 2',
    },
    'reasoning_missing',
  ],
  [
    'Anthropic thinking',
    {
      status: 400,
      message: 'messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `text`.',
    },
    'reasoning_missing',
  ],
  [
    'Anthropic signature',
    { status: 400, message: 'messages.5.content.0: Invalid `signature` in `thinking` block' },
    'reasoning_invalid',
  ],
  [
    'Anthropic prefix',
    { status: 400, message: 'messages.5.content.0: The block is bound to a different conversation.' },
    'reasoning_invalid',
  ],
  [
    'encrypted content',
    {
      status: 400,
      code: 'invalid_encrypted_content',
      message: 'The encrypted content gAAA...c90= could not be verified.',
    },
    'reasoning_invalid',
  ],
  [
    'a reasoning item alone',
    { status: 400, message: "Item 'rs_1' of type 'reasoning' was provided without its required following item." },
    'history_incomplete',
  ],
  [
    'a call without output',
    { status: 400, message: 'No tool output found for function call call_1.' },
    'history_incomplete',
  ],
  [
    'a call without output, DeepSeek',
    { status: 400, message: 'No tool output found for tool call call-a.' },
    'history_incomplete',
  ],
  [
    'a call without result, Anthropic',
    {
      status: 400,
      message: 'messages.2: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_x.',
    },
    'history_incomplete',
  ],
  [
    'a call without result, OpenAI',
    {
      status: 400,
      message:
        "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'.",
    },
    'history_incomplete',
  ],
  [
    'a forgotten response',
    { status: 400, code: 'previous_response_not_found', message: "Previous response with id 'resp_1' not found." },
    'previous_response_unknown',
  ],
];
