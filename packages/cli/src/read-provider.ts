import type { DialectName } from 'holdfast/dialects';
import { DIALECTS } from 'holdfast/dialects';
import { providerFor } from 'holdfast/run';
import { VENDORS } from 'holdfast/vendors';
import type { Vendor } from 'holdfast/vendors';
import { baseUrl } from './base-url.js';
import { CommandError } from './command-error.js';
import type { Endpoint } from './endpoint.js';
import { keyFrom } from './key-from.js';
import type { World } from './world.js';

const FIELDS = ['name', 'url', 'dialect', 'vendor', 'key-env'] as const;
type FieldName = (typeof FIELDS)[number];
const EXAMPLE = '--provider name=local,url=http://127.0.0.1:8080/v1';

/** `name=…,url=…[,dialect=…][,vendor=…][,key-env=VARIABLE]`: a server that speaks a dialect of the house. */
export function readProvider(text: string, env: World['env']): Endpoint {
  const fields = readFields(text);
  const name = fields.get('name') ?? '';
  const url = fields.get('url');
  if (!/^[a-z0-9][a-z0-9._-]*$/i.test(name)) {
    throw new CommandError(`--provider "${text}" has no name of letters and digits. Write it like ${EXAMPLE}.`);
  }
  if (url === undefined) throw new CommandError(`--provider ${name} has no url. Write it like ${EXAMPLE}.`);
  const vendor = readVendor(name, fields.get('vendor'));
  const dialect = readDialect(name, fields.get('dialect') ?? vendor.dialect);
  const key = readKey(name, fields.get('key-env'), env);
  const place = { name, baseUrl: baseUrl(`The url of --provider ${name}`, url), ...(key === undefined ? {} : { key }) };
  return {
    provider: { ...providerFor(vendor, place), dialect },
    vendor,
    models: undefined,
    bareNames: [],
    defaultModel: undefined,
  };
}

function readFields(text: string): ReadonlyMap<FieldName, string> {
  const fields = new Map<FieldName, string>();
  for (const part of text.split(',')) {
    const at = part.indexOf('=');
    const name = FIELDS.find((field) => field === part.slice(0, at));
    if (name === undefined) {
      throw new CommandError(`--provider has the part "${part}". Write NAME=VALUE with one of ${FIELDS.join(', ')}.`);
    }
    fields.set(name, part.slice(at + 1));
  }
  return fields;
}

/** Of a vendor that nobody names nothing is known, and its opaque state is its own. */
function readVendor(provider: string, given: string | undefined): Vendor {
  if (given === undefined) {
    return {
      name: provider,
      dialect: 'openai-chat',
      baseUrl: '',
      auth: 'bearer',
      keyVariables: [],
      quirks: {},
      models: [],
    };
  }
  const known = Object.entries(VENDORS).find(([name]) => name === given);
  if (known !== undefined) return known[1];
  throw new CommandError(
    `--provider ${provider} has the vendor "${given}". Choose one of ${Object.keys(VENDORS).join(', ')}, or leave it out.`,
  );
}

function readDialect(provider: string, given: string): DialectName {
  const known = Object.values(DIALECTS).find((dialect) => dialect.name === given);
  if (known !== undefined) return known.name;
  throw new CommandError(
    `--provider ${provider} has the dialect "${given}". Choose one of ${Object.keys(DIALECTS).join(', ')}.`,
  );
}

function readKey(provider: string, variable: string | undefined, env: World['env']): string | undefined {
  if (variable === undefined) return undefined;
  const key = keyFrom(variable, env);
  if (key !== undefined) return key;
  throw new CommandError(
    `--provider ${provider} takes its key from ${variable}, which is not set. Set it, or leave key-env out.`,
  );
}
