import { hopTo } from 'holdfast/run';
import type { Hop, Provider } from 'holdfast/run';
import type { Vendor } from 'holdfast/vendors';

/** A provider, and what this command line knows of it beyond its address. */
export interface Endpoint {
  readonly provider: Provider;
  /** Whose habits its models have. */
  readonly vendor: Vendor;
  /** The only models there; `undefined` where the provider alone knows them. */
  readonly models: readonly string[] | undefined;
  /** Patterns of the names that may be given without the provider's. */
  readonly bareNames: readonly string[];
  /** Asked where nobody names a model. */
  readonly defaultModel: string | undefined;
}

/** `undefined` for a model that this endpoint is known not to have. */
export function hopAt(endpoint: Endpoint, model: string): Hop | undefined {
  if (model === '' || endpoint.models?.includes(model) === false) return undefined;
  return { ...hopTo(endpoint.vendor, model), provider: endpoint.provider };
}
