import type { OutputStream } from './world.js';

/** Writes and waits while the reader is behind, so that nothing piles up here. A reader that is gone ends the wait. */
export async function print(stream: OutputStream, text: string): Promise<void> {
  if (stream.destroyed || text === '') return;
  if (stream.write(text) || !stream.writableNeedDrain) return;
  await new Promise<void>((resolve) => {
    const done = (): void => {
      stream.off('drain', done);
      stream.off('close', done);
      resolve();
    };
    stream.once('drain', done);
    stream.once('close', done);
  });
}
