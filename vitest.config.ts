import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const source = (path: string): string => fileURLToPath(new URL(`./packages/${path}`, import.meta.url));

// Tests read the sources, so a stale build never decides a result. Tests of the command line run the build.
export default defineConfig({
  resolve: {
    alias: [
      { find: /^holdfast\/(.+)$/, replacement: `${source('holdfast/src')}/$1/index.ts` },
      { find: /^holdfast$/, replacement: source('holdfast/src/index.ts') },
      { find: /^@holdfast\/(simulator|gateway|cli|checks)$/, replacement: `${source('')}$1/src/index.ts` },
    ],
  },
  test: {
    include: ['packages/*/src/**/*.test.ts', 'packages/*/test/**/*.test.ts'],
    testTimeout: 30_000,
  },
});
