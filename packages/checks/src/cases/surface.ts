import type { Case } from './case-file.js';
import type { FakeProvider } from './fake-provider.js';
import type { Outcome } from './outcome.js';

/** A layer of the product on which a case can be played. A new one is one file and a line in `surfaces.ts`. */
export interface Surface {
  readonly name: string;
  /** Why this surface cannot play a case yet; `undefined` where it can. */
  lacks(played: Case): string | undefined;
  play(played: Case, stage: Stage): Promise<Outcome>;
}

/** What a case is played with. */
export interface Stage {
  readonly provider: FakeProvider;
  readonly cues: Cues;
  /** The factor by which the times of the case were multiplied. */
  readonly scale: number;
}

/** Things done from outside at a time or on an event. */
export interface Cues {
  /** The turn begins now: `act` is called for each action that comes due, until `end`. */
  begin(act: (what: string) => void): void;
  /** Something happened that an action may wait for, such as `text:1`. */
  heard(event: string): void;
  end(): void;
}
