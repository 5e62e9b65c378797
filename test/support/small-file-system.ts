import { execFileSync, spawnSync } from 'node:child_process';
import { onTestFinished } from 'vitest';
import { tempFolder } from './temp-folder.js';

/**
 * A file system of 32 MB, of which the log of a whole run takes a third, for the running test, which needs the tag `mount`.
 * @param entries the most files and folders that it holds, itself included.
 */
export function smallFileSystem({ entries }: { readonly entries?: number } = {}): string {
  const folder = tempFolder();
  const most = entries === undefined ? '' : `,nr_inodes=${entries}`;
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=32m${most}`, 'tmpfs', folder]);
  onTestFinished(() => void spawnSync('umount', ['--lazy', folder]));
  return folder;
}

/** Mounts a small file system again. */
export function remount(folder: string, how: 'ro' | 'rw'): void {
  const { status, stderr } = spawnSync('mount', ['-o', `remount,${how}`, folder], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
}
