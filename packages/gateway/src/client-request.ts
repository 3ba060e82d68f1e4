import type { IncomingHttpHeaders } from 'node:http';
import type { ClientRequest } from 'holdfast/dialects';
import type { JsonObject } from 'holdfast/turn';
import { CREDENTIAL_HEADERS } from './credentials.js';

/** What of an exchange the codecs may read. */
export interface Readable {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly request: { readonly headers: IncomingHttpHeaders };
}

/** A client's request without its key and cookies: they are for us, no codec sees them, so none can send them on. */
export function clientRequest({ path, query, request }: Readable, body: JsonObject): ClientRequest {
  return { path, query: queryOf(query), headers: headersOf(request.headers), body };
}

const NEVER_READ: ReadonlySet<string> = new Set([
  ...CREDENTIAL_HEADERS,
  'cookie',
  'proxy-authorization',
  'host',
  'origin',
  'connection',
  'content-length',
]);

function headersOf(from: IncomingHttpHeaders): ClientRequest['headers'] {
  const headers: Record<string, string | undefined> = {};
  for (const name in from) {
    const value = from[name];
    if (!NEVER_READ.has(name)) headers[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return headers;
}

function queryOf(query: URLSearchParams): ClientRequest['query'] {
  if (query.size === 0) return {};
  const seen = new Map<string, string>();
  for (const [name, value] of query) {
    if (name !== 'key' && !seen.has(name)) seen.set(name, value);
  }
  return Object.fromEntries(seen);
}
