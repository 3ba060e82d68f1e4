import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { runCases, runFixtures } from '@holdfast/checks';
import { readCases } from '../src/cases/read-case.js';
import { MUST_NOTS, MUSTS, MUSTS_OF_REQUESTS } from '../src/cases/musts.js';
import { find } from '../src/cases/statement.js';
import { textsAt } from '../src/data/json.js';

const shared = (name: string): string => fileURLToPath(new URL(`../../../../shared/${name}`, import.meta.url));
const FIXTURES = shared('fixtures');
const CASES = shared('cases');

/** Keeps the suite short; the command cuts everywhere. */
const CUTS_MAX = 60;

describe.skipIf(!existsSync(FIXTURES))('the recorded answers beside this repository', () => {
  it('read as their manifest says, whole and cut', { timeout: 120_000 }, async () => {
    const lines: string[] = [];
    const counts = await runFixtures(
      { folder: FIXTURES, cutsMax: CUTS_MAX },
      { line: (text) => lines.push(text), complaint: () => undefined },
    );
    expect(lines.filter((line) => line.startsWith('FAIL'))).toEqual([]);
    expect(counts.passed).toBeGreaterThan(0);
  });
});

describe.skipIf(!existsSync(CASES))('the field failures beside this repository', () => {
  it('come out as they must, on every surface that exists', { timeout: 300_000 }, async () => {
    const lines: string[] = [];
    // Twice as slow as written: this suite shares its machine.
    const counts = await runCases(
      { folder: CASES, slow: false, scale: 2 },
      { line: (text) => lines.push(text), complaint: () => undefined },
    );
    expect(lines.filter((line) => line.startsWith('FAIL') || line.includes('unasserted'))).toEqual([]);
    expect(counts.passed).toBeGreaterThan(0);
  });

  it('have an assertion for every statement about the library and the gateway', async () => {
    const cases = (await readCases(CASES)).filter((written) => ['library', 'gateway'].includes(written.surface));
    const open = cases.flatMap(({ expect: wanted }) => [
      ...textsAt(wanted, 'must').filter(
        (text) => find(MUSTS, text) === undefined && find(MUSTS_OF_REQUESTS, text) === undefined,
      ),
      ...textsAt(wanted, 'must_not').filter((text) => find(MUST_NOTS, text) === undefined),
    ]);
    expect(open).toEqual([]);
  });
});
