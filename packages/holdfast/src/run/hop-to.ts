import { modelRule } from '../vendors/index.js';
import type { Vendor } from '../vendors/index.js';
import type { Hop, Provider } from './hop.js';

/** Where a vendor is reached, as far as it differs from what is known of it. */
export interface Place {
  /** The provider's name in messages; the vendor's own by default. */
  readonly name?: string;
  /** With the API version and without a trailing slash; the vendor's public address by default. */
  readonly baseUrl?: string;
  /** Absent for servers that ask for none. */
  readonly key?: string;
}

/** A vendor's endpoint with its credential, ready for a hop. */
export function providerFor(vendor: Vendor, place: Place = {}): Provider {
  const { key } = place;
  return {
    name: place.name ?? vendor.name,
    vendor: vendor.name,
    dialect: vendor.dialect,
    baseUrl: place.baseUrl ?? vendor.baseUrl,
    auth: key === undefined ? undefined : authOf(vendor.auth, key),
    quirks: vendor.quirks,
  };
}

/** A model at a vendor, with what is known of it: `hopTo(VENDORS.google, 'gemini-3-pro-preview', { key })`. */
export function hopTo(vendor: Vendor, model: string, place: Place = {}): Hop {
  const { capabilities, contextWindow, outputLimit } = modelRule(vendor, model);
  return {
    provider: providerFor(vendor, place),
    model,
    capabilities,
    maxOutputTokens: undefined,
    outputLimit,
    contextWindow,
    configEntry: undefined,
  };
}

function authOf(header: Vendor['auth'], key: string): Provider['auth'] {
  return header === 'bearer' ? { header: 'authorization', value: `Bearer ${key}` } : { header, value: key };
}
