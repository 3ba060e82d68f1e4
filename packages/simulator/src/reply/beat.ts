import type { ReplyEvent } from 'holdfast/turn';
import type { CutStep, ErrorSpec } from '../scenario/scenario.js';

/** One moment of a reply: a wait, then an act. */
export interface Beat {
  readonly afterMs: number;
  readonly act: Act;
}

export type Act =
  | { readonly type: 'event'; readonly event: ReplyEvent }
  | { readonly type: 'comment' }
  | { readonly type: 'raw'; readonly text: string }
  | { readonly type: 'error'; readonly error: ErrorSpec }
  | { readonly type: 'cut'; readonly how: CutStep['cut']; readonly midEvent: boolean };

/** Writers give every call an id. One that begins so is taken out of the bytes again. */
export const ABSENT_ID = 'simulated-no-id-';
