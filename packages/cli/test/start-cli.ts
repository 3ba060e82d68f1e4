import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const HOUSE: string = fileURLToPath(new URL('../../../', import.meta.url));
const BIN = fileURLToPath(new URL('../bin/holdfast.js', import.meta.url));

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  /** Resolves with everything so far once the text is there; rejects where the process ends before. */
  readonly saw: (stream: 'stdout' | 'stderr', text: string) => Promise<string>;
}

export interface StartOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
}

/** The built command in a process of its own, without any key of the surroundings. */
export function startCli(args: readonly string[], options: StartOptions = {}): Running {
  return startProcess(process.execPath, [BIN, ...args], options);
}

export function startProcess(command: string, args: readonly string[], options: StartOptions = {}): Running {
  const child = spawn(command, args, {
    cwd: HOUSE,
    env: { PATH: process.env['PATH'] ?? '', ...options.env },
    stdio: 'pipe',
  });
  child.stdin.end(options.stdin ?? '');
  const texts = { stdout: '', stderr: '' };
  const watchers = new Set<() => void>();
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (chunk: string) => {
      texts[name] += chunk;
      for (const look of watchers) look();
    });
  }
  const ended = new Promise<Ended>((resolve) => {
    child.on('close', (code) => resolve({ code, ...texts }));
  });
  const saw = (name: 'stdout' | 'stderr', text: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (!texts[name].includes(text)) return;
        watchers.delete(look);
        resolve(texts[name]);
      };
      watchers.add(look);
      look();
      void ended.then(({ code }) =>
        reject(new Error(`It ended with ${code} and never said "${text}".\n${texts.stdout}\n${texts.stderr}`)),
      );
    });
  return { child, ended, saw };
}
