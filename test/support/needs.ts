import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram } from './find-program.js';
import { memoryFolder } from './memory-folder.js';
import { otherFileSystem } from './other-file-system.js';
import { IS_ROOT, NOBODY } from './users.js';

/**
 * What a test needs and a machine may lack. A test names its needs as tags; where one is missing the test is skipped, and
 * the end of the run says how to get it. With REQUIRE_ALL=1, as in CI, the test fails instead.
 */
interface Need {
  readonly isHere: () => boolean;
  readonly remedy: string;
}

const INSTALL = 'apt-get install ';

/** Programs by name, each with its Debian package: the list that .ci/run installs, but for those that tests need which it leaves out. */
const PROGRAMS = readFileSync(new URL('programs.txt', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => line.split(' ') as [name: string, debianPackage: string])
  .map(([name, debianPackage]): [string, Need] => [
    name,
    { isHere: () => findProgram(name) !== null, remedy: INSTALL + debianPackage },
  ]);

const NEEDS: ReadonlyMap<string, Need> = new Map([
  ...PROGRAMS,
  ['root', { isHere: canBecomeNobody, remedy: 'run the tests as root' }],
  [
    'unprivileged',
    {
      isHere: () => !IS_ROOT || canStartNode(NOBODY),
      remedy: 'run the tests as another user than root, or with a Node.js that every user can start',
    },
  ],
  ['mount', { isHere: canMount, remedy: 'run the tests as root, with the right to mount' }],
  [
    'other-file-system',
    {
      isHere: () => otherFileSystem(memoryFolder().TMPDIR ?? tmpdir()) !== null,
      remedy: 'mount a second file system at /dev/shm, /tmp or /var/tmp',
    },
  ],
  ['linux', { isHere: () => process.platform === 'linux', remedy: 'run the tests on Linux' }],
]);

const isRequired = process.env.REQUIRE_ALL === '1';

/** The tags for vitest's configuration. */
export function needTags(): { name: string; description: string; skip?: true }[] {
  return [...NEEDS].map(([name, { remedy }]) => ({
    name,
    description: remedy,
    // Of a test with several needs, `skip: false` of a later one would undo the skip of an earlier one.
    ...(!isRequired && !isHere(name) ? { skip: true } : {}),
  }));
}

/** Whether this machine has it. */
function isHere(name: string): boolean {
  let here = LOOKED_UP.get(name);
  if (here === undefined) {
    here = NEEDS.get(name)?.isHere() ?? true;
    LOOKED_UP.set(name, here);
  }
  return here;
}

const LOOKED_UP = new Map<string, boolean>();

/** Throws an error that names the missing ones and how to get them. */
export function requireNeeds(names: readonly string[]): void {
  const missing = names.filter((name) => !isHere(name));
  if (missing.length > 0)
    throw new Error(`This test needs ${missing.join(' and ')}. To run it: ${remedies(missing)}.`);
}

/** The line about skipped tests, each given as its tags; null where none was skipped for what is missing. */
export function skippedLine(tests: readonly (readonly string[])[]): string | null {
  const skipped = tests.map((tags) => tags.filter((tag) => !isHere(tag))).filter(({ length }) => length > 0);
  if (skipped.length === 0) return null;
  const missing = [...new Set(skipped.flat())].sort();
  const counts = missing.map((name) => `${name} (${skipped.filter((tags) => tags.includes(name)).length})`);
  return `Skipped ${skipped.length} tests, which need ${counts.join(', ')}. To run them: ${remedies(missing)}.`;
}

function remedies(missing: readonly string[]): string {
  const all = missing.map((name) => NEEDS.get(name)?.remedy ?? '');
  const packages = all.filter((one) => one.startsWith(INSTALL)).map((one) => one.slice(INSTALL.length));
  const others = all.filter((one) => !one.startsWith(INSTALL));
  const install = packages.length > 0 ? [INSTALL + packages.join(' ')] : [];
  return [...install, ...others].join('; ');
}

/** Not so where a container knows no other users. */
function canBecomeNobody(): boolean {
  if (!IS_ROOT) return false;
  try {
    process.seteuid?.(NOBODY);
    process.seteuid?.(0);
    return true;
  } catch {
    return false;
  }
}

function canStartNode(uid: number): boolean {
  return spawnSync(process.execPath, ['--version'], { cwd: '/', uid, gid: uid }).status === 0;
}

function canMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'registrar-mount-'));
  try {
    if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder]).status !== 0) return false;
    return spawnSync('umount', ['--lazy', folder]).status === 0;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
