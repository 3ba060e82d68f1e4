import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const HOUSE = fileURLToPath(new URL('../../../', import.meta.url));

const read = (path: string): string => readFileSync(HOUSE + path, 'utf8');

const pages = (folder: string): string[] =>
  readdirSync(`${HOUSE}${folder}`)
    .filter((name) => name.endsWith('.md') && name !== 'README.md')
    .sort();

describe('the pages about failures', () => {
  const kinds = unionMembers(read('packages/holdfast/src/turn/failure.ts'), 'FailureKind');

  it('are one for each kind of the union, and none beside', () => {
    expect(kinds.length).toBeGreaterThan(0);
    expect(pages('docs/failures')).toEqual(kinds.map((kind) => `${kind}.md`).sort());
  });

  it.each(kinds)('open %s with its name, say what Holdfast does and what a person can do', (kind) => {
    const page = read(`docs/failures/${kind}.md`);
    expect(page.split('\n')[0]).toBe(`# ${kind}`);
    expect([...page.matchAll(/^## (.+)$/gm)].map(([, title]) => title)).toEqual([
      'What happened',
      'How it looks',
      'What Holdfast does',
      'What you can do',
      'Codes',
    ]);
  });

  it('are all listed in their index', () => {
    const index = read('docs/failures/README.md');
    expect(kinds.filter((kind) => !index.includes(`(${kind}.md)`))).toEqual([]);
  });
});

describe('a code that a failure can have', () => {
  const explained = [...pages('docs/failures'), 'README.md'].map((page) => read(`docs/failures/${page}`)).join('\n');
  const codes = [
    ...unionMembers(read('packages/holdfast/src/dialects/failure-code.ts'), 'FailureCode'),
    ...unionMembers(read('packages/gateway/src/refusal.ts'), 'RefusalCode'),
    ...unionMembers(read('packages/holdfast/src/turn/failure.ts'), 'WatchdogName').map((name) => `deadline_${name}`),
    ...['holdfast', 'gateway'].flatMap(codesWritten),
  ];

  it.each([...new Set(codes)].sort())('%s is explained on a page', (code) => {
    expect(explained).toContain(`| \`${code}\` |`);
  });

  it('is found in the sources at all', () => {
    expect(codesWritten('holdfast')).toEqual(expect.arrayContaining(['stream_ended_early', 'dns_failed', 'stopped']));
  });
});

describe('a code that misuse is thrown with', () => {
  const page = read('docs/misuse.md');
  const thrown = ['holdfast', 'simulator', 'gateway', 'cli'].flatMap((name) =>
    sourcesOf(name).flatMap((file) =>
      [...read(file).matchAll(/\bMisuseError\(\s*'(\w+)'/g)].map(([, code]) => code ?? ''),
    ),
  );

  it.each([...new Set(thrown)].sort())('%s is explained in docs/misuse.md', (code) => {
    expect(page).toContain(`\`${code}\``);
  });

  it('is found in the sources at all', () => {
    expect(thrown).toEqual(expect.arrayContaining(['request_invalid', 'deadline_invalid', 'bind_needs_keys']));
  });
});

describe('the decisions', () => {
  const files = pages('docs/decisions');

  it('are all listed in their index, and the index lists no other', () => {
    const listed = [...read('docs/decisions/README.md').matchAll(/\]\((\d{4}-[\w-]+\.md)\)/g)].map(([, file]) => file);
    expect(files.length).toBeGreaterThan(0);
    expect(listed.sort()).toEqual(files);
  });

  it('are numbered once each', () => {
    const numbers = files.map((file) => file.slice(0, 4));
    expect(numbers).toEqual([...new Set(numbers)]);
  });
});

describe('the invariants and security rules of docs/SPEC.md', () => {
  const rows = [...read('docs/SPEC.md').matchAll(/^\| \*\*([IS]\d+)\*\* \|(.*)\|$/gm)].map(([, number, rest]) => ({
    number: number ?? '',
    tests: [...(rest ?? '').matchAll(/`(packages\/[^`]+\.test\.ts)`/g)].map(([, file]) => file ?? ''),
    open: /not yet|no test yet/.test(rest ?? ''),
  }));

  it('are all there, once each', () => {
    const all = (letter: string, length: number): string[] => Array.from({ length }, (_, i) => `${letter}${i + 1}`);
    expect(rows.map(({ number }) => number)).toEqual([...all('I', 38), ...all('S', 32)]);
  });

  it('name a test or say that there is none yet', () => {
    expect(rows.filter(({ tests, open }) => tests.length === 0 && !open)).toEqual([]);
    expect(rows.filter(({ tests }) => tests.length > 0).length).toBeGreaterThan(0);
  });

  it('are named by the tests that hold them', () => {
    const silent = rows.flatMap(({ number, tests }) =>
      tests
        .filter((file) => !existsSync(HOUSE + file) || !new RegExp(`\\b${number}\\b`).test(read(file)))
        .map((file) => `${number} ${file}`),
    );
    expect(silent).toEqual([]);
  });
});

describe('what goes into git', () => {
  it('holds no address of a registry in its lockfile', () => {
    const lockfile = read('package-lock.json');
    expect(lockfile).toContain('"lockfileVersion": 3');
    expect([...lockfile.matchAll(/"resolved": "(?:\w+:)?\/\/[^"]*"/g)].map(([line]) => line)).toEqual([]);
  });

  it('names no registry in its npm settings', () => {
    expect(
      read('.npmrc')
        .split('\n')
        .filter((line) => line.includes('registry=http') || line.includes('//')),
    ).toEqual([]);
  });
});

/** The string members of an exported union, read from its source. */
function unionMembers(source: string, name: string): string[] {
  const body = new RegExp(`export type ${name} =([^;]+);`).exec(source)?.[1] ?? '';
  return [...body.matchAll(/'([^']+)'/g)].map(([, member]) => member ?? '');
}

/** The codes that sources write out, wherever an object has a `code` or a broken wire gets its name. */
function codesWritten(name: string): string[] {
  const written = /\bcode: '([a-z]\w+)'|\bbroken(?:Reply|Stream)\(\s*'(\w+)'/g;
  return sourcesOf(name).flatMap((file) => [...read(file).matchAll(written)].map(([, a, b]) => a ?? b ?? ''));
}

function sourcesOf(name: string): string[] {
  const folder = `packages/${name}/src`;
  const files = readdirSync(HOUSE + folder, { recursive: true, encoding: 'utf8' });
  return files.filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts')).map((file) => `${folder}/${file}`);
}
