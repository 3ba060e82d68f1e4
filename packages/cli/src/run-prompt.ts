import { Engine, SYSTEM_CLOCK } from 'holdfast/run';
import type { Call, CallOptions, Hop } from 'holdfast/run';
import type { ModelRequest } from 'holdfast/turn';
import type { Deadlines } from 'holdfast/watch';
import { Activity } from './activity.js';
import { coloursFor } from './colours.js';
import { CommandError } from './command-error.js';
import { EXIT_CODES, exitCodeOf } from './exit-code.js';
import { failureWords } from './failure-words.js';
import { Outcome } from './outcome.js';
import { readPrompt } from './read-prompt.js';
import { RunJson } from './run-json.js';
import { RunScreen } from './run-screen.js';
import { safeText } from './safe-text.js';
import { StopSignals } from './stop-signals.js';
import { openUpstreams } from './upstreams.js';
import type { UpstreamFlags, Upstreams } from './upstreams.js';
import type { World } from './world.js';

export interface RunFlags extends UpstreamFlags {
  readonly model?: string;
  readonly system?: string;
  readonly maxOutputTokens?: number;
  readonly temperature?: number;
  readonly json: boolean;
  readonly deadline: Partial<Deadlines>;
}

const TICK_MS = 500;
/** How long a stop waits for a reader of standard output that takes nothing. */
const STUCK_MS = 500;

/** One question, its answer on standard output, and an exit code that says how it went. */
export async function runPrompt(given: string | undefined, flags: RunFlags, world: World): Promise<number> {
  const prompt = await readPrompt(given, world.stdin);
  const upstreams = await openUpstreams(flags, world.env);
  const engine = new Engine();
  try {
    const chain = chainFor(flags, upstreams);
    if (upstreams.isSimulated)
      world.stderr.write('Upstream: the embedded simulator. The answer is a script, not a model.\n');
    return await new Run(world, flags, prompt.length).perform(engine, {
      chain,
      request: requestOf(prompt, flags),
      deadlines: flags.deadline,
    });
  } finally {
    await engine.close();
    await upstreams.close();
  }
}

function chainFor(flags: RunFlags, upstreams: Upstreams): readonly [Hop, ...Hop[]] {
  const model = flags.model ?? upstreams.defaultModel;
  if (model === undefined) throw new CommandError('No model is named. Give one with --model PROVIDER/MODEL.');
  const route = upstreams.routes.resolve(model);
  if (route === undefined) throw new CommandError(unknownModel(model, upstreams), EXIT_CODES.model_unknown);
  const [first, ...rest] = route.chain;
  return [named(first, flags), ...rest.map((hop) => named(hop, flags))];
}

/** The entry that a spent cap names is the flag that set it. */
function named(hop: Hop, flags: RunFlags): Hop {
  return flags.maxOutputTokens === undefined ? hop : { ...hop, configEntry: '--max-output-tokens' };
}

function unknownModel(model: string, upstreams: Upstreams): string {
  const what = `The model "${safeText(model)}" is at no provider that is set up here`;
  if (upstreams.isSimulated) {
    return `${what}: with no provider key there is only the simulator. Name sim-NAME with one of the names of holdfast simulate --list.`;
  }
  const providers = upstreams.endpoints.map(({ provider }) => provider.name).join(', ');
  return `${what}. Write PROVIDER/MODEL with one of ${providers}.`;
}

function requestOf(prompt: string, flags: RunFlags): ModelRequest {
  return {
    model: '',
    messages: [{ role: 'user', parts: [{ type: 'text', text: prompt }] }],
    ...(flags.system === undefined ? {} : { instructions: flags.system }),
    ...(flags.maxOutputTokens === undefined ? {} : { maxOutputTokens: flags.maxOutputTokens }),
    ...(flags.temperature === undefined ? {} : { temperature: flags.temperature }),
  };
}

/** The call in progress, with its surroundings: signals, the clock of the activity line, a reader that may go away. */
class Run {
  readonly #world: World;
  readonly #json: RunJson | undefined;
  readonly #screen: RunScreen;
  readonly #activity: Activity;
  readonly #outcome: Outcome = new Outcome();
  #readerIsGone = false;

  constructor(world: World, flags: RunFlags, promptChars: number) {
    const { stdout, stderr, env } = world;
    this.#world = world;
    this.#json = flags.json ? new RunJson(stdout) : undefined;
    this.#activity = new Activity({ deadlines: flags.deadline, promptChars });
    this.#screen = new RunScreen({ stdout, stderr, colours: coloursFor(stderr, env), activity: this.#activity });
  }

  async perform(engine: Engine, options: Pick<CallOptions, 'chain' | 'request' | 'deadlines'>): Promise<number> {
    const world = this.#world;
    const signals = new StopSignals(world, (signal) => exitCodeOf('stopped', signal));
    const onReaderGone = (): void => {
      this.#readerIsGone = true;
      signals.abort();
    };
    world.stdout.on('error', onReaderGone);
    let stuck: NodeJS.Timeout | undefined;
    signals.stop.addEventListener('abort', () => {
      stuck = setTimeout(() => this.#leaveIfStuck(signals), STUCK_MS);
    });
    const timer =
      this.#json === undefined ? setInterval(() => this.#screen.tick(SYSTEM_CLOCK.epoch()), TICK_MS) : undefined;
    try {
      // What went into a pipe or a file cannot be taken back; a terminal and a reader of events can be told.
      const canRetract = this.#json !== undefined || world.stdout.isTTY === true;
      await this.#follow(engine.call({ ...options, canRetract, signal: signals.stop }));
      return await this.#end(signals);
    } finally {
      clearInterval(timer);
      clearTimeout(stuck);
      signals.dispose();
      this.#leaveSoon(signals);
      world.stdout.off('error', onReaderGone);
    }
  }

  /** A reader that takes nothing must not hold up a stop. */
  #leaveIfStuck({ stoppedBy }: StopSignals): void {
    const { stdout, stderr } = this.#world;
    if (stoppedBy === undefined || !stdout.writableNeedDrain) return;
    stderr.write(`Stopped by ${stoppedBy}.\n`);
    this.#world.exit(exitCodeOf('stopped', stoppedBy));
  }

  /** After a stop the process ends, though text that was written before it waits for a reader who takes nothing. */
  #leaveSoon({ stoppedBy }: StopSignals): void {
    if (stoppedBy === undefined || this.#world.stdout.writableLength === 0) return;
    setTimeout(() => this.#world.exit(exitCodeOf('stopped', stoppedBy)), STUCK_MS).unref();
  }

  async #follow(call: Call): Promise<void> {
    for await (const batch of call.batches()) {
      if (batch.bytes !== undefined) this.#activity.hear(SYSTEM_CLOCK.epoch());
      for (const event of batch.events) {
        this.#outcome.record(event);
        await (this.#json ?? this.#screen).record(event);
      }
    }
  }

  async #end(signals: StopSignals): Promise<number> {
    const { stderr, env } = this.#world;
    const { failure } = this.#outcome;
    if (this.#json !== undefined) await this.#json.result(this.#outcome.result(signals.stoppedBy));
    else await this.#screen.end();
    if (this.#readerIsGone) {
      stderr.write('Standard output was closed by its reader, so the call was stopped.\n');
      return 1;
    }
    if (failure !== undefined && this.#json === undefined) {
      if (this.#outcome.hasText) await this.#screen.say('The answer above is not whole.');
      const { stoppedBy } = signals;
      await this.#screen.say(
        stoppedBy === undefined ? failureWords(failure, coloursFor(stderr, env)) : `Stopped by ${stoppedBy}.`,
      );
    }
    return this.#outcome.exitCode(signals.stoppedBy);
  }
}
