import { setFlagsFromString } from 'node:v8';
import { startGateway } from '@holdfast/gateway';
import type { Hop } from 'holdfast/run';
import { modelRule, VENDORS } from 'holdfast/vendors';
import { serveReadings } from './worker.js';

setFlagsFromString('--no-allocation-site-pretenuring'); // As `holdfast serve` does.

/** The gateway in front of the benchmark's provider, same dialect on both sides. */
const upstream = process.argv[2] ?? '';
const vendor = VENDORS['openai'];
if (vendor === undefined) throw new Error('The benchmark needs the vendor openai.');

const hopFor = (model: string): Hop => ({
  provider: {
    name: 'bench',
    vendor: 'openai',
    dialect: 'openai-chat',
    baseUrl: `${upstream}/v1`,
    auth: undefined,
    quirks: vendor.quirks,
  },
  model,
  capabilities: modelRule(vendor, 'gpt-5').capabilities,
  maxOutputTokens: undefined,
  outputLimit: undefined,
  contextWindow: undefined,
  configEntry: undefined,
});

const gateway = await startGateway({
  port: 0,
  routes: { resolve: (model) => ({ chain: [hopFor(model)] }), list: () => [] },
  limits: { streamsPerKeyMax: 10_000 }, // The benchmark has one key and holds a thousand streams.
});
serveReadings(gateway.url);
