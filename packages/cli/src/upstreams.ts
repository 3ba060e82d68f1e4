import type { RouteTable } from '@holdfast/gateway';
import { startSimulator } from '@holdfast/simulator';
import { CommandError } from './command-error.js';
import type { Endpoint } from './endpoint.js';
import { knownProviders } from './known-providers.js';
import { Names } from './names.js';
import { readProvider } from './read-provider.js';
import { simulatedProviders } from './simulated-provider.js';
import type { World } from './world.js';

export interface UpstreamFlags {
  readonly baseUrl: readonly string[];
  readonly provider: readonly string[];
  readonly alias: readonly string[];
  /** Use the embedded simulator even where there are keys. */
  readonly simulator: boolean;
}

/** What answers, and under which names. */
export interface Upstreams {
  readonly routes: RouteTable;
  readonly endpoints: readonly Endpoint[];
  /** Whether the embedded simulator answers, alone. */
  readonly isSimulated: boolean;
  /** Asked where nobody names a model; `undefined` where none is known. */
  readonly defaultModel: string | undefined;
  close(): Promise<void>;
}

/** Providers from the environment and the flags; the embedded simulator where there is none. */
export async function openUpstreams(flags: UpstreamFlags, env: World['env']): Promise<Upstreams> {
  const providers = flags.simulator ? [] : realProviders(flags, env);
  if (providers.length > 0) return upstreams(providers, flags, { isSimulated: false, close: () => Promise.resolve() });
  const simulator = await startSimulator();
  try {
    return upstreams(simulatedProviders(simulator), flags, { isSimulated: true, close: () => simulator.close() });
  } catch (problem) {
    await simulator.close();
    throw problem;
  }
}

function upstreams(
  endpoints: readonly Endpoint[],
  flags: UpstreamFlags,
  rest: Pick<Upstreams, 'isSimulated' | 'close'>,
): Upstreams {
  const defaultModel = endpoints.find((endpoint) => endpoint.defaultModel !== undefined)?.defaultModel;
  return { endpoints, routes: new Names(endpoints, flags.alias), defaultModel, ...rest };
}

function realProviders(flags: UpstreamFlags, env: World['env']): readonly Endpoint[] {
  const providers = [...knownProviders(flags.baseUrl, env), ...flags.provider.map((text) => readProvider(text, env))];
  const names = providers.map(({ provider }) => provider.name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice === undefined) return providers;
  throw new CommandError(`There are two providers named "${twice}". Give the one of --provider another name.`);
}
