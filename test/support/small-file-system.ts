import { spawnSync } from 'node:child_process';
import { onTestFinished, type TestContext } from 'vitest';
import { tempFolder } from './temp-folder.js';

/**
 * A file system of 32 MB, of which the log of a whole run takes a third, for the running test; skips it where this user may not
 * mount one.
 */
export function smallFileSystem(context: TestContext): string {
  const folder = tempFolder();
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=32m', 'tmpfs', folder], {
    encoding: 'utf8',
  });
  if (mounted.status !== 0) context.skip(`a small file system can't be mounted here: ${mounted.stderr}`);
  onTestFinished(() => void spawnSync('umount', ['--lazy', folder]));
  return folder;
}

/** Mounts a small file system anew. */
export function remount(folder: string, how: 'ro' | 'rw'): void {
  const { status, stderr } = spawnSync('mount', ['-o', `remount,${how}`, folder], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
}
