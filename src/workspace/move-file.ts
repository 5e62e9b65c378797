import { lstat, rename, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { failpoint } from '../domain/failpoint.js';
import { copyVerified, isUnchanged } from './copy-verified.js';
import { syncFile, syncFolder } from './durable.js';
import { errorCode } from './io-error.js';

/**
 * Moves a file; one of another file system is copied, compared and then removed. The bytes are on the disk when it
 * returns.
 * @returns false when there is no file to move.
 */
export async function moveOrCopy(from: string, to: string): Promise<boolean> {
  try {
    // A rename, because of all processes that try it only one succeeds.
    await rename(from, to);
    failpoint('drop-renamed');
    await syncFile(to);
    await syncFolder(dirname(to));
    return true;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    if (errorCode(error) !== 'EXDEV') throw error;
    return copyAcross(from, to);
  }
}

async function copyAcross(from: string, to: string): Promise<boolean> {
  try {
    const copy = await copyVerified(from, dirname(to));
    await rename(copy.path, to);
    await syncFolder(dirname(to));
    failpoint('copy-renamed');
    // A new file of the same name that came meanwhile is the next run's.
    if (await isUnchanged(from, copy.original)) await unlink(from);
    failpoint('original-removed');
    return true;
  } catch (error) {
    // Gone before it was copied: another process has it. Gone after: the copy is ours all the same.
    if (errorCode(error) === 'ENOENT') return isThere(to);
    throw error;
  }
}

async function isThere(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  }
}
