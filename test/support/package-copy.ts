import { cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { contextFiles, dockerIgnore } from './docker-ignore.js';
import { copyModules, installedModules, REPOSITORY } from './installed-modules.js';

/**
 * A copy of the repository that npm may pack: what it writes stays in it. Packages that are packed too are copied, the
 * others are links.
 */
export async function packageCopy(folder: string): Promise<void> {
  copyFiles(folder);
  const modules = installedModules();
  await copyModules(
    modules.filter(({ isBundled }) => isBundled),
    folder,
  );
  for (const path of ['node_modules/.bin', ...modules.flatMap((one) => (one.isBundled ? [] : one.path))])
    link(path, folder);
}

/** What the bundler is given to begin with. */
const ENTRIES = [
  'src/main.ts',
  'src/staging/worker/prepare-worker.ts',
  'src/console/queries/query-worker.ts',
];

/**
 * A copy of the repository that npm packs quickly, for tests of the names of what is packed: packages are their manifests
 * alone, and the program is empty.
 */
export function packageOutline(folder: string): void {
  copyFiles(folder);
  for (const path of ENTRIES) writeFileSync(join(folder, path), '');
  for (const { path } of installedModules().filter(({ isBundled }) => isBundled)) {
    const files = readdirSync(join(REPOSITORY, path), { recursive: true, encoding: 'utf8' });
    for (const file of files.filter((name) =>
      /(?:^|node_modules\/(?:@[^/]+\/)?[^/]+\/)package\.json$/.test(name),
    ))
      cpSync(join(REPOSITORY, path, file), join(folder, path, file));
  }
  // What bundles.
  for (const name of ['.bin', 'rolldown', 'yaml']) link(`node_modules/${name}`, folder);
}

function copyFiles(folder: string): void {
  for (const path of contextFiles(REPOSITORY, dockerIgnore(''), ['.git', 'node_modules', 'dist'])) {
    cpSync(join(REPOSITORY, path), join(folder, path));
  }
}

function link(path: string, folder: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  symlinkSync(join(REPOSITORY, path), join(folder, path));
}
