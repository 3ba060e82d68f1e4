import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readScenario } from '../scenario/read-scenario.js';
import { SCENARIOS } from './scenarios.js';

describe('the built-in scenarios', () => {
  it('have a name each', () => {
    const names = SCENARIOS.map(({ name }) => name);
    expect(names).toEqual([...new Set(names)]);
  });

  it.each(SCENARIOS.map((scenario) => [scenario.name, scenario] as const))(
    'hold %s in the documented format',
    (_, scenario) => {
      expect(readScenario(JSON.parse(JSON.stringify(scenario)))).toEqual(scenario);
    },
  );

  it('are all in the README, with their sentences', () => {
    const page = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
    const rows = [...page.matchAll(/^\| `([a-z0-9-]+)` \| (.+) \|$/gm)].map(([, name, about]) => ({ name, about }));
    const listed = rows.filter(({ name }) => SCENARIOS.some((scenario) => scenario.name === name));
    expect(listed).toEqual(SCENARIOS.map(({ name, about }) => ({ name, about })));
  });
});
