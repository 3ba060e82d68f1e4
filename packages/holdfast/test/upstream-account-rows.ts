import type { Row } from './upstream-rows.js';

export const ACCOUNT: readonly Row[] = [
  ['402', { status: 402, message: 'This request needs payment' }, 'upstream_billing'],
  ['402 of DeepSeek', { status: 402, message: 'Insufficient Balance' }, 'upstream_billing'],
  [
    '402 of OpenRouter',
    {
      status: 402,
      message:
        'This request requires more credits, or fewer max_tokens. You requested up to 65536 tokens, but can only afford 1000.',
    },
    'upstream_billing',
  ],
  [
    'credit under 400',
    {
      status: 400,
      type: 'invalid_request_error',
      message: 'Your credit balance is too low to access the Anthropic API.',
    },
    'upstream_billing',
  ],
  ['credit under 429', { status: 429, code: 'credit_balance_exhausted' }, 'upstream_billing'],
  [
    'a spending limit',
    { status: 402, type: 'billing_error', details: 'monthly_spend_limit_reached' },
    'upstream_billing',
  ],
  [
    'billing of Google',
    { status: 400, type: 'FAILED_PRECONDITION', message: 'This API method requires billing to be enabled.' },
    'upstream_billing',
  ],
  [
    'quota under 429',
    { status: 429, code: 'insufficient_quota', type: 'insufficient_quota', message: 'the account has no quota left' },
    'upstream_quota_exhausted',
  ],
  [
    'quota in a stream',
    {
      code: 'insufficient_quota',
      message: 'You exceeded your current quota, please check your plan and billing details.',
      inStream: true,
    },
    'upstream_quota_exhausted',
  ],
  [
    'quota in words',
    { status: 429, message: 'You exceeded your current quota, please check your plan and billing details.' },
    'upstream_quota_exhausted',
  ],
  [
    'quota of a day, Google',
    {
      status: 429,
      type: 'RESOURCE_EXHAUSTED',
      message: 'You exceeded your current quota. Please retry in 20s.',
      details: 'GenerateRequestsPerDayPerProjectPerModel-FreeTier',
      retryAfterMs: 20_000,
    },
    'upstream_quota_exhausted',
  ],
  [
    'quota of nothing, Google',
    {
      status: 429,
      type: 'RESOURCE_EXHAUSTED',
      message: 'Quota exceeded for metric: x/generate_content_free_tier_requests, limit: 0, model: gemini-x',
    },
    'upstream_quota_exhausted',
  ],
  [
    'quota of a day, OpenRouter',
    { status: 429, message: 'Rate limit exceeded: free-models-per-day. Add 10 credits.' },
    'upstream_quota_exhausted',
  ],
  [
    'quota of a day, Groq',
    {
      status: 429,
      code: 'rate_limit_exceeded',
      message:
        'Rate limit reached on tokens per day (TPD): Limit 100000, Used 99000, Requested 2000. Please try again in 14m.',
    },
    'upstream_quota_exhausted',
  ],
  ['401', { status: 401 }, 'upstream_auth_failed'],
  [
    '401 of OpenAI',
    { status: 401, type: 'invalid_request_error', code: 'invalid_api_key', message: 'the key was revoked' },
    'upstream_auth_failed',
  ],
  [
    '401 of Anthropic',
    { status: 401, type: 'authentication_error', message: 'invalid x-api-key' },
    'upstream_auth_failed',
  ],
  ['401 of Mistral', { status: 401, message: 'Invalid API Key' }, 'upstream_auth_failed'],
  [
    '401 of DeepSeek',
    { status: 401, code: 'invalid_request_error', message: 'Authentication Fails, Your api key: ****-key is invalid' },
    'upstream_auth_failed',
  ],
  [
    '401 of Azure',
    { status: 401, code: '401', message: 'Access denied due to invalid subscription key or wrong API endpoint.' },
    'upstream_auth_failed',
  ],
  ['403', { status: 403, message: 'no' }, 'upstream_auth_failed'],
  [
    '403 of Google',
    {
      status: 403,
      type: 'PERMISSION_DENIED',
      message:
        "Permission 'aiplatform.endpoints.predict' denied on resource '//aiplatform.googleapis.com/projects/p/locations/l/publishers/google/models/gemini-1.5-flash' (or it may not exist).",
    },
    'upstream_auth_failed',
  ],
  [
    '403 of Bedrock',
    { status: 403, message: 'The security token included in the request is invalid.' },
    'upstream_auth_failed',
  ],
  [
    'a key under 400, Google',
    {
      status: 400,
      type: 'INVALID_ARGUMENT',
      message: 'API key not valid. Please pass a valid API key.',
      details: 'API_KEY_INVALID',
    },
    'upstream_auth_failed',
  ],
  [
    'a key under 400, xAI',
    {
      status: 400,
      code: 'invalid-argument',
      message: 'Incorrect API key provided. You can obtain an API key from https://console.x.ai.',
    },
    'upstream_auth_failed',
  ],
  [
    'a place under 400',
    { status: 400, type: 'FAILED_PRECONDITION', message: 'User location is not supported for the API use.' },
    'upstream_account_blocked',
  ],
  [
    'an account on hold',
    { status: 400, type: 'invalid_request_error', details: 'organization_on_hold' },
    'upstream_account_blocked',
  ],
];

export const MODEL: readonly Row[] = [
  [
    '404 of OpenAI',
    {
      status: 404,
      code: 'model_not_found',
      message: 'The model `gpt-5.2-proo` does not exist or you do not have access to it.',
    },
    'upstream_model_unknown',
  ],
  ['404 in words', { status: 404, message: 'the model chat-example-0 does not exist' }, 'upstream_model_unknown'],
  [
    '400 of OpenAI',
    { status: 400, code: 'model_not_found', message: "The requested model 'x' does not exist." },
    'upstream_model_unknown',
  ],
  [
    '403 of OpenAI',
    { status: 403, code: 'model_not_found', message: 'Project `p` does not have access to model `x`' },
    'upstream_model_unknown',
  ],
  [
    '404 of Anthropic',
    { status: 404, type: 'not_found_error', message: 'model: claude-nonexistent-rig-test' },
    'upstream_model_unknown',
  ],
  [
    '404 of Google',
    {
      status: 404,
      type: 'NOT_FOUND',
      message: 'models/gemini-3.6-flahs is not found for API version v1beta, or is not supported for generateContent.',
    },
    'upstream_model_unknown',
  ],
  [
    '404 of Vertex',
    {
      status: 404,
      message:
        'Publisher Model `projects/p/locations/l/publishers/google/models/x` was not found or your project does not have access to it.',
    },
    'upstream_model_unknown',
  ],
  [
    '404 of Azure',
    { status: 404, code: 'DeploymentNotFound', message: 'The API deployment for this resource does not exist.' },
    'upstream_model_unknown',
  ],
  [
    '404 of Venice',
    { status: 404, message: 'Specified model not found: x. Did you mean: y?' },
    'upstream_model_unknown',
  ],
  [
    '404 of Ollama',
    { status: 404, message: 'model "llama9" not found, try pulling it first' },
    'upstream_model_unknown',
  ],
  [
    '400 of DeepSeek',
    {
      status: 400,
      code: 'invalid_request_error',
      message: 'The supported API model names are a or b, but you passed c.',
    },
    'upstream_model_unknown',
  ],
  [
    '400 of Mistral',
    { status: 400, code: '1500', type: 'invalid_model', message: 'Invalid model: x' },
    'upstream_model_unknown',
  ],
  [
    '400 of OpenRouter',
    { status: 400, code: '400', message: 'acme/x is not a valid model ID' },
    'upstream_model_unknown',
  ],
  [
    '404 of OpenRouter',
    { status: 404, code: '404', message: 'No endpoints found for acme/x.' },
    'upstream_model_unknown',
  ],
  ['400 of Bedrock', { status: 400, message: 'The provided model identifier is invalid.' }, 'upstream_model_unknown'],
  [
    'a retired model',
    { status: 400, message: 'The model `x-1` has been decommissioned and is no longer supported.' },
    'upstream_model_unknown',
  ],
];

export const CONTEXT: readonly Row[] = [
  ['Anthropic', { status: 400, message: 'prompt is too long: 3333404 tokens > 200000 maximum' }, 'context_overflow'],
  [
    'OpenAI',
    { status: 400, code: 'context_length_exceeded', message: 'Your input exceeds the context window of this model.' },
    'context_overflow',
  ],
  [
    'OpenAI in a stream',
    {
      code: 'context_length_exceeded',
      message: 'Your input exceeds the context window of this model.',
      inStream: true,
    },
    'context_overflow',
  ],
  [
    'Google',
    {
      status: 400,
      type: 'INVALID_ARGUMENT',
      message: 'The input token count (1250074) exceeds the maximum number of tokens allowed (1048576).',
    },
    'context_overflow',
  ],
  [
    'llama.cpp',
    {
      status: 400,
      type: 'exceed_context_size_error',
      message: 'request (2009 tokens) exceeds the available context size (512 tokens), try increasing it',
    },
    'context_overflow',
  ],
  [
    'OpenRouter',
    {
      status: 400,
      code: '400',
      message:
        "This endpoint's maximum context length is 200000 tokens. However, you requested about 2500021 tokens (2500021 of text input). Please reduce the length of either one.",
    },
    'context_overflow',
  ],
  [
    'Mistral',
    {
      status: 400,
      message: 'Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
    },
    'context_overflow',
  ],
  [
    'xAI',
    { status: 400, message: "This model's maximum prompt length is 131072 but the request contains 537812 tokens." },
    'context_overflow',
  ],
  [
    'Kimi',
    { status: 400, message: 'Invalid request: Your request exceeded model token limit: 131072 (requested: 140000)' },
    'context_overflow',
  ],
  ['Qwen', { status: 400, message: 'Range of input length should be [1, 98304]' }, 'context_overflow'],
  ['Bedrock', { status: 400, message: 'Input is too long for requested model.' }, 'context_overflow'],
  ['GLM', { status: 400, code: '1261', message: 'Prompt exceeds max length' }, 'context_overflow'],
  ['MiniMax', { status: 400, message: 'invalid params, context window exceeds limit (2013)' }, 'context_overflow'],
  [
    'a relay with 500',
    { status: 500, message: 'prompt is too long: 250000 tokens > 200000 maximum' },
    'context_overflow',
  ],
];

export const CONTENT: readonly Row[] = [
  [
    'Azure inside a 200',
    {
      status: 400,
      code: 'content_filter',
      message: 'The response was filtered due to the prompt triggering Azure Content management policy.',
    },
    'upstream_content_blocked',
  ],
  [
    'OpenAI',
    {
      status: 400,
      code: 'content_policy_violation',
      message: 'Your request was rejected as a result of our safety system.',
    },
    'upstream_content_blocked',
  ],
  [
    'OpenAI prompt',
    {
      status: 400,
      code: 'invalid_prompt',
      message: 'Invalid prompt: your prompt was flagged as potentially violating our usage policy.',
    },
    'upstream_content_blocked',
  ],
  ['OpenAI failed response', { code: 'bio_policy', inStream: true }, 'upstream_content_blocked'],
  ['Google', { status: 400, code: 'SAFETY', message: 'The prompt was blocked.' }, 'upstream_content_blocked'],
  ['Google, prohibited', { code: 'PROHIBITED_CONTENT' }, 'upstream_content_blocked'],
  [
    'OpenRouter',
    { status: 403, message: 'Your chosen model requires moderation and your input was flagged for "violence".' },
    'upstream_content_blocked',
  ],
  ['DeepSeek', { status: 400, message: 'Content Exists Risk' }, 'upstream_content_blocked'],
  [
    'Qwen',
    { status: 400, code: 'data_inspection_failed', message: 'Input data may contain inappropriate content.' },
    'upstream_content_blocked',
  ],
];

export const MODEL_FAULTS: readonly Row[] = [
  [
    'Groq',
    {
      status: 400,
      type: 'invalid_request_error',
      code: 'tool_use_failed',
      message:
        "Tool call validation failed: parameters for tool f did not match schema: errors: [missing properties: 'name']",
    },
    'tool_generation_invalid',
  ],
  [
    'Groq in a stream',
    { status: 400, type: 'invalid_request_error', code: 'tool_use_failed', inStream: true },
    'tool_generation_invalid',
  ],
];
