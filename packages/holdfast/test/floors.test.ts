import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readImports } from './read-imports.js';
import type { ImportMention, SourceFacts } from './read-imports.js';

interface Room {
  readonly floor: number;
  readonly may: readonly string[];
  /** Rooms of which only types may be named. */
  readonly mayTypesOf?: readonly string[];
}

/** The table of docs/ARCHITECTURE.md. A room that is not built yet keeps its place. */
const ROOMS: Readonly<Record<string, Room>> = {
  turn: { floor: 0, may: [] },
  wire: { floor: 1, may: [] },
  watch: { floor: 1, may: ['turn'] },
  policy: { floor: 1, may: ['turn'] },
  dialects: { floor: 2, may: ['turn', 'wire'] },
  vendors: { floor: 2, may: ['turn'], mayTypesOf: ['dialects'] },
  record: { floor: 2, may: ['turn', 'wire'] },
  diagnose: { floor: 3, may: ['turn', 'watch', 'record'] },
  run: { floor: 4, may: ['turn', 'wire', 'watch', 'policy', 'dialects', 'vendors', 'record', 'diagnose'] },
};

const BUILT = ['dialects', 'policy', 'run', 'turn', 'vendors', 'watch', 'wire'];

/** Node built-ins that cannot wait, listen, read a clock or touch a file. Lint bars the random half of `node:crypto`. */
const PURE_BUILT_INS = ['node:buffer', 'node:crypto', 'node:string_decoder', 'node:url', 'node:util'];

const VENDOR_SDK =
  /^(openai|ai|cohere-ai|groq-sdk|ollama|@anthropic-ai\/.+|@google\/.+|@google-cloud\/.+|@ai-sdk\/.+|@mistralai\/.+|@azure\/.+|@aws-sdk\/.+|@huggingface\/.+|@openrouter\/.+)(\/|$)/;

const PACKAGES = fileURLToPath(new URL('../../', import.meta.url));
const SOURCE = `${PACKAGES}holdfast/src/`;

describe('the floors of the library', () => {
  const files = readSources(SOURCE);

  it('has exactly the rooms that are built, and each of them in the table', () => {
    const onDisk = [...new Set(files.keys())].map(roomOf).filter((room) => room !== undefined);
    expect([...new Set(onDisk)].sort()).toEqual(BUILT);
    expect(BUILT.filter((room) => ROOMS[room] === undefined)).toEqual([]);
  });

  it.each(BUILT)('finds sources in %s', (room) => {
    expect([...files.keys()].filter((file) => roomOf(file) === room && !isTest(file)).length).toBeGreaterThan(0);
  });

  it('is kept by every import of every source and every test', () => {
    expect([...files].flatMap(([file, facts]) => breaches(file, facts))).toEqual([]);
  });

  it('is the table that docs/ARCHITECTURE.md shows', () => {
    const page = readFileSync(new URL('../../../docs/ARCHITECTURE.md', import.meta.url), 'utf8');
    const shown = [...page.matchAll(/^\| (\d) \| `(\w+)\/` \|/gm)].map(([, floor, room]) => `${room} ${floor}`);
    expect(shown.sort()).toEqual(
      Object.entries(ROOMS)
        .map(([room, { floor }]) => `${room} ${floor}`)
        .sort(),
    );
  });
});

describe('a source that breaks a floor', () => {
  const found = (file: string, source: string): string[] => breaches(file, readImports(source));

  it.each([
    ['turn/x.ts', `import { a } from '../wire/index.js';`, 'turn/x.ts: turn may not import wire'],
    ['watch/x.ts', `export * from '../policy/index.js';`, 'watch/x.ts: watch may not import policy'],
    ['policy/x.ts', `import type { A } from '../run/index.js';`, 'policy/x.ts: policy may not import run'],
    ['run/x.ts', `import { a } from '../wire/json.js';`, 'run/x.ts: wire is entered through its index.js'],
    [
      'dialects/gemini/x.ts',
      `import { a } from '../openai-chat/wire.js';`,
      'dialects/gemini/x.ts: a dialect never imports another',
    ],
    [
      'dialects/gemini/x.ts',
      `import { a } from '../index.js';`,
      'dialects/gemini/x.ts: a dialect never imports another',
    ],
    [
      'vendors/x.ts',
      `import { a } from '../dialects/index.js';`,
      'vendors/x.ts: vendors may name only types of dialects',
    ],
    [
      'vendors/x.ts',
      `import { type A, b } from '../dialects/index.js';`,
      'vendors/x.ts: vendors may name only types of dialects',
    ],
    ['wire/x.ts', `const a = await import('node:net');`, 'wire/x.ts: node:net belongs to run'],
    ['dialects/x.ts', `import 'undici';`, 'dialects/x.ts: undici belongs to run'],
    ['run/x.ts', `import OpenAI from 'openai';`, 'run/x.ts: openai is no package of the library'],
    ['run/x.ts', `import { a } from '@holdfast/gateway';`, 'run/x.ts: @holdfast/gateway is no package of the library'],
    ['watch/x.ts', `const now = new Date();`, 'watch/x.ts: reads the clock'],
    ['wire/x.ts', `import { a } from '../../test/a.js';`, 'wire/x.ts: ../../test/a.js is outside of the library'],
    ['watch/x.test.ts', `import { a } from '../run/index.js';`, 'watch/x.test.ts: a test of watch may not import run'],
  ])('is named: %s with %s', (file, source, breach) => {
    expect(found(file, source)).toEqual([breach]);
  });

  it.each([
    ['run/x.ts', `import { request } from 'undici'; import { connect } from 'node:net'; const now = new Date();`],
    ['vendors/x.ts', `import type { Quirks } from '../dialects/index.js'; import { a } from '../turn/index.js';`],
    ['dialects/gemini/x.ts', `import type { Dialect } from '../dialect.js'; import { a } from './wire.js';`],
    ['dialects/index.ts', `export * from './gemini/index.js';`],
    ['watch/x.ts', `const then = new Date(at); // import { a } from '../run/index.js'`],
    ['watch/x.test.ts', `import { a } from '../turn/ids.js'; import { readFileSync } from 'node:fs'; new Date();`],
    ['index.ts', `export * from './run/index.js';`],
    ['wire/x.test.ts', `import { a } from '../../test/a.js';`],
  ])('is not seen in %s with %s', (file, source) => {
    expect(found(file, source)).toEqual([]);
  });
});

describe('the packages around the library', () => {
  const others = readdirSync(PACKAGES).filter((name) => name !== 'holdfast' && existsSync(`${PACKAGES}${name}/src`));

  it.each(others)('%s imports no vendor SDK, only what it declares, and never its own clients', (name) => {
    const files = readSources(`${PACKAGES}${name}/src/`);
    const declared = declaredBy(name);
    const wrong = [...files]
      .filter(([file]) => !isTest(file))
      .flatMap(([file, { imports }]) =>
        imports.filter(({ from }) => isForeign(name, from, declared)).map(({ from }) => `${name}/src/${file}: ${from}`),
      );
    expect(files.size).toBeGreaterThan(0);
    expect(wrong).toEqual([]);
  });

  it('knows what none of them may import', () => {
    const declared = ['openai', 'undici', 'holdfast', '@holdfast/gateway', '@holdfast/agent'];
    const asked = [
      'openai',
      'undici',
      'holdfast/turn',
      '@holdfast/gateway',
      '@holdfast/agent',
      'lodash',
      'node:http',
      './x.js',
    ];
    expect({
      gateway: asked.filter((from) => isForeign('gateway', from, declared)),
      agent: asked.filter((from) => isForeign('agent', from, declared)),
      cli: asked.filter((from) => isForeign('cli', from, declared)),
      checks: asked.filter((from) => isForeign('checks', from, declared)),
    }).toEqual({
      gateway: ['openai', 'undici', '@holdfast/agent', 'lodash'],
      agent: ['openai', 'undici', '@holdfast/gateway', 'lodash'],
      cli: ['openai', 'undici', 'lodash'],
      checks: ['openai', 'lodash'],
    });
  });
});

function breaches(file: string, facts: SourceFacts): string[] {
  const found = facts.imports.map((mention) => breachOf(file, mention));
  if (facts.readsDate && roomOf(file) !== 'run' && !isTest(file)) found.push('reads the clock');
  return found.filter((breach) => breach !== undefined).map((breach) => `${file}: ${breach}`);
}

function breachOf(file: string, mention: ImportMention): string | undefined {
  if (mention.from.startsWith('.')) return relativeBreach(file, mention);
  return isTest(file) ? undefined : packageBreach(file, mention.from);
}

function relativeBreach(file: string, { from, typeOnly }: ImportMention): string | undefined {
  const target = posix.join(posix.dirname(file), from);
  const [room, targetRoom] = [roomOf(file), roomOf(target)];
  if (target.startsWith('../test/') && isTest(file)) return undefined;
  if (target.startsWith('..')) return `${from} is outside of the library`;
  if (targetRoom === undefined) return `${from} is in no room`;
  if (room === targetRoom) return isOtherDialect(file, target) ? 'a dialect never imports another' : undefined;
  if (isTest(file)) return isBelow(targetRoom, room) ? undefined : `a test of ${room} may not import ${targetRoom}`;
  if (target !== `${targetRoom}/index.js`) return `${targetRoom} is entered through its index.js`;
  return room === undefined ? undefined : tableBreach(room, targetRoom, typeOnly);
}

function tableBreach(room: string, target: string, typeOnly: boolean): string | undefined {
  const table = ROOMS[room];
  if (table?.may.includes(target) === true) return undefined;
  if (table?.mayTypesOf?.includes(target) !== true) return `${room} may not import ${target}`;
  return typeOnly ? undefined : `${room} may name only types of ${target}`;
}

/** The library's front door stands above every room. */
function isBelow(target: string, room: string | undefined): boolean {
  if (room === undefined) return true;
  return (ROOMS[target]?.floor ?? Infinity) < (ROOMS[room]?.floor ?? -1);
}

/** A dialect's folder sees itself and the files beside the folders, the index that lists all dialects excepted. */
function isOtherDialect(file: string, target: string): boolean {
  const [room, folder, inFolder] = file.split('/');
  if (room !== 'dialects' || inFolder === undefined || isTest(file)) return false;
  const [, targetFolder, targetInFolder] = target.split('/');
  return targetInFolder === undefined ? targetFolder === 'index.js' : targetFolder !== folder;
}

function packageBreach(file: string, from: string): string | undefined {
  const inRun = roomOf(file) === 'run';
  if (from === 'undici' || from.startsWith('node:')) {
    return inRun || PURE_BUILT_INS.includes(from) ? undefined : `${from} belongs to run`;
  }
  return `${from} is no package of the library`;
}

function isForeign(name: string, from: string, declared: readonly string[]): boolean {
  if (from.startsWith('.') || from.startsWith('node:')) return false;
  const packageName = from
    .split('/')
    .slice(0, from.startsWith('@') ? 2 : 1)
    .join('/');
  if (VENDOR_SDK.test(from) || !declared.includes(packageName)) return true;
  if (packageName === 'undici') return name !== 'checks';
  const strangers: Readonly<Record<string, string>> = { gateway: '@holdfast/agent', agent: '@holdfast/gateway' };
  return packageName === strangers[name];
}

function declaredBy(name: string): string[] {
  const manifest: unknown = JSON.parse(readFileSync(`${PACKAGES}${name}/package.json`, 'utf8'));
  if (typeof manifest !== 'object' || manifest === null || !('dependencies' in manifest)) return [];
  return Object.keys(manifest.dependencies ?? {});
}

function readSources(folder: string): Map<string, SourceFacts> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/'));
  const sources = names.filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts')).sort();
  return new Map(sources.map((name) => [name, readImports(readFileSync(folder + name, 'utf8'))]));
}

/** The first folder of a path under src/; `undefined` for a file that stands in no room. */
function roomOf(file: string): string | undefined {
  const [room, rest] = file.split('/');
  return rest === undefined ? undefined : room;
}

function isTest(file: string): boolean {
  return file.endsWith('.test.ts');
}
