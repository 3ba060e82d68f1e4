// Packs every public package as it would be published and judges the tarball: publint, attw, its file list, its
// runtime dependencies. One line a package, then the total of direct runtime dependencies over the product.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

const HOUSE = fileURLToPath(new URL('../', import.meta.url));
const ATTW = join(
  dirname(createRequire(import.meta.url).resolve('@arethetypeswrong/cli/package.json')),
  'dist/index.js',
);

/** Direct runtime dependencies of all public packages together. Each has its reason in docs/decisions. */
const DEPENDENCIES_MAX = 20;

/** What a package may depend on beside its siblings, where a promise says so. */
const PROMISED = new Map([['holdfast', ['undici']]]);

const packages = readPackages();
const siblings = packages.map(({ manifest }) => manifest.name);
const folder = mkdtempSync(join(tmpdir(), 'holdfast-pack-'));
/** @type {Set<string>} */
const direct = new Set();
let failed = 0;

try {
  for (const pkg of packages.filter(({ manifest }) => manifest.private !== true)) {
    const foreign = Object.keys(pkg.manifest.dependencies ?? {}).filter((name) => !siblings.includes(name));
    for (const name of foreign) direct.add(name);
    const { files, complaints } = await judge(pkg, foreign);
    if (complaints.length > 0) failed += 1;
    const verdict = complaints.length === 0 ? 'ok' : `FAILED: ${complaints.join(' ')}`;
    console.log(
      `${pkg.manifest.name} ${pkg.manifest.version}: ${files} files, ${foreign.length} dependencies: ${verdict}`,
    );
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

console.log(
  `Direct runtime dependencies: ${direct.size} of at most ${DEPENDENCIES_MAX} (${[...direct].sort().join(', ')}).`,
);
if (direct.size > DEPENDENCIES_MAX) failed += 1;
process.exitCode = failed > 0 ? 1 : 0;

function readPackages() {
  return readdirSync(join(HOUSE, 'packages'))
    .map((name) => join(HOUSE, 'packages', name))
    .filter((path) => existsSync(join(path, 'package.json')))
    .map((path) => ({ path, manifest: JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')) }));
}

async function judge(pkg, foreign) {
  if (!existsSync(join(pkg.path, 'dist/index.js'))) {
    return { files: 0, complaints: ['There is no build of it. Run npm run build first.'] };
  }
  const packed = pack(pkg.path);
  const names = packed.files.map(({ path }) => path);
  const complaints = [
    ...judgeFiles(names),
    ...judgeDependencies(pkg.manifest, foreign),
    ...(await judgeManifest(packed.path)),
    ...judgeTypes(packed.path),
  ];
  return { files: names.length, complaints };
}

/** Scripts of the packed package never run. */
function pack(path) {
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
  const answer = JSON.parse(
    execFileSync('npm', args, { cwd: path, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
  );
  const [packed] = Array.isArray(answer) ? answer : Object.values(answer);
  return { path: join(folder, packed.filename), files: packed.files };
}

function judgeFiles(names) {
  const unwanted = names.filter((name) => /\.test\.|\.map$|tsbuildinfo|^src\/|^test\//.test(name));
  const missing = ['LICENSE', 'README.md'].filter((name) => !names.includes(name));
  return [
    ...unwanted.map((name) => `${name} does not belong into the package.`),
    ...missing.map((name) => `${name} is missing.`),
  ];
}

function judgeDependencies(manifest, foreign) {
  const promised = PROMISED.get(manifest.name);
  if (promised === undefined || promised.join() === foreign.join()) return [];
  return [`It promises to depend on ${promised.join(', ')} alone and depends on ${foreign.join(', ') || 'nothing'}.`];
}

async function judgeManifest(tarball) {
  const data = readFileSync(tarball);
  const buffer = data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength);
  const { messages, pkg } = await publint({ pack: { tarball: buffer }, level: 'warning', strict: true });
  return messages.map((message) => `publint: ${formatMessage(message, pkg) ?? message.code}`);
}

function judgeTypes(tarball) {
  const args = [ATTW, tarball, '--profile', 'esm-only', '--no-definitely-typed', '--format', 'json'];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status === 0) return [];
  return [`attw: ${problemsOf(stdout) || stderr.trim() || `ended with ${status}`}.`];
}

function problemsOf(stdout) {
  try {
    const all = Object.values(JSON.parse(stdout).problems ?? {}).flat();
    // The packages are ESM alone: what a resolver without it says is no complaint.
    const problems = all.filter(({ resolutionKind }) => resolutionKind !== 'node10' && resolutionKind !== 'node16-cjs');
    return problems
      .map(({ kind, entrypoint, resolutionKind }) => `${kind} ${entrypoint ?? ''} ${resolutionKind ?? ''}`.trim())
      .join(', ');
  } catch {
    return stdout.trim().slice(0, 500);
  }
}
