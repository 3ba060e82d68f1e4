export { runBench } from './bench/run-bench.js';
export { casesCommand, runCases } from './cases/run-cases.js';
export type { CasesOptions } from './cases/run-cases.js';
export { fixturesCommand, runFixtures } from './fixtures/run-fixtures.js';
export type { FixtureCounts, FixturesOptions } from './fixtures/run-fixtures.js';
export type { Output } from './data/output.js';
