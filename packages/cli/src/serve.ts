import { startGateway } from '@holdfast/gateway';
import type { Deadlines } from 'holdfast/watch';
import { CommandError } from './command-error.js';
import { logWords } from './log-words.js';
import { startupText } from './startup-text.js';
import { StopSignals } from './stop-signals.js';
import { tuneProcess } from './tune-process.js';
import { openUpstreams } from './upstreams.js';
import type { UpstreamFlags, Upstreams } from './upstreams.js';
import type { World } from './world.js';

export interface ServeFlags extends UpstreamFlags {
  readonly host: string;
  readonly port: number;
  readonly key: readonly string[];
  readonly publicHost: readonly string[];
  readonly allowOrigin: readonly string[];
  readonly deadline: Partial<Deadlines>;
  readonly quiet: boolean;
}

/** Serves until a signal comes, then lets running requests end. Nothing stays behind where it cannot start. */
export async function serve(flags: ServeFlags, world: World): Promise<number> {
  const keys = [...flags.key, ...(world.env['HOLDFAST_KEYS'] ?? '').split(',').filter((key) => key.trim() !== '')];
  for (const origin of flags.allowOrigin) checkOrigin(origin);
  tuneProcess();
  const signals = new StopSignals(world, () => 1);
  const upstreams = await openUpstreams(flags, world.env);
  try {
    refuseItself(flags, upstreams);
    const gateway = await startGateway({
      host: flags.host,
      port: flags.port,
      routes: upstreams.routes,
      keys,
      publicHosts: flags.publicHost,
      allowedOrigins: flags.allowOrigin,
      deadlines: flags.deadline,
      ...(upstreams.isSimulated ? { upstreamNote: 'simulator' } : {}),
      ...(flags.quiet ? {} : { log: (line) => world.stderr.write(`${logWords(line)}\n`) }),
    });
    world.stdout.write(startupText({ url: gateway.url, upstreams, needsKey: keys.length > 0 }));
    await signals.arrived();
    world.stderr.write('Stopping: running requests may take up to 30 s to end. A second signal stops at once.\n');
    await gateway.close();
    return 0;
  } finally {
    await upstreams.close();
    signals.dispose();
  }
}

/** Browsers send an origin in one form only, so any other would never be met. */
function checkOrigin(text: string): void {
  if (/^[a-z][a-z0-9+.-]*:\/\/[^\s/?#@A-Z]+$/.test(text)) return;
  throw new CommandError(
    `--allow-origin is "${text}". Give scheme, host and port as a browser sends them, such as https://app.example.com.`,
  );
}

/** An upstream that is this very address would send every request round in circles. */
function refuseItself(flags: ServeFlags, upstreams: Upstreams): void {
  for (const { provider } of upstreams.endpoints) {
    const { hostname, port } = new URL(provider.baseUrl);
    const isHere = Number(port) === flags.port && [flags.host, '127.0.0.1', 'localhost', '[::1]'].includes(hostname);
    if (!isHere || upstreams.isSimulated) continue;
    throw new CommandError(
      `The base URL of ${provider.name} is ${provider.baseUrl}, which is this gateway itself. Name the provider's own address with --base-url, or choose another --port.`,
    );
  }
}
