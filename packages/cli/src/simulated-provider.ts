import { providerFor } from 'holdfast/run';
import { VENDORS } from 'holdfast/vendors';
import type { Vendor, VendorName } from 'holdfast/vendors';
import type { Endpoint } from './endpoint.js';

/** Where a running simulator is, and what it answers to. */
export interface SimulatorAddress {
  readonly url: string;
  readonly models: readonly string[];
}

/** Models of the simulator, by both dialects: `sim-plain`, or `simulator-chat/sim-plain` for the Chat wire. */
export function simulatedProviders(simulator: SimulatorAddress): readonly Endpoint[] {
  return [
    endpoint(
      { name: 'simulator', vendor: simulated('google'), baseUrl: `${simulator.url}/v1beta`, bareNames: ['sim-*'] },
      simulator,
    ),
    endpoint(
      { name: 'simulator-chat', vendor: simulated('openai'), baseUrl: `${simulator.url}/v1`, bareNames: [] },
      simulator,
    ),
  ];
}

interface Place {
  readonly name: string;
  readonly vendor: Vendor;
  readonly baseUrl: string;
  readonly bareNames: readonly string[];
}

function endpoint({ name, vendor, baseUrl, bareNames }: Place, simulator: SimulatorAddress): Endpoint {
  return {
    // The simulator looks for a key as the vendor does, and takes any.
    provider: providerFor(vendor, { name, baseUrl, key: 'simulated' }),
    vendor,
    models: simulator.models,
    bareNames,
    defaultModel: simulator.models[0],
  };
}

/** The vendor whose place the simulator takes, with that vendor's habits for the simulator's names. */
function simulated(name: VendorName): Vendor {
  const vendor = VENDORS[name];
  // Its scripts may keep the arguments of an announced call back, so a silence there is no stall.
  const habits = vendor.models.slice(0, 1).map(({ capabilities, ...rule }) => ({
    ...rule,
    pattern: 'sim-*',
    capabilities: { ...capabilities, argumentDeltas: false },
  }));
  return { ...vendor, models: habits };
}
