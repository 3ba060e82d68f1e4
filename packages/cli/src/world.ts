/** What the command line sees of the process that it runs in. Only this package reads the environment. */
export interface World {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: InputStream;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  on(signal: StopSignal, listener: () => void): unknown;
  off(signal: StopSignal, listener: () => void): unknown;
  /** Ends the process at once. */
  exit(code: number): never;
}

export type StopSignal = 'SIGINT' | 'SIGTERM';

export type InputStream = AsyncIterable<Uint8Array | string>;

export interface OutputStream {
  readonly isTTY?: boolean;
  /** Width of the terminal; absent where there is none. */
  readonly columns?: number;
  readonly writableNeedDrain: boolean;
  /** What was written and has not left this process. */
  readonly writableLength: number;
  readonly destroyed: boolean;
  write(text: string): boolean;
  once(event: 'drain' | 'close', listener: () => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  off(event: 'drain' | 'close', listener: () => void): unknown;
  off(event: 'error', listener: (error: Error) => void): unknown;
}
