import type { CaseAction } from './case-file.js';
import type { Cues } from './surface.js';

/** Does the actions of a case in their order: at their time, or when all that they wait for has happened. */
export class CaseCues implements Cues {
  #waiting: readonly CaseAction[];
  readonly #heard = new Set<string>();
  readonly #timers = new Set<NodeJS.Timeout>();
  #act: ((what: string) => void) | undefined;

  constructor(actions: readonly CaseAction[]) {
    this.#waiting = actions;
  }

  begin(act: (what: string) => void): void {
    this.#act = act;
    for (const action of this.#waiting) if (action.atMs !== undefined) this.#later(action, action.atMs);
  }

  heard(event: string): void {
    if (this.#heard.has(event)) return;
    this.#heard.add(event);
    const due = this.#waiting.filter(
      (action) => action.atMs === undefined && action.when.every((wanted) => this.#heard.has(wanted)),
    );
    this.#waiting = this.#waiting.filter((action) => !due.includes(action));
    for (const action of due) this.#later(action, action.delayMs);
  }

  end(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
    this.#act = undefined;
  }

  #later(action: CaseAction, ms: number): void {
    this.#timers.add(setTimeout(() => this.#act?.(action.do), ms));
  }
}
