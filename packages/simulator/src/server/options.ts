import { isIPv4 } from 'node:net';
import { MisuseError } from 'holdfast/turn';
import { readScenario } from '../scenario/read-scenario.js';
import type { Scenario } from '../scenario/scenario.js';
import { SCENARIOS } from '../scenarios/scenarios.js';

export interface SimulatorOptions {
  /** 0 takes any free one. */
  readonly port?: number;
  /** Loopback only. */
  readonly host?: string;
  /** Answers for every model name; without it the model `sim-<name>` chooses. */
  readonly scenario?: Scenario | string;
  /** Beside the built-in ones; a name that exists is replaced. */
  readonly scenarios?: readonly Scenario[];
  readonly seed?: number;
  /** Multiplies every wait: 1 is real time, 0.01 a hundred times faster, 0 does not wait at all. */
  readonly timeScale?: number;
}

export interface Settings {
  readonly port: number;
  readonly host: string;
  readonly pinned: Scenario | undefined;
  readonly scenarios: ReadonlyMap<string, Scenario>;
  readonly seed: number;
  readonly timeScale: number;
}

/** Throws `MisuseError` for a value that cannot be served. */
export function readOptions(options: SimulatorOptions): Settings {
  const { port = 0, host = '127.0.0.1', seed = 1, timeScale = 1 } = options;
  checkAddress(port, host);
  if (!Number.isSafeInteger(seed)) {
    throw new MisuseError('seed_invalid', `The simulator's seed ${seed} is no whole number. Choose one, such as 1.`);
  }
  if (!(timeScale >= 0 && timeScale <= 1_000)) {
    throw new MisuseError(
      'time_scale_invalid',
      `The time scale ${timeScale} is out of range. Choose a number from 0 to 1000.`,
    );
  }
  const own = (options.scenarios ?? []).map(readScenario);
  const scenarios = new Map([...SCENARIOS, ...own].map((one) => [one.name, one]));
  return { port, host, pinned: readPinned(options.scenario, scenarios), scenarios, seed, timeScale };
}

function checkAddress(port: number, host: string): void {
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new MisuseError(
      'port_invalid',
      `The simulator's port ${port} does not exist. Choose a number from 0 to 65535.`,
    );
  }
  if (!isLoopback(host)) {
    throw new MisuseError(
      'host_not_loopback',
      `The simulator does not listen on "${host}", since it accepts every key. Choose 127.0.0.1, ::1 or localhost.`,
    );
  }
}

function readPinned(
  given: Scenario | string | undefined,
  scenarios: ReadonlyMap<string, Scenario>,
): Scenario | undefined {
  if (given === undefined) return undefined;
  if (typeof given !== 'string') return readScenario(given);
  const found = scenarios.get(given);
  if (found !== undefined) return found;
  const names = [...scenarios.keys()].join(', ');
  throw new MisuseError('scenario_unknown', `There is no scenario "${given}". Choose one of: ${names}.`);
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
}
