import type { UpstreamWords } from '../src/dialects/classify.js';

/** Words of a provider that says nothing but what the test says. */
export function words(part: Partial<UpstreamWords>): UpstreamWords {
  return {
    provider: 'acme',
    model: 'm-1',
    status: undefined,
    code: undefined,
    type: undefined,
    message: undefined,
    requestId: undefined,
    retryAfterMs: undefined,
    inStream: false,
    ...part,
  };
}
