import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { REPOSITORY } from '../support/installed-modules.js';
import { document } from '../support/markdown.js';
import { packageOutline } from '../support/package-copy.js';
import { tempFolder } from '../support/temp-folder.js';

const run = promisify(execFile);

const MANIFEST = JSON.parse(document('package.json')) as {
  bin: { registrar: string };
  scripts: Record<string, string>;
};

const LICENSES = 'dist/program/LICENSES.txt';

it('the licences of the packages in the bundle come with it', () => {
  const text = document(LICENSES);
  // One of two packages with the same text, one that is bundled in two versions, and one whose makers ship no text.
  expect(text).toMatch(/^=== @smithy\/core [\d.]+ \(Apache-2\.0\)$/m);
  expect(text.match(/^=== readable-stream \S+ \(MIT\)$/gm)).toHaveLength(2);
  expect(text).toMatch(
    /^=== kysely \S+ \(MIT\)\n\nThe MIT License \(MIT\)\n\nCopyright \(c\) \d+ Sami Koskimäki/m,
  );
  expect(text).toMatch(/^=== pgpass \S+ \(MIT\)$/m);
  expect(text).not.toContain('=== better-sqlite3');
  expect(text).not.toContain('=== vitest');
});

it('npm pack leaves out tests, benches, source maps and what an older build left, and keeps what the program needs', async () => {
  const folder = tempFolder();
  packageOutline(folder);
  for (const left of [
    'dist/program/gone.js',
    'dist/program/main.js.map',
    'dist/test/left.js',
    'dist/bench/left.js',
  ]) {
    mkdirSync(join(folder, left, '..'), { recursive: true });
    writeFileSync(join(folder, left), '');
  }
  const { stdout } = await run('npm', ['pack', '--dry-run', '--json', '--silent'], {
    cwd: folder,
    maxBuffer: 10_000_000,
  });
  const [packed] = JSON.parse(stdout.slice(stdout.search(/^\[/m))) as { files: { path: string }[] }[];
  const own = packed?.files.map(({ path }) => path) ?? [];
  const rooms = new Set(own.map((path) => path.replace(/^(dist\/[^/]+|[^/]+)\/.*/, '$1')));
  expect([...rooms].sort()).toEqual([
    'CHANGELOG.md',
    'CONTRIBUTING.md',
    'LICENSE',
    'README.md',
    'compose.yaml',
    'data',
    'deploy',
    'dist/program',
    'docs',
    'migrations',
    'package.json',
  ]);
  expect(own.filter((path) => path.startsWith('dist/') && !path.endsWith('.js'))).toEqual([LICENSES]);
  expect(own.filter((path) => /\.(?:map|ts|tsbuildinfo)$|(?:^|\/)(?:src|test|bench)\//.test(path))).toEqual(
    [],
  );
  // The program itself is the repository's, of the same build.
  const built = readdirSync(join(REPOSITORY, 'dist/program'));
  expect(built.filter((name) => !name.endsWith('.js'))).toEqual([posix.basename(LICENSES)]);
  expect(brokenLinks(own)).toEqual([]);
  expect(own).not.toContain('dist/program/gone.js');
  expect(own).toContain(MANIFEST.bin.registrar);
});

/** The links of packed documents to files that are not packed; those that name code lead into a repository. */
function brokenLinks(packed: readonly string[]): string[] {
  const there = new Set(
    packed.flatMap((path) => path.split('/').map((_, at, parts) => parts.slice(0, at + 1).join('/'))),
  );
  return packed
    .filter((path) => path.endsWith('.md'))
    .flatMap((path) =>
      [...document(path).matchAll(/\]\(([^)#\s]+)/g)]
        .map(([, link = '']) => link)
        .filter((link) => !/^https?:|^(?:\.\.\/)*(?:src|test)\//.test(link))
        .filter((link) => !there.has(posix.join(posix.dirname(path), link).replace(/\/$/, '')))
        .map((link) => `${path}: ${link}`),
    );
}

it('npm link warns of no script that it would have to allow, because installing runs none of ours', () => {
  const atInstall = ['preinstall', 'install', 'postinstall', 'prepare'];
  expect(atInstall.filter((name) => Object.hasOwn(MANIFEST.scripts, name))).toEqual([]);
});
