import { execFile, execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { VERSION } from '../../src/version.js';
import { REPOSITORY } from '../support/installed-modules.js';
import { packageCopy } from '../support/package-copy.js';
import { tempFolder } from '../support/temp-folder.js';

const run = promisify(execFile);

it('an installation of the packed program can be repeated, and works', async () => {
  const source = join(tempFolder(), 'source');
  mkdirSync(source);
  packageCopy(source);
  await run('npm', ['pack', '--silent'], { cwd: source });
  const folder = tempFolder();
  // Compiling better-sqlite3 is the image's test; here its build comes from the repository.
  const npm = (...words: string[]) => run('npm', [...words, '--ignore-scripts'], { cwd: folder });
  await npm('install', join(source, `registrar-${VERSION}.tgz`));
  await npm('ci');
  await npm('ls', '--all');
  cpSync(join(REPOSITORY, 'node_modules/better-sqlite3/build'), join(folder, SQLITE, 'build'), {
    recursive: true,
  });
  const registrar = join(folder, 'node_modules/.bin/registrar');
  expect((await run(registrar, ['--version'])).stdout).toBe(`${VERSION}\n`);
  const { stdout } = await run(registrar, ['demo'], { env: { ...process.env, TMPDIR: tempFolder() } });
  expect(stdout).toContain('The books balance. 35 rows accepted, 12 rows need attention.');
});

it('npm install --global needs no compiler where better-sqlite3 has a ready-made build, and brings nothing of developers', async () => {
  const source = join(tempFolder(), 'source');
  mkdirSync(source);
  packageCopy(source);
  await run('npm', ['pack', '--silent'], { cwd: source });
  const host = await buildHost();
  const prefix = tempFolder();
  // No compiler, no make, no Python: what is not ready-made can't be made.
  const path = tempFolder();
  for (const name of ['node', 'npm', 'sh'])
    symlinkSync((await run('which', [name])).stdout.trim(), join(path, name));
  const env = {
    ...process.env,
    PATH: path,
    npm_config_prefix: prefix,
    npm_config_better_sqlite3_binary_host: host.url,
  };
  await run('npm', ['install', '--global', join(source, `registrar-${VERSION}.tgz`)], {
    cwd: tempFolder(),
    env,
  });
  expect(host.requests).toEqual([
    expect.stringMatching(/better-sqlite3-v[\d.]+-node-v\d+-\w+-\w+\.tar\.gz$/),
  ]);

  const registrar = join(prefix, 'bin/registrar');
  const demo = await run(registrar, ['demo'], { env: { ...env, TMPDIR: tempFolder() } });
  expect(demo.stdout).toContain('The books balance. 35 rows accepted, 12 rows need attention.');
  const installed = join(prefix, 'lib/node_modules/registrar');
  expect(readdirSync(installed).sort()).toEqual([
    'CHANGELOG.md',
    'CONTRIBUTING.md',
    'LICENSE',
    'README.md',
    'compose.yaml',
    'data',
    'deploy',
    'dist',
    'docs',
    'migrations',
    'node_modules',
    'package.json',
  ]);
  expect(readdirSync(join(installed, 'dist'))).toEqual(['program']);
  const packages = readdirSync(join(installed, 'node_modules'));
  expect(packages).toContain('better-sqlite3');
  // All others are in the bundle.
  const { devDependencies } = JSON.parse(readFileSync(join(REPOSITORY, 'package.json'), 'utf8')) as {
    devDependencies: object;
  };
  expect(Object.keys(devDependencies).filter((name) => packages.includes(name))).toEqual([]);
});

/** Serves the build of better-sqlite3 that the repository has, as its makers do for each Node.js and system. */
async function buildHost(): Promise<{ readonly url: string; readonly requests: readonly string[] }> {
  const archive = execFileSync('tar', ['-czf', '-', 'build/Release/better_sqlite3.node'], {
    cwd: join(REPOSITORY, SQLITE),
    maxBuffer: 100_000_000,
  });
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    response.end(archive);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

it('npm link puts the command on the path without a warning about scripts to allow', async () => {
  const source = tempFolder();
  packageCopy(source);
  await run('npm', ['run', 'bundle'], { cwd: source });
  const prefix = tempFolder();
  mkdirSync(join(prefix, 'lib/node_modules'), { recursive: true });
  // A variable beats every npmrc, so that the link can't end up in this machine's own folders.
  const env = { ...process.env, npm_config_prefix: prefix };
  const { stderr } = await run('npm', ['link'], { cwd: source, env });
  expect(stderr).not.toContain('install-scripts');
  expect((await run(join(prefix, 'bin/registrar'), ['--version'])).stdout).toBe(`${VERSION}\n`);
});

const SQLITE = 'node_modules/better-sqlite3';
