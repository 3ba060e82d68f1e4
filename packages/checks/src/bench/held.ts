import type { IncomingMessage } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { median } from './measure.js';
import type { Figure } from './measure.js';
import { ask, readAll } from './traffic.js';
import { Worker } from './worker.js';

const STREAMS = 1_000;

/** What an open stream costs while nothing happens on it. */
export async function idleFigure(): Promise<Figure> {
  const samples: number[] = [];
  let rss = 0;
  for (let round = 0; round < 5; round += 1) {
    const upstream = await Worker.start('./upstream-worker.js', []);
    const gateway = await Worker.start('./gateway-worker.js', [upstream.url]);
    try {
      await readAll(await ask({ url: gateway.url, model: 'stream-50', stream: true }));
      const before = await gateway.memory();
      const held = await openStreams(gateway.url);
      await wait(500);
      const after = await gateway.memory();
      samples.push((after.heapBytes - before.heapBytes) / STREAMS / 1_024);
      rss = (after.rssBytes - before.rssBytes) / STREAMS / 1_024;
      for (const answer of held) answer.destroy();
    } finally {
      gateway.stop();
      upstream.stop();
    }
  }
  return {
    name: `memory per idle stream, ${STREAMS} open`,
    value: median(samples),
    unit: 'KB (heap and buffers)',
    goal: 40,
    samples,
    note: `(resident set of the last round: ${rss.toFixed(0)} KB)`,
  };
}

async function openStreams(url: string): Promise<readonly IncomingMessage[]> {
  const held: IncomingMessage[] = [];
  for (let n = 0; n < STREAMS; n += 50) {
    const batch = Array.from({ length: 50 }, async (_, index) => {
      const answer = await ask({ url, model: 'hold', stream: true, from: `127.0.0.${2 + ((n + index) % 20)}` });
      if (answer.statusCode !== 200) throw new Error(`A stream to hold was answered ${answer.statusCode}.`);
      answer.resume();
      answer.on('error', () => undefined);
      return answer;
    });
    held.push(...(await Promise.all(batch)));
  }
  return held;
}

/** CPU of a gateway whose reader comes late, as the events that wait for it double. */
export async function drainFigure(): Promise<Figure> {
  const upstream = await Worker.start('./upstream-worker.js', []);
  const gateway = await Worker.start('./gateway-worker.js', [upstream.url]);
  try {
    const sizes = [30_000, 60_000, 120_000];
    await drain(gateway.url, 30_000);
    const samples: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      const costs: number[] = [];
      for (const size of sizes) {
        const before = await gateway.cpuMs();
        await drain(gateway.url, size);
        costs.push((await gateway.cpuMs()) - before);
      }
      samples.push(Math.max(...costs.slice(1).map((cost, index) => cost / (costs[index] ?? Number.NaN))));
    }
    return {
      name: '30,000 to 120,000 events to a slow reader',
      value: median(samples),
      unit: '× CPU per doubling (the worst doubling of each round)',
      goal: 2.3,
      samples,
      note: '',
    };
  } finally {
    gateway.stop();
    upstream.stop();
  }
}

async function drain(url: string, events: number): Promise<void> {
  const answer = await ask({ url, model: `flood-${events}`, stream: true });
  answer.pause();
  await wait(300);
  await readAll(answer);
}
