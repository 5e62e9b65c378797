import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** The repository's folder. */
export const REPOSITORY = fileURLToPath(new URL('../../', import.meta.url));

/** The folders in node_modules of the packages of package-lock.json, from the repository's; packages of packages come with these. */
export function installedModules(): readonly string[] {
  const lock = JSON.parse(readFileSync(join(REPOSITORY, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, unknown>;
  };
  return Object.keys(lock.packages).filter(
    (path) => TOP_LEVEL.test(path) && existsSync(join(REPOSITORY, path)),
  );
}

/** Copies packages into the node_modules of another folder, which then shares no file with the repository. */
export async function copyModules(paths: readonly string[], folder: string): Promise<void> {
  await promisify(execFile)('cp', ['-a', '--parents', ...paths, folder], { cwd: REPOSITORY });
}

const TOP_LEVEL = /^node_modules\/(?:@[^/]+\/)?[^/]+$/;
