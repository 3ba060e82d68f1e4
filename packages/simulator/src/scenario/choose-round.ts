import type { DialectName } from 'holdfast/dialects';
import type { Count, Round, Scenario, When } from './scenario.js';

/** What the conditions of a round are about. */
export interface RoundFacts {
  readonly round: number;
  readonly request: number;
  readonly cap: number | undefined;
  readonly dialect: DialectName;
  readonly stream: boolean;
}

export function chooseRound(scenario: Scenario, facts: RoundFacts): Round {
  const round = scenario.rounds.find(({ when }) => when === undefined || holds(when, facts));
  if (round === undefined) throw new TypeError(`Scenario ${scenario.name} has no last round without a condition.`);
  return round;
}

function holds(when: When, facts: RoundFacts): boolean {
  return (
    (when.round === undefined || isWithin(when.round, facts.round)) &&
    (when.request === undefined || isWithin(when.request, facts.request)) &&
    (when.cap === undefined || isWithin(when.cap, facts.cap ?? Number.POSITIVE_INFINITY)) &&
    (when.dialect === undefined || when.dialect === facts.dialect) &&
    (when.stream === undefined || when.stream === facts.stream)
  );
}

function isWithin(count: Count, value: number): boolean {
  if (typeof count === 'number') return value === count;
  return value >= (count.from ?? 0) && value <= (count.to ?? Number.POSITIVE_INFINITY);
}
