/**
 * A request's history as a provider sees it, whatever its wire. Instructions are not part of it. What follows its
 * own kind directly is one entry, except words of the user.
 */
export type OutlineEntry =
  /** Its first text. */
  | { readonly kind: 'user'; readonly text: string }
  | { readonly kind: 'model'; readonly calls: readonly OutlineCall[] }
  | { readonly kind: 'results'; readonly count: number };

export interface OutlineCall {
  readonly name: string;
  readonly signature: string | undefined;
  /** The content that holds it, counted from 1. */
  readonly position: number;
}

export function addEntry(outline: OutlineEntry[], entry: OutlineEntry): void {
  const last = outline.at(-1);
  if (entry.kind === 'model' && last?.kind === 'model') {
    outline[outline.length - 1] = { kind: 'model', calls: [...last.calls, ...entry.calls] };
  } else if (entry.kind === 'results' && last?.kind === 'results') {
    outline[outline.length - 1] = { kind: 'results', count: last.count + entry.count };
  } else {
    outline.push(entry);
  }
}

/** Where a request stands in its conversation. */
export interface Standing {
  /** The first words of the conversation, by which it is known. */
  readonly conversation: string;
  /** Turns before the running one. */
  readonly turn: number;
  /** Steps of the running turn whose calls were answered. */
  readonly round: number;
  /** Results in the running turn. */
  readonly results: number;
  /** Steps with calls since the last words of the user: those whose signatures a provider checks. */
  readonly steps: readonly StandingStep[];
}

export interface StandingStep {
  readonly turn: number;
  readonly round: number;
  readonly calls: readonly OutlineCall[];
}

/**
 * Words of the user that follow results directly are a note within the running turn, so a scenario goes on with its
 * next round. Providers check signatures only after the last words of the user, notes included.
 */
export function standingOf(outline: readonly OutlineEntry[]): Standing {
  const state: Progress = { turn: -1, round: 0, results: 0, steps: [], before: undefined, hasCalls: false };
  for (const entry of outline) advance(state, entry);
  const first = outline.find((entry) => entry.kind === 'user');
  return {
    conversation: first?.text ?? '',
    turn: Math.max(0, state.turn),
    round: state.round,
    results: state.results,
    steps: state.steps,
  };
}

interface Progress {
  turn: number;
  round: number;
  results: number;
  steps: StandingStep[];
  before: OutlineEntry['kind'] | undefined;
  hasCalls: boolean;
}

function advance(state: Progress, entry: OutlineEntry): void {
  switch (entry.kind) {
    case 'user':
      if (state.before === undefined || state.before === 'model') {
        state.turn += 1;
        state.round = 0;
        state.results = 0;
      }
      state.steps = [];
      break;
    case 'model':
      state.hasCalls = entry.calls.length > 0;
      if (state.hasCalls) {
        const { turn, round } = state;
        state.steps.push({ turn: Math.max(0, turn), round, calls: entry.calls });
      }
      break;
    case 'results':
      if (state.hasCalls) state.round += 1;
      state.hasCalls = false;
      state.results += entry.count;
      break;
  }
  state.before = entry.kind;
}
