import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** The repository's folder. */
export const REPOSITORY = fileURLToPath(new URL('../../', import.meta.url));

/** A package in node_modules, as package-lock.json has it; packages of packages come with those that contain them. */
export interface InstalledModule {
  /** From the repository's folder. */
  readonly path: string;
}

/** What is installed of package-lock.json. */
export function installedModules(): readonly InstalledModule[] {
  const lock = JSON.parse(readFileSync(join(REPOSITORY, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, unknown>;
  };
  return Object.keys(lock.packages)
    .filter((path) => TOP_LEVEL.test(path) && existsSync(join(REPOSITORY, path)))
    .map((path) => ({ path }));
}

/** Copies packages into the node_modules of another folder, which then shares no file with the repository. */
export async function copyModules(modules: readonly InstalledModule[], folder: string): Promise<void> {
  const paths = modules.map(({ path }) => path);
  await promisify(execFile)('cp', ['-a', '--parents', ...paths, folder], { cwd: REPOSITORY });
}

const TOP_LEVEL = /^node_modules\/(?:@[^/]+\/)?[^/]+$/;
