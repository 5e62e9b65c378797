import { execFileSync, spawnSync } from 'node:child_process';
import { onTestFinished } from 'vitest';
import { tempFolder } from './temp-folder.js';

/** A file system of 32 MB, of which the log of a whole run takes a third, for the running test, which needs the tag `mount`. */
export function smallFileSystem(): string {
  const folder = tempFolder();
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=32m', 'tmpfs', folder]);
  onTestFinished(() => void spawnSync('umount', ['--lazy', folder]));
  return folder;
}

/** Mounts a small file system anew. */
export function remount(folder: string, how: 'ro' | 'rw'): void {
  const { status, stderr } = spawnSync('mount', ['-o', `remount,${how}`, folder], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
}
