import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { contextFiles, dockerIgnore } from './docker-ignore.js';
import { copyModules, installedModules, REPOSITORY } from './installed-modules.js';

/**
 * A copy of the repository that npm may pack: what it writes stays in it. Packages that are packed too are copied, the
 * others are links.
 */
export async function packageCopy(folder: string): Promise<void> {
  for (const path of contextFiles(REPOSITORY, dockerIgnore(''), ['.git', 'node_modules', 'dist'])) {
    cpSync(join(REPOSITORY, path), join(folder, path));
  }
  const modules = installedModules();
  await copyModules(
    modules.filter(({ isBundled }) => isBundled),
    folder,
  );
  for (const path of ['node_modules/.bin', ...modules.flatMap((one) => (one.isBundled ? [] : one.path))]) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    symlinkSync(join(REPOSITORY, path), join(folder, path));
  }
}
