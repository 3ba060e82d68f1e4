import { Command } from 'commander';
import type { Option } from 'commander';
import type { Deadlines } from 'holdfast/watch';
import { readDeadline } from './read-deadline.js';
import { POSITIVE, PORTS, readNumber, SEEDS, TEMPERATURES, TIME_SCALES } from './read-number.js';
import { runPrompt } from './run-prompt.js';
import type { RunFlags } from './run-prompt.js';
import { serve } from './serve.js';
import type { ServeFlags } from './serve.js';
import { simulate } from './simulate.js';
import type { SimulateFlags } from './simulate.js';
import type { World } from './world.js';

/** In lockstep with package.json: a test compares them. */
const VERSION = '0.1.0';

type Done = (exitCode: number) => void;

/** The commands with their flags. Each flag is read here and judged where it is read; nothing else parses. */
export function createProgram(world: World, done: Done): Command {
  const program = new Command('holdfast')
    .description('Keeps LLM agent turns honest.')
    .version(VERSION, '--version', 'print the version')
    .helpOption('--help', 'print this help')
    .helpCommand(false)
    .showHelpAfterError(false)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => world.stdout.write(text),
      writeErr: () => undefined, // Refusals are worded in one place, main.ts.
      getOutHasColors: () => false,
    })
    .addHelpText('after', EXAMPLES);
  addServe(program, world, done);
  addRun(program, world, done);
  addSimulate(program, world, done);
  return program;
}

const EXAMPLES = `
Examples:
  holdfast serve                                     the gateway on http://127.0.0.1:4141
  holdfast run "Say hello."                          one answer on standard output
  echo "Say hello." | holdfast run - --json          the whole call as lines of JSON
  holdfast run "Hi" --simulator --model sim-thinking a script in place of a model
  holdfast simulate --scenario silent-tool           a provider that misbehaves on purpose

Keys come from the environment: GEMINI_API_KEY or GOOGLE_API_KEY, OPENAI_API_KEY. With none, the
embedded simulator is the upstream. GEMINI_BASE_URL and OPENAI_BASE_URL move a provider.`;

const DEADLINE_EXAMPLE = 'budget of one deadline, such as silence=5m; repeatable';

function addServe(program: Command, world: World, done: Done): void {
  const command = subcommand(program, 'serve', 'start the gateway')
    .option('--host <address>', 'address to listen on; any but loopback needs --key and --public-host', '127.0.0.1')
    .option('--port <number>', 'port to listen on; 0 takes a free one', readNumber('--port', PORTS), 4141)
    .option('--key <key>', 'key that clients must send; repeatable; HOLDFAST_KEYS holds a list', collect, [])
    .option('--public-host <host>', 'Host header to answer to besides loopback; repeatable', collect, [])
    .option('--allow-origin <origin>', 'web origin that may call from a browser; repeatable', collect, [])
    .option('--quiet', 'no line for each request', false);
  addUpstreamOptions(command)
    .option('--deadline <name=time>', DEADLINE_EXAMPLE, readDeadline, {} satisfies Partial<Deadlines>)
    .action(async () => done(await serve(command.opts<ServeFlags>(), world)));
}

function addRun(program: Command, world: World, done: Done): void {
  const command = subcommand(program, 'run', 'ask a model once')
    .argument('[prompt]', 'what the model should do; - reads it from standard input')
    .option('--model <name>', 'PROVIDER/MODEL, or a name that tells its provider')
    .option('--system <text>', 'instructions ahead of the prompt')
    .option(
      '--max-output-tokens <number>',
      'output cap, thinking included',
      readNumber('--max-output-tokens', POSITIVE),
    )
    .option('--temperature <number>', 'from 0 to 2', readNumber('--temperature', TEMPERATURES))
    .option('--json', 'print every event as a line of JSON, and the result as the last', false);
  addUpstreamOptions(command)
    .option('--deadline <name=time>', DEADLINE_EXAMPLE, readDeadline, {} satisfies Partial<Deadlines>)
    .action(async (prompt: string | undefined) => done(await runPrompt(prompt, command.opts<RunFlags>(), world)));
}

function addSimulate(program: Command, world: World, done: Done): void {
  const command = subcommand(program, 'simulate', 'start a provider that misbehaves on purpose')
    .option('--host <address>', 'loopback address to listen on', '127.0.0.1')
    .option('--port <number>', 'port to listen on; 0 takes a free one', readNumber('--port', PORTS), 4142)
    .option('--scenario <name>', 'scenario for every model name: a built-in name or a JSON file')
    .option('--seed <number>', 'seed of everything that looks random', readNumber('--seed', SEEDS), 1)
    .option(
      '--time-scale <number>',
      '0.01 is a hundred times faster, 0 waits for nothing',
      readNumber('--time-scale', TIME_SCALES),
      1,
    )
    .option('--list', 'name the built-in scenarios and end', false)
    .action(async () => done(await simulate(command.opts<SimulateFlags>(), world)));
}

function addUpstreamOptions(command: Command): Command {
  return command
    .option('--base-url <name=url>', 'address of google or openai; repeatable', collect, [])
    .option(
      '--provider <fields>',
      'another server: name=…,url=…[,dialect=…][,vendor=…][,key-env=VARIABLE]; repeatable',
      collect,
      [],
    )
    .option(
      '--alias <name=model>',
      'a name of your own for PROVIDER/MODEL; further models after commas are its fallbacks; repeatable',
      collect,
      [],
    )
    .option('--simulator', 'use the embedded simulator, whatever keys there are', false);
}

function subcommand(program: Command, name: string, description: string): Command {
  return program
    .command(name)
    .description(description)
    .helpOption('--help', 'print this help')
    .configureHelp({ optionDescription: describe })
    .allowExcessArguments(false);
}

/** Defaults are worth their space where they are a value that a person could type. */
function describe({ description, defaultValue }: Option): string {
  const isTyped = typeof defaultValue === 'string' || typeof defaultValue === 'number';
  return isTyped ? `${description} (default ${defaultValue})` : description;
}

function collect(value: string, earlier: readonly string[]): readonly string[] {
  return [...earlier, value];
}
