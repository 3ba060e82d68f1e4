/** CPU milliseconds that a piece of work took in this process, user and system together. */
export function cpuMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const used = process.cpuUsage(before);
  return (used.user + used.system) / 1_000;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** One thing measured against another, or against its own half. */
export interface Figure {
  readonly name: string;
  /** The median of the paired figures. */
  readonly value: number;
  readonly unit: string;
  /** The figure that was promised: at most this. */
  readonly goal: number;
  /** The pairs behind the median, as they were measured. */
  readonly samples: readonly number[];
  readonly note: string;
}

/** Runs two pieces of work in turn, so that a busy machine is busy for both, and compares pair by pair. */
export function pairedRatios(rounds: number, ours: () => number, bare: () => number): readonly number[] {
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const first = round % 2 === 0;
    const a = first ? ours() : bare();
    const b = first ? bare() : ours();
    ratios.push(first ? a / b : b / a);
  }
  return ratios;
}

export function figureLine(figure: Figure): string {
  const verdict = figure.value <= figure.goal ? 'ok  ' : 'OVER';
  const spread = figure.samples.map((sample) => sample.toFixed(2)).join(' ');
  return `${verdict} ${figure.name}: ${figure.value.toFixed(2)} ${figure.unit} (goal ≤ ${figure.goal}) ${figure.note} [${spread}]`;
}
