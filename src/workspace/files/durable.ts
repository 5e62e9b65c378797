import { closeSync, fsyncSync, openSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { errorCode } from './io-error.js';

/** Waits until the bytes of a file are on the disk. */
export async function syncFile(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Waits until the entries of a folder (a name created, renamed, removed) are on the disk: without it a power cut
 * can undo a rename. Where folders can't be synced (some network file systems) there is nothing to wait for.
 */
export async function syncFolder(path: string): Promise<void> {
  try {
    await syncFile(path);
  } catch (error) {
    if (!CANNOT_SYNC.includes(errorCode(error) ?? '')) throw error;
  }
}

/** `syncFolder` in one step, for what must not be interrupted. */
export function syncFolderNow(path: string): void {
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } catch (error) {
    if (!CANNOT_SYNC.includes(errorCode(error) ?? '')) throw error;
  } finally {
    closeSync(folder);
  }
}

/** The file system of a folder doesn't support syncing it. */
const CANNOT_SYNC: readonly string[] = ['EINVAL', 'ENOTSUP'];
