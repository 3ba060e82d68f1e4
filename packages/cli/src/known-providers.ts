import { providerFor } from 'holdfast/run';
import { VENDORS } from 'holdfast/vendors';
import type { Vendor, VendorName } from 'holdfast/vendors';
import { baseUrl } from './base-url.js';
import { CommandError } from './command-error.js';
import type { Endpoint } from './endpoint.js';
import { keyFrom } from './key-from.js';
import type { World } from './world.js';

interface KnownProvider {
  readonly vendor: VendorName;
  readonly baseUrlVariable: string;
  /** A name that the vendor moves on by itself, or else a small current one. */
  readonly defaultModel: string;
}

const KNOWN: readonly KnownProvider[] = [
  { vendor: 'google', baseUrlVariable: 'GEMINI_BASE_URL', defaultModel: 'gemini-flash-latest' },
  { vendor: 'openai', baseUrlVariable: 'OPENAI_BASE_URL', defaultModel: 'gpt-5-mini' },
];

/**
 * The providers that have a key in the environment or an address among the flags. An address in the environment alone
 * makes none: that variable is how SDKs are pointed at this very gateway.
 */
export function knownProviders(baseUrlFlags: readonly string[], env: World['env']): readonly Endpoint[] {
  const flags = readFlags(baseUrlFlags);
  return KNOWN.flatMap((known) => {
    const vendor = VENDORS[known.vendor];
    const key = vendor.keyVariables.map((variable) => keyFrom(variable, env)).find((value) => value !== undefined);
    const flag = flags.get(known.vendor);
    if (key === undefined && flag === undefined) return [];
    return [endpointOf(known, vendor, { key, url: flag ?? fromEnvironment(known, env) ?? vendor.baseUrl })];
  });
}

/** For people who have no key yet: what to set. */
export function keyVariables(): readonly string[] {
  return KNOWN.flatMap(({ vendor }) => VENDORS[vendor].keyVariables.slice(0, 1));
}

function endpointOf(known: KnownProvider, vendor: Vendor, at: { key: string | undefined; url: string }): Endpoint {
  return {
    provider: providerFor(vendor, {
      name: known.vendor,
      baseUrl: at.url,
      ...(at.key === undefined ? {} : { key: at.key }),
    }),
    vendor,
    models: undefined,
    bareNames: vendor.models.map(({ pattern }) => pattern),
    defaultModel: known.defaultModel,
  };
}

function readFlags(texts: readonly string[]): ReadonlyMap<string, string> {
  const flags = new Map<string, string>();
  for (const text of texts) {
    const at = text.indexOf('=');
    const name = text.slice(0, Math.max(0, at));
    if (!KNOWN.some(({ vendor }) => vendor === name)) {
      const names = KNOWN.map(({ vendor }) => vendor).join(', ');
      throw new CommandError(
        `--base-url "${text}" names no provider. Write NAME=URL with one of ${names}, or add a server with --provider.`,
      );
    }
    flags.set(name, baseUrl(`--base-url ${name}`, text.slice(at + 1)));
  }
  return flags;
}

function fromEnvironment({ baseUrlVariable }: KnownProvider, env: World['env']): string | undefined {
  const text = env[baseUrlVariable] ?? '';
  return text === '' ? undefined : baseUrl(baseUrlVariable, text);
}
