import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { headerValues } from './header-values.js';
import { Refusal } from './refusal.js';

/** Every header that can carry a client's key; `?key=` is the fourth carrier. All have the same rights. */
export const CREDENTIAL_HEADERS: readonly string[] = ['authorization', 'x-api-key', 'x-goog-api-key'];

/** The one place that reads a client's credential. `undefined` where none came; two different ones are refused. */
export function readCredential(request: IncomingMessage, query: URLSearchParams): string | undefined | Refusal {
  const found = new Set(query.getAll('key'));
  for (const header of CREDENTIAL_HEADERS) {
    for (const value of headerValues(request, header)) found.add(secretOf(header, value));
  }
  found.delete('');
  if (found.size < 2) return [...found][0];
  return new Refusal(
    'request_invalid',
    'The request carries two different credentials. Send one key, in one of authorization, x-api-key, x-goog-api-key or ?key=.',
  );
}

function secretOf(header: string, value: string): string {
  const trimmed = value.trim();
  return header === 'authorization' ? trimmed.replace(/^bearer(?: +|$)/i, '').trim() : trimmed;
}

/** The keys that clients may use. Only their hashes are kept. */
export class Keyring {
  readonly #hashes: readonly Buffer[];

  constructor(keys: readonly string[]) {
    this.#hashes = keys.map(hashOf);
  }

  /**
   * Under which name the credential counts, for limits and never for rights: the number of the key, or `keyless`.
   * A refusal where keys exist and this is none of them.
   */
  admit(credential: string | undefined): string | Refusal {
    if (this.#hashes.length === 0) return 'keyless';
    if (credential === undefined) {
      return new Refusal(
        'unauthorized',
        'This gateway needs a key and the request has none. Send one as a bearer token, x-api-key or x-goog-api-key.',
      );
    }
    const hash = hashOf(credential);
    let match = -1;
    for (const [index, known] of this.#hashes.entries()) {
      if (timingSafeEqual(known, hash)) match = index;
    }
    if (match >= 0) return `key ${match}`;
    return new Refusal(
      'unauthorized',
      'The key of this request is not one of this gateway. Send a key that its operator gave you.',
    );
  }
}

function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
