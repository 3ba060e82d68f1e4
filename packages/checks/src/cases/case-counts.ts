import type { CaseResult } from './play-case.js';

type Tally = Record<CaseResult['type'], number>;

/** What became of the cases, in all and for each class. */
export class CaseCounts {
  readonly #classes = new Map<string, Tally>();
  readonly #all: Tally = { passed: 0, failed: 0, not_yet: 0, slow: 0 };

  get passed(): number {
    return this.#all.passed;
  }

  get failed(): number {
    return this.#all.failed;
  }

  count(group: string, type: CaseResult['type']): void {
    const tally = this.#classes.get(group) ?? { passed: 0, failed: 0, not_yet: 0, slow: 0 };
    tally[type] += 1;
    this.#classes.set(group, tally);
    this.#all[type] += 1;
  }

  /** One line a class, and the closing one over all. */
  lines(): readonly string[] {
    const names = [...this.#classes.keys()].sort();
    return [...names.map((name) => `  ${name}: ${words(this.#classes.get(name))}`), words(this.#all)];
  }
}

function words(tally: Tally | undefined): string {
  const { passed = 0, failed = 0, not_yet: notYet = 0, slow = 0 } = tally ?? {};
  return `${passed} passed, ${failed} failed, ${notYet} not yet, ${slow} slow`;
}
