import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { contextFiles, dockerIgnore } from './docker-ignore.js';
import { installedModules, REPOSITORY } from './installed-modules.js';

/** A copy of the repository that npm may pack: what it writes stays in it. Packages are links. */
export function packageCopy(folder: string): void {
  copyFiles(folder);
  for (const path of ['node_modules/.bin', ...installedModules()]) link(path, folder);
}

/** The entry points of the bundler. */
const ENTRIES = [
  'src/main.ts',
  'src/staging/worker/prepare-worker.ts',
  'src/console/queries/query-worker.ts',
];

/** A copy of the repository that npm packs quickly, for tests of the names of what is packed: the program is empty. */
export function packageOutline(folder: string): void {
  copyFiles(folder);
  for (const path of ENTRIES) writeFileSync(join(folder, path), '');
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
