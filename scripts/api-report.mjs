// Writes docs/api/<package>.d.ts.txt: the declarations that a user of each public package can reach, so that a change
// of the public surface shows in a review. With --check it writes nothing and fails where a report is out of date.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const HOUSE = fileURLToPath(new URL('../', import.meta.url));
const check = process.argv.includes('--check');
let stale = 0;

mkdirSync(join(HOUSE, 'docs/api'), { recursive: true });
for (const folder of readdirSync(join(HOUSE, 'packages')).sort()) {
  const path = join(HOUSE, 'packages', folder);
  if (!existsSync(join(path, 'package.json'))) continue;
  const manifest = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));
  if (manifest.private !== true) settle(folder, reportOf(path, manifest));
}
process.exitCode = stale > 0 ? 1 : 0;

function settle(folder, report) {
  const file = join(HOUSE, 'docs/api', `${folder}.d.ts.txt`);
  const known = existsSync(file) ? readFileSync(file, 'utf8') : '';
  if (known === report) {
    console.log(`docs/api/${folder}.d.ts.txt is current.`);
  } else if (check) {
    stale += 1;
    console.log(`docs/api/${folder}.d.ts.txt is out of date. Run npm run api and review the difference.`);
  } else {
    writeFileSync(file, report);
    console.log(`docs/api/${folder}.d.ts.txt is written.`);
  }
}

function reportOf(path, manifest) {
  const entries = Object.entries(manifest.exports)
    .filter(([, target]) => typeof target.types === 'string')
    .map(([name, target]) => [name, join(path, target.types)]);
  const files = new Set();
  for (const [, file] of entries) gather(file, files);
  const paths = [...files].map((file) => relative(join(path, 'dist'), file)).sort((a, b) => (a < b ? -1 : 1));
  return [
    `# ${manifest.name}: made by npm run api from the built declarations`,
    '',
    ...entries.map(([name, file]) => `# ${join(manifest.name, name)} is ${relative(join(path, 'dist'), file)}`),
    ...paths.map((name) => `\n## ${name}\n\n${readFileSync(join(path, 'dist', name), 'utf8').trim()}`),
    '',
  ].join('\n');
}

/** Everything that a declaration file reaches through relative imports, itself included. */
function gather(file, files) {
  if (files.has(file)) return;
  if (!existsSync(file)) throw new Error(`${relative(HOUSE, file)} is missing. Run npm run build first.`);
  files.add(file);
  for (const [, target] of readFileSync(file, 'utf8').matchAll(/from\s+['"](\.[^'"]+)\.js['"]/g)) {
    gather(join(dirname(file), `${target}.d.ts`), files);
  }
}
