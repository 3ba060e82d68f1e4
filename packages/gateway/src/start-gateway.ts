import { Engine } from 'holdfast/run';
import { MisuseError } from 'holdfast/turn';
import type { Deadlines } from 'holdfast/watch';
import { checkBind, listen } from './bind.js';
import { Keyring } from './credentials.js';
import { drain } from './drain.js';
import { FrontDoor } from './front-door.js';
import { Guard } from './guard.js';
import type { House } from './house.js';
import { createHttpServer } from './http-server.js';
import { LagWatch } from './lag-watch.js';
import { limitsFrom } from './limits.js';
import { HEADERS_BY_MS, KEEP_ALIVE_MS } from './options.js';
import type { GatewayOptions } from './options.js';
import { Router } from './router.js';
import { routesOf } from './routes.js';
import { RunningCalls } from './running-calls.js';
import { Slots } from './slots.js';

/** A running gateway. */
export interface Gateway {
  readonly url: string;
  readonly port: number;
  /** Takes no new work, lets what runs end for up to `drainMs`, and then ends it as failed. */
  close(): Promise<void>;
}

/** Resolves once the gateway listens. Rejects with `MisuseError`, and leaves nothing behind, where it may not or cannot. */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { host = '127.0.0.1', port = 0, keys = [], publicHosts = [], allowedOrigins = [] } = options;
  const bind = { host, port, hasKeys: keys.length > 0, hasPublicHosts: publicHosts.length > 0 };
  checkBind(bind);
  checkKeys(keys);
  const house = houseOf(options);
  const guard = new Guard({ publicHosts, allowedOrigins });
  const lag = new LagWatch(house.limits.lagMs, house.limits.lagForMs);
  const { upstreamNote, log } = options;
  const door = new FrontDoor({
    guard,
    keyring: new Keyring(keys),
    router: new Router(routesOf(house)),
    lag,
    upstreamNote,
    log,
  });
  const server = createHttpServer(house.limits, (request, response) => void door.receive(request, response));
  const actualPort = await listen(server, bind);
  guard.answerTo(actualPort);
  lag.start();
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${actualPort}`,
    port: actualPort,
    close: async () => {
      door.close();
      await drain(server, house);
      lag.stop();
      if (options.engine === undefined) await house.engine.close();
    },
  };
}

function houseOf(options: GatewayOptions): House {
  const { routes, engine = new Engine(), deadlines = {}, retryLimits = {} } = options;
  const limits = limitsFrom(options.limits);
  checkDeadlines(deadlines);
  return {
    engine,
    routes,
    limits,
    keepAliveMs: within('keepAliveMs', options.keepAliveMs ?? KEEP_ALIVE_MS, 30_000),
    headersByMs: within('headersByMs', options.headersByMs ?? HEADERS_BY_MS, 45_000),
    deadlines,
    retryLimits,
    slots: new Slots(limits.streamsPerKeyMax),
    running: new RunningCalls(),
  };
}

function checkKeys(keys: readonly string[]): void {
  if (keys.every((key) => key.trim() !== '')) return;
  throw new MisuseError('key_empty', 'One of the gateway keys is empty. Remove it or give it a value.');
}

/** The engine would refuse each call with these; a gateway with them is not started. */
function checkDeadlines(deadlines: Partial<Deadlines>): void {
  for (const [name, value] of Object.entries(deadlines)) {
    if (
      value === undefined ||
      (Number.isFinite(value) && (value > 0 || (value === 0 && name === 'prefillPer4kTokensMs')))
    )
      continue;
    throw new MisuseError(
      'deadline_invalid',
      `deadlines.${name} is ${value}. Give a positive number of milliseconds; a wait without end cannot be set.`,
    );
  }
}

function within(name: string, value: number, max: number): number {
  if (Number.isFinite(value) && value > 0 && value <= max) return value;
  throw new MisuseError('time_out_of_range', `${name} is ${value}. Give milliseconds above 0 and up to ${max}.`);
}
