import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';

/** What a worker of the benchmark tells of itself. */
export interface Reading {
  readonly cpuMs: number;
  readonly rssBytes: number;
  readonly heapBytes: number;
}

/** A program of the benchmark in a process of its own, so that its CPU is its own. */
export class Worker {
  readonly url: string;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, url: string) {
    this.#child = child;
    this.url = url;
  }

  static async start(file: string, args: readonly string[]): Promise<Worker> {
    const child = fork(new URL(file, import.meta.url), [...args], {
      execArgv: ['--expose-gc'],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    const url = await new Promise<string>((resolve, reject) => {
      child.once('message', (message) => resolve(typeof message === 'string' ? message : ''));
      child.once('exit', (code) => reject(new Error(`The worker ${file} ended with ${code} before it listened.`)));
    });
    return new Worker(child, url);
  }

  /** As it is: a collection would be charged to the load after it, and throws away what the program has been compiled to. */
  async cpuMs(): Promise<number> {
    return (await this.#ask('cpu')).cpuMs;
  }

  /** Collects garbage first, so that memory is what is held and not what is left lying about. */
  memory(): Promise<Reading> {
    return this.#ask('memory');
  }

  async #ask(what: 'cpu' | 'memory'): Promise<Reading> {
    const answer = new Promise<unknown>((resolve) => {
      this.#child.once('message', resolve);
    });
    this.#child.send(what);
    const reading: unknown = await answer;
    if (!isReading(reading)) throw new Error('The worker answered with something that is no reading.');
    return reading;
  }

  stop(): void {
    this.#child.kill('SIGKILL');
  }
}

/** The other end of `Worker`, called by a worker program once it listens. */
export function serveReadings(url: string): void {
  process.on('message', (what) => {
    const { user, system } = process.cpuUsage();
    if (what === 'memory') globalThis.gc?.();
    const memory = process.memoryUsage();
    const reading: Reading = {
      cpuMs: (user + system) / 1_000,
      rssBytes: memory.rss,
      heapBytes: memory.heapUsed + memory.external,
    };
    process.send?.(reading);
  });
  process.once('disconnect', () => process.exit()); // Whoever measured is gone.
  process.send?.(url);
}

function isReading(value: unknown): value is Reading {
  return typeof value === 'object' && value !== null && 'cpuMs' in value && 'rssBytes' in value && 'heapBytes' in value;
}
