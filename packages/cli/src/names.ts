import type { ListedModel, Route, RouteTable } from '@holdfast/gateway';
import type { Hop } from 'holdfast/run';
import { matches } from 'holdfast/vendors';
import { CommandError } from './command-error.js';
import { hopAt } from './endpoint.js';
import type { Endpoint } from './endpoint.js';

/**
 * Which model names answer here: an alias, `provider/model`, or a bare name that fits a provider's patterns. Only what
 * is certain to exist is listed: aliases and the models of the simulator. What else a provider has, it alone knows.
 */
export class Names implements RouteTable {
  readonly #endpoints: readonly Endpoint[];
  readonly #aliases: ReadonlyMap<string, Route>;

  constructor(endpoints: readonly Endpoint[], aliases: readonly string[]) {
    this.#endpoints = endpoints;
    const seen = new Map<string, Route>();
    for (const text of aliases) seen.set(...this.#readAlias(text));
    this.#aliases = seen;
  }

  resolve(model: string): Route | undefined {
    const alias = this.#aliases.get(model);
    if (alias !== undefined) return alias;
    const hop = this.#hop(model);
    return hop === undefined ? undefined : { chain: [hop] };
  }

  list(): readonly ListedModel[] {
    const aliases = [...this.#aliases.keys()].map((id) => ({ id, ownedBy: 'holdfast-alias' }));
    const models = this.#endpoints
      .filter(({ bareNames }) => bareNames.length > 0)
      .flatMap(({ provider, models: known = [] }) => known.map((id) => ({ id, ownedBy: provider.name })));
    return [...aliases, ...models];
  }

  #hop(model: string): Hop | undefined {
    const slash = model.indexOf('/');
    const named = this.#endpoints.find(({ provider }) => slash > 0 && provider.name === model.slice(0, slash));
    if (named !== undefined) return hopAt(named, model.slice(slash + 1));
    const fitting = this.#endpoints.find(({ bareNames }) => bareNames.some((pattern) => matches(pattern, model)));
    return fitting === undefined ? undefined : hopAt(fitting, model);
  }

  /** `NAME=model`, or a chain `NAME=model,fallback,…`. */
  #readAlias(text: string): [string, Route] {
    const at = text.indexOf('=');
    const name = text.slice(0, Math.max(0, at));
    if (name === '') throw new CommandError(`--alias "${text}" has no name. Write NAME=PROVIDER/MODEL.`);
    const [first, ...rest] = text
      .slice(at + 1)
      .split(',')
      .map((target) => this.#target(name, target));
    if (first === undefined) throw new CommandError(`--alias ${name} names no model. Write NAME=PROVIDER/MODEL.`);
    if (rest[0] !== undefined && rest[0].provider.vendor === first.provider.vendor) {
      throw new CommandError(
        `The first fallback of --alias ${name} stays with ${first.provider.vendor}, so one outage would take both. Name a model of another vendor.`,
      );
    }
    return [name, { chain: [first, ...rest] }];
  }

  #target(alias: string, model: string): Hop {
    const hop = this.#hop(model);
    if (hop !== undefined) return hop;
    throw new CommandError(
      `--alias ${alias} names the model "${model}", which no provider here has. Write PROVIDER/MODEL with one of ${this.#providerNames()}.`,
    );
  }

  #providerNames(): string {
    return this.#endpoints.map(({ provider }) => provider.name).join(', ');
  }
}
