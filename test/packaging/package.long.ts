import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { VERSION } from '../../src/version.js';
import { REPOSITORY } from '../support/installed-modules.js';
import { packageCopy } from '../support/package-copy.js';
import { tempFolder } from '../support/temp-folder.js';

const run = promisify(execFile);

it('whoever installs the packed program gets the overridden unzipper, can install it again, and it works', async () => {
  const source = join(tempFolder(), 'source');
  mkdirSync(source);
  await packageCopy(source);
  await run('npm', ['pack', '--silent'], { cwd: source });
  const folder = tempFolder();
  // Compiling better-sqlite3 is the image's test; here its build comes from the repository.
  const npm = (...words: string[]) => run('npm', [...words, '--ignore-scripts'], { cwd: folder });
  await npm('install', join(source, `registrar-${VERSION}.tgz`));
  expect(unzippers(folder)).toEqual(['0.12']);
  await npm('ci');
  await npm('ls', '--all');
  expect(unzippers(folder)).toEqual(['0.12']);
  cpSync(join(REPOSITORY, 'node_modules/better-sqlite3/build'), join(folder, SQLITE, 'build'), {
    recursive: true,
  });
  const registrar = join(folder, 'node_modules/.bin/registrar');
  expect((await run(registrar, ['--version'])).stdout).toBe(`${VERSION}\n`);
  const { stdout } = await run(registrar, ['demo'], { env: { ...process.env, TMPDIR: tempFolder() } });
  expect(stdout).toContain('The books balance: 35 submissions accepted, 12 rows need attention.');
});

it('npm link puts the command on the path without a warning about scripts to allow', async () => {
  const source = tempFolder();
  await packageCopy(source);
  await run('npm', ['run', 'bundle'], { cwd: source });
  const prefix = tempFolder();
  mkdirSync(join(prefix, 'lib/node_modules'), { recursive: true });
  // A variable beats every npmrc, so that the link can't come to lie in this machine's own folders.
  const env = { ...process.env, npm_config_prefix: prefix };
  const { stderr } = await run('npm', ['link'], { cwd: source, env });
  expect(stderr).not.toContain('install-scripts');
  expect((await run(join(prefix, 'bin/registrar'), ['--version'])).stdout).toBe(`${VERSION}\n`);
});

const SQLITE = 'node_modules/better-sqlite3';

/** Major and minor version of each unzipper that is installed. */
function unzippers(folder: string): string[] {
  const manifests = (readdirSync(folder, { recursive: true }) as string[]).filter((path) =>
    path.endsWith('node_modules/unzipper/package.json'),
  );
  return manifests.map((path) => {
    const { version } = JSON.parse(readFileSync(join(folder, path), 'utf8')) as { version: string };
    return version.split('.').slice(0, 2).join('.');
  });
}
