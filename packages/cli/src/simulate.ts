import { SCENARIOS, startSimulator } from '@holdfast/simulator';
import type { Simulator } from '@holdfast/simulator';
import { print } from './print.js';
import { readScenarioFile } from './read-scenario-file.js';
import { StopSignals } from './stop-signals.js';
import type { World } from './world.js';

export interface SimulateFlags {
  readonly host: string;
  readonly port: number;
  readonly scenario?: string;
  readonly seed: number;
  readonly timeScale: number;
  readonly list: boolean;
}

/** Serves the simulator by itself until a signal comes, or lists what it can play. */
export async function simulate(flags: SimulateFlags, world: World): Promise<number> {
  if (flags.list) {
    await print(world.stdout, listing());
    return 0;
  }
  const { host, port, seed, timeScale } = flags;
  const scenario = flags.scenario === undefined ? undefined : readScenarioFile(flags.scenario);
  const signals = new StopSignals(world, () => 1);
  const simulator = await startSimulator({
    host,
    port,
    seed,
    timeScale,
    ...(scenario === undefined ? {} : { scenario }),
  });
  await print(world.stdout, startText(simulator, scenario?.name));
  await signals.arrived();
  await simulator.close();
  signals.dispose();
  return 0;
}

function listing(): string {
  const width = Math.max(...SCENARIOS.map(({ name }) => name.length));
  return SCENARIOS.map(({ name, about }) => `${name.padEnd(width)}  ${about}\n`).join('');
}

function startText(simulator: Simulator, pinned: string | undefined): string {
  const models =
    pinned === undefined
      ? 'The model sim-NAME plays the scenario NAME, such as sim-plain; holdfast simulate --list names them.'
      : `Every model name plays the scenario ${pinned}.`;
  return [
    `The simulator is listening on ${simulator.url}`,
    `Chat:   ${simulator.url}/v1`,
    `Gemini: ${simulator.url}/v1beta`,
    `${models} Any key is taken.`,
    'Stop it with Ctrl+C.',
    '',
  ].join('\n');
}
