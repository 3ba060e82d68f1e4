import type { Failure } from '../turn/index.js';

/** How a failure looks to an HTTP client, whatever its dialect. */
export interface ClientStatus {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Stable and documented. A dialect may put the code that its clients know in its place. */
  readonly code: string;
}

/** What this house refuses by itself, before any upstream is asked. */
const OWN_STATUS: ReadonlyMap<string, number> = new Map([
  ['request_invalid', 400],
  ['unauthorized', 401],
  ['forbidden', 403],
  ['not_found', 404],
  ['model_not_found', 404],
  ['method_not_allowed', 405],
  ['body_too_large', 413],
  ['unsupported_media_type', 415],
  ['rate_limited', 429],
  ['overloaded', 503],
]);

/**
 * The one table from failures to HTTP. Upstream trouble is never 401, 403 or 404: clients take those for their own
 * and multiply the request. What another try cannot cure is a 400, and says `x-should-retry: false`.
 */
export function clientStatus(failure: Failure): ClientStatus {
  const own = failure.upstream === undefined ? OWN_STATUS.get(failure.code) : undefined;
  const { status, code } = own === undefined ? byKind(failure) : { status: own, code: failure.code };
  return { status, headers: retryHeaders(failure, status), code };
}

function byKind(failure: Failure): { readonly status: number; readonly code: string } {
  switch (failure.kind) {
    case 'request':
      return { status: 400, code: failure.upstream === undefined ? failure.code : 'upstream_request_invalid' };
    case 'auth':
      return { status: 400, code: 'upstream_auth_failed' };
    case 'billing':
      return { status: 400, code: 'upstream_billing' };
    case 'model_unknown':
      return { status: 400, code: 'upstream_model_unknown' };
    case 'context_overflow':
    case 'content':
    case 'output_cap_thinking':
    case 'output_cap':
      return { status: 400, code: failure.code };
    case 'transient':
      return { status: transientStatus(failure.upstream?.status), code: failure.code };
    case 'deadline':
      return { status: failure.retryable ? 504 : 400, code: failure.code };
    case 'empty_completion':
    case 'protocol':
      return { status: failure.retryable || failure.atFault === 'holdfast' ? 502 : 400, code: failure.code };
    case 'stopped':
      return { status: 499, code: failure.code };
  }
}

function transientStatus(upstream: number | undefined): number {
  return upstream === 429 || upstream === 502 || upstream === 504 ? upstream : 503;
}

function retryHeaders(failure: Failure, status: number): Record<string, string> {
  if (status < 429 || status === 499 || !failure.retryable) return { 'x-should-retry': 'false' };
  if (failure.retryAfterMs === undefined) return {};
  return { 'retry-after': String(Math.ceil(failure.retryAfterMs / 1000)) };
}
