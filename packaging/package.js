import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildDeb } from './build-deb.js';
import { installProgram, runtimeModules } from './install-program.js';
import { bundledPackages } from './licenses.js';

// Everything that is published for one kind of machine: a tarball that needs no Node.js, no compiler and no network, the same as
// a package for Debian, the tarball for npm, the bill of materials, and the checksums of all of these. Node.js and the compiled
// modules are those of the machine that packages, so each architecture is packaged on one of its own.
const root = join(import.meta.dirname, '..');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const output = join(root, 'dist/packages');
const name = `registrar-${version}-${process.platform}-${process.arch}`;
const work = mkdtempSync(join(tmpdir(), 'registrar-package-'));

rmSync(output, { recursive: true, force: true });
mkdirSync(output, { recursive: true });
try {
  const tree = join(work, name);
  installProgram(root, tree);
  archive(work, name, join(output, `${name}.tar.gz`));
  if (process.platform === 'linux') buildDeb({ root, tree, version, output, work });
  run('npm', ['pack', '--silent', '--pack-destination', output]);
  const bill = shippedPackages(JSON.parse(run('npm', ['sbom', '--sbom-format', 'cyclonedx'])));
  writeFileSync(join(output, `registrar-${version}.cdx.json`), `${JSON.stringify(bill, null, 2)}\n`);
  writeFileSync(join(output, 'SHA256SUMS'), checksums());
} finally {
  rmSync(work, { recursive: true, force: true });
}
for (const file of readdirSync(output)) console.log(join('dist/packages', file));

/** Packs a folder so that the same files give the same archive. */
function archive(parent, folder, to) {
  const names = ['--sort=name', `--mtime=@${builtAt()}`, '--owner=0', '--group=0', '--numeric-owner'];
  execFileSync('tar', [...names, '--use-compress-program=gzip -n', '-cf', to, '-C', parent, folder]);
}

/** Unix time that files are given: SOURCE_DATE_EPOCH where it is set, else the time of the commit, else of package.json. */
function builtAt() {
  if (process.env.SOURCE_DATE_EPOCH !== undefined) return process.env.SOURCE_DATE_EPOCH;
  try {
    return run('git', ['log', '-1', '--format=%ct']).trim();
  } catch {
    return Math.floor(statSync(join(root, 'package.json')).mtimeMs / 1_000);
  }
}

/** Of npm's bill, which knows all installed packages, those in the bundle and beside it; with the Node.js that comes along. */
function shippedPackages(bill) {
  const shipped = new Set([
    ...bundledPackages(root),
    ...runtimeModules(root).map((path) => {
      const { name, version } = JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8'));
      return `${name}@${version}`;
    }),
  ]);
  const node = {
    type: 'platform',
    name: 'node',
    version: process.versions.node,
    purl: `pkg:generic/node@${process.versions.node}`,
    licenses: [{ license: { id: 'MIT' } }],
  };
  const components = bill.components
    .filter(({ name, version }) => shipped.has(`${name}@${version}`))
    // For npm, a package that is bundled is one of development.
    .map(({ properties: _, ...component }) => component);
  const isShipped = (ref) => ref === bill.metadata.component['bom-ref'] || shipped.has(ref);
  const dependencies = bill.dependencies
    .filter(({ ref }) => isShipped(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter(isShipped) }));
  return { ...bill, components: [...components, node], dependencies };
}

/** In the form of sha256sum. */
function checksums() {
  return readdirSync(output)
    .map(
      (file) =>
        `${createHash('sha256')
          .update(readFileSync(join(output, file)))
          .digest('hex')}  ${file}\n`,
    )
    .join('');
}

function run(program, words) {
  return execFileSync(program, words, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 50_000_000,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}
