import { median } from './measure.js';
import type { Figure } from './measure.js';
import { ask, readAll } from './traffic.js';
import { Worker } from './worker.js';

const ROUNDS = 9;
/** Until both are compiled: a gateway runs for weeks. */
const WARM_UP_ROUNDS = 4;

/** The gateway against a bare pipe: CPU per streamed chunk and per whole request, in turn, pair by pair. */
export async function proxyFigures(): Promise<readonly Figure[]> {
  const upstream = await Worker.start('./upstream-worker.js', []);
  const bare = await Worker.start('./bare-worker.js', [upstream.url]);
  const gateway = await Worker.start('./gateway-worker.js', [upstream.url]);
  try {
    const streamed = await ratios({ gateway, bare, load: streamChunks });
    const whole = await ratios({ gateway, bare, load: wholeRequests });
    return [
      {
        name: 'gateway pass-through, CPU per chunk',
        value: median(streamed),
        unit: '× a bare undici pipe',
        goal: 1.6,
        samples: streamed,
        note: '',
      },
      {
        name: 'gateway pass-through, CPU per whole request',
        value: median(whole),
        unit: '× a bare undici pipe',
        goal: 1.6,
        samples: whole,
        note: '',
      },
    ];
  } finally {
    for (const worker of [gateway, bare, upstream]) worker.stop();
  }
}

interface Pair {
  readonly gateway: Worker;
  readonly bare: Worker;
  readonly load: (url: string) => Promise<void>;
}

async function ratios(pair: Pair): Promise<readonly number[]> {
  for (let round = 0; round < WARM_UP_ROUNDS; round += 1) {
    await pair.load(pair.gateway.url);
    await pair.load(pair.bare.url);
  }
  const samples: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const order = round % 2 === 0 ? [pair.gateway, pair.bare] : [pair.bare, pair.gateway];
    const cost: Map<Worker, number> = new Map();
    for (const worker of order) cost.set(worker, await cpuOf(worker, pair.load));
    samples.push((cost.get(pair.gateway) ?? Number.NaN) / (cost.get(pair.bare) ?? Number.NaN));
  }
  return samples;
}

async function cpuOf(worker: Worker, load: (url: string) => Promise<void>): Promise<number> {
  const before = await worker.cpuMs();
  await load(worker.url);
  return (await worker.cpuMs()) - before;
}

/** Many at once, so that all processes are busy all the time: waking an idle core is charged to whoever writes to it. */
const LANES = 32;

async function streamChunks(url: string): Promise<void> {
  await inLanes(async () => {
    await readAll(await ask({ url, model: 'stream-1000', stream: true }));
  });
}

async function wholeRequests(url: string): Promise<void> {
  await inLanes(async () => {
    for (let n = 0; n < 150; n += 1) await readAll(await ask({ url, model: 'whole', stream: false }));
  });
}

async function inLanes(work: () => Promise<void>): Promise<void> {
  await Promise.all(Array.from({ length: LANES }, work));
}
