import { DIALECTS } from 'holdfast/dialects';
import type { Dialect } from 'holdfast/dialects';
import { attemptId, callId, MisuseError } from 'holdfast/turn';
import { modelRule, VENDORS } from 'holdfast/vendors';
import { Attempt, DEADLINES } from 'holdfast/watch';
import { SseReader } from 'holdfast/wire';
import { chatCallStream, chatTextStream } from './chat-stream.js';
import { cpuMs, median, pairedRatios } from './measure.js';
import type { Figure } from './measure.js';

const ROUNDS = 11;

/** Bytes to events with ledger and watchdog, against a bare scan for lines with `JSON.parse`. */
export function decodeFigure(): Figure {
  const chunks = chatTextStream(10_000).map((frame) => Buffer.from(frame));
  const times = 5;
  const ours = (): number => cpuMs(() => repeat(times, () => decode(chunks)));
  const bare = (): number => cpuMs(() => repeat(times, () => bareScan(chunks)));
  ours();
  bare();
  const samples = pairedRatios(ROUNDS, ours, bare);
  return {
    name: 'decode 10,000 chunks',
    value: median(samples),
    unit: '× a bare line scan with JSON.parse',
    goal: 1.6,
    samples,
    note: '',
  };
}

/** How CPU grows when the deltas of one tool call double, up to 40,000. */
export function linearFigure(): Figure {
  const sizes = [5_000, 10_000, 20_000, 40_000];
  const streams = sizes.map((deltas) => chatCallStream(deltas).map((frame) => Buffer.from(frame)));
  const run = (index: number): number => cpuMs(() => repeat(4, () => decode(streams[index] ?? [])));
  streams.forEach((_, index) => run(index));
  const samples: number[] = [];
  for (let round = 0; round < 7; round += 1) {
    const costs = sizes.map((_, index) => run(index));
    const worst = costs.slice(1).map((cost, index) => cost / (costs[index] ?? Number.NaN));
    samples.push(Math.max(...worst));
  }
  return {
    name: 'one tool call of 5,000 to 40,000 deltas',
    value: median(samples),
    unit: '× CPU per doubling (the worst doubling of each round)',
    goal: 2.3,
    samples,
    note: '',
  };
}

function repeat(times: number, work: () => void): void {
  for (let n = 0; n < times; n += 1) work();
}

function decode(chunks: readonly Uint8Array[]): void {
  const sse = new SseReader();
  const attempt = new Attempt(RULES, { provider: 'bench', model: 'bench-1', configEntry: undefined });
  const reader = chat().newReplyReader({
    attempt: attemptId(callId('bench'), 1),
    vendor: 'openai',
    provider: 'bench',
    maxOutputTokens: undefined,
    quirks: {},
  });
  attempt.note({ type: 'attempt.sent' }, 0);
  let at = 0;
  for (const bytes of chunks) {
    at += 1;
    attempt.ledger.hear(at);
    for (const frame of sse.push(bytes)) for (const event of reader.push(frame)) attempt.hear(event, at);
    if (attempt.state.type === 'running') attempt.settle();
  }
  if (attempt.state.type !== 'finished') throw new Error('The stream of the benchmark did not finish.');
}

function bareScan(chunks: readonly Uint8Array[]): void {
  const decoder = new TextDecoder();
  let rest = '';
  let seen = 0;
  for (const bytes of chunks) {
    rest += decoder.decode(bytes, { stream: true });
    let end = rest.indexOf('\n');
    while (end >= 0) {
      const line = rest.slice(0, end);
      rest = rest.slice(end + 1);
      if (line.startsWith('data: {')) {
        JSON.parse(line.slice(6));
        seen += 1;
      }
      end = rest.indexOf('\n');
    }
  }
  if (seen === 0) throw new Error('The bare scan saw no event.');
}

function chat(): Dialect {
  const dialect = DIALECTS['openai-chat'];
  if (dialect === undefined) throw new MisuseError('dialect_unknown', 'The benchmark needs the dialect openai-chat.');
  return dialect;
}

const OPENAI = VENDORS['openai'];
const RULES = {
  deadlines: DEADLINES,
  capabilities: modelRule(OPENAI ?? missing(), 'gpt-5').capabilities,
  slowPace: 15,
  maxOutputTokens: undefined,
  promptTokens: 1_000,
  streamed: true,
  offersTools: true,
  turnEndsAt: Number.MAX_SAFE_INTEGER,
};

function missing(): never {
  throw new MisuseError('vendor_unknown', 'The benchmark needs the vendor openai.');
}
