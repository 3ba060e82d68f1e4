import type { DialectName } from 'holdfast/dialects';
import type { JsonValue } from 'holdfast/turn';
import type { ErrorName, ErrorSpec } from '../scenario/scenario.js';
import { invalidSignature, missingSignature } from './check-signatures.js';
import { googleRefusal, openAiRefusal } from './refusal.js';
import type { OpenAiError, Refusal } from './refusal.js';

/** What the words of an error are made from. */
export interface ErrorContext {
  readonly dialect: DialectName;
  readonly model: string;
  /** `v1beta` or `v1`, as in the path. */
  readonly apiVersion: string;
  readonly retryAfterSeconds: number | undefined;
}

/** An error of a scenario in the provider's shape and, where its name is known, in its real words. */
export function providerError(spec: ErrorSpec, context: ErrorContext): Refusal {
  if (typeof spec !== 'string') return ownWords(spec, context);
  return context.dialect === 'gemini' ? GOOGLE[spec](context) : openAi(spec, context);
}

function ownWords(spec: Exclude<ErrorSpec, string>, context: ErrorContext): Refusal {
  const { status, code, message } = spec;
  if (context.dialect === 'gemini') return googleRefusal(status, code, message);
  const type = status >= 500 ? 'server_error' : 'invalid_request_error';
  return openAiRefusal(status, { message, type, code }, retryHeaders(context));
}

const RPC = 'type.googleapis.com/google.rpc';

const GOOGLE: Readonly<Record<ErrorName, (context: ErrorContext) => Refusal>> = {
  signature_missing: () => missingSignature('write_file', 2),
  signature_invalid: invalidSignature,
  bad_key: () => {
    const message = 'API key not valid. Please pass a valid API key.';
    const details = [
      {
        '@type': `${RPC}.ErrorInfo`,
        reason: 'API_KEY_INVALID',
        domain: 'googleapis.com',
        metadata: { service: 'generativelanguage.googleapis.com' },
      },
      { '@type': `${RPC}.LocalizedMessage`, locale: 'en-US', message },
    ];
    return googleRefusal(400, 'INVALID_ARGUMENT', { message, details });
  },
  forbidden: () => googleRefusal(403, 'PERMISSION_DENIED', 'The caller does not have permission'),
  billing: () =>
    googleRefusal(
      400,
      'FAILED_PRECONDITION',
      'Gemini API free tier is not available in your country. Please enable billing on your project in Google AI Studio.',
    ),
  model_unknown: ({ model, apiVersion }) =>
    googleRefusal(
      404,
      'NOT_FOUND',
      `models/${model} is not found for API version ${apiVersion}, or is not supported for generateContent. ` +
        'Call ModelService.ListModels to see the list of available models and their supported methods.',
    ),
  too_large: () => googleRefusal(400, 'INVALID_ARGUMENT', 'Request payload size exceeds the limit: 20971520 bytes.'),
  context_overflow: () =>
    googleRefusal(
      400,
      'INVALID_ARGUMENT',
      'The input token count (1250074) exceeds the maximum number of tokens allowed (1048576).',
    ),
  timeout: () => googleRefusal(408, 'DEADLINE_EXCEEDED', 'The request timed out. Please try again.'),
  rate_limited: (context) =>
    googleQuota(context, 'GenerateRequestsPerMinutePerProjectPerModel', context.retryAfterSeconds),
  quota_exhausted: (context) => googleQuota(context, 'GenerateRequestsPerDayPerProjectPerModel', undefined),
  internal: () =>
    googleRefusal(
      500,
      'INTERNAL',
      'An internal error has occurred. Please retry or report in https://developers.generativeai.google/guide/troubleshooting',
    ),
  bad_gateway: () => googleRefusal(502, 'UNAVAILABLE', 'Bad gateway.'),
  overloaded: () => googleRefusal(503, 'UNAVAILABLE', 'The model is overloaded. Please try again later.'),
  gateway_timeout: () => googleRefusal(504, 'DEADLINE_EXCEEDED', 'Deadline expired before operation could complete.'),
};

function googleQuota(context: ErrorContext, quotaId: string, seconds: number | undefined): Refusal {
  const quotaMetric = 'generativelanguage.googleapis.com/generate_content_paid_tier_requests';
  const retry = seconds === undefined ? '' : `\nPlease retry in ${seconds}s.`;
  const message =
    'You exceeded your current quota, please check your plan and billing details. For more information on this error, ' +
    `head to: https://ai.google.dev/gemini-api/docs/rate-limits. \n* Quota exceeded for metric: ${quotaMetric}, ` +
    `limit: 1000, model: ${context.model}${retry}`;
  const quotaDimensions = { model: context.model, location: 'global' };
  const details: JsonValue[] = [
    {
      '@type': `${RPC}.QuotaFailure`,
      violations: [{ quotaMetric, quotaId, quotaDimensions, quotaValue: '1000' }],
    },
  ];
  if (seconds !== undefined) details.push({ '@type': `${RPC}.RetryInfo`, retryDelay: `${seconds}s` });
  return googleRefusal(429, 'RESOURCE_EXHAUSTED', { message, details });
}

function openAi(name: ErrorName, context: ErrorContext): Refusal {
  if (name === 'signature_missing' || name === 'signature_invalid') return inArray(GOOGLE[name](context));
  const [status, error] = OPENAI[name](context);
  const limits = name === 'rate_limited' ? LIMIT_HEADERS : {};
  return openAiRefusal(status, error, { ...limits, ...retryHeaders(context) });
}

/** Google's compatibility endpoint, the one Chat server that knows signatures, wraps its errors so. */
export function inArray(refusal: Refusal): Refusal {
  return { ...refusal, body: [refusal.body] };
}

type Words = (context: ErrorContext) => readonly [status: number, error: OpenAiError];

const OPENAI: Readonly<Record<Exclude<ErrorName, 'signature_missing' | 'signature_invalid'>, Words>> = {
  bad_key: () => [
    401,
    {
      message:
        'Incorrect API key provided: ***. You can find your API key at https://platform.openai.com/account/api-keys.',
      code: 'invalid_api_key',
    },
  ],
  forbidden: ({ model }) => [
    403,
    { message: `Project does not have access to model \`${model}\`.`, code: 'model_not_found' },
  ],
  billing: () => [402, { message: 'Insufficient Balance', type: 'unknown_error', code: 'invalid_request_error' }],
  model_unknown: ({ model }) => [
    404,
    { message: `The model \`${model}\` does not exist or you do not have access to it.`, code: 'model_not_found' },
  ],
  too_large: () => [
    413,
    { message: 'Request too large. The maximum request size is 32 MB.', code: 'request_too_large' },
  ],
  context_overflow: () => [
    400,
    {
      message:
        "This model's maximum context length is 128000 tokens. However, your messages resulted in 250007 tokens. " +
        'Please reduce the length of the messages.',
      param: 'messages',
      code: 'context_length_exceeded',
    },
  ],
  timeout: () => [408, { message: 'Request timed out.', type: 'timeout' }],
  rate_limited: ({ model, retryAfterSeconds = 1 }) => [
    429,
    {
      message:
        `Rate limit reached for ${model} on requests per min (RPM): Limit 500, Used 500, Requested 1. ` +
        `Please try again in ${retryAfterSeconds}s. Visit https://platform.openai.com/account/rate-limits to learn more.`,
      type: 'requests',
      code: 'rate_limit_exceeded',
    },
  ],
  quota_exhausted: () => [
    429,
    {
      message: 'You exceeded your current quota, please check your plan and billing details.',
      type: 'insufficient_quota',
      code: 'insufficient_quota',
    },
  ],
  internal: () => [
    500,
    { message: 'The server had an error while processing your request. Sorry about that!', type: 'server_error' },
  ],
  bad_gateway: () => [502, { message: 'Bad gateway.', type: 'server_error' }],
  overloaded: () => [
    503,
    { message: 'The engine is currently overloaded, please try again later.', type: 'server_error' },
  ],
  gateway_timeout: () => [504, { message: 'The server took too long to answer.', type: 'server_error' }],
};

const LIMIT_HEADERS: Readonly<Record<string, string>> = {
  'x-ratelimit-limit-requests': '500',
  'x-ratelimit-remaining-requests': '0',
  'x-ratelimit-reset-requests': '1s',
};

function retryHeaders({ retryAfterSeconds }: ErrorContext): Readonly<Record<string, string>> {
  return retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) };
}
