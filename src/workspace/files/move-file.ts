import { lstat, rename, rm, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { failpoint } from '../../domain/process/failpoint.js';
import { copyVerified } from './copy-verified.js';
import { syncFolder } from './durable.js';
import { errorCode } from './io-error.js';
import { isUntouched, markOf, openPlain } from './plain-file.js';

/**
 * How a move went. `gone`: there is no file to move. `changed`: the file changed while it was copied, or has another name
 * elsewhere, and is where it was. `foreign`: what was moved is no readable plain file with one name; it is in the new place.
 */
export type Moved = 'moved' | 'gone' | 'changed' | 'foreign';

/**
 * Moves a file; a file on another file system is copied, compared and then removed. The bytes are on the disk when it returns.
 * Errors of the file system are thrown as they come, and then nothing was moved.
 */
export async function moveOrCopy(from: string, to: string): Promise<Moved> {
  try {
    // A rename, because only one of all processes that try it succeeds.
    await rename(from, to);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return 'gone';
    if (errorCode(error) !== 'EXDEV') throw error;
    return copyAcross(from, to);
  }
  failpoint('drop-renamed');
  return syncMoved(to);
}

/** Until the moment of the rename another user could have put anything in the place of the file. */
async function syncMoved(path: string): Promise<Moved> {
  try {
    const handle = await openPlain(path);
    if (handle === null) return 'foreign';
    try {
      if ((await handle.stat()).nlink > 1) return 'foreign';
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (['EACCES', 'EPERM', 'ENOENT'].includes(errorCode(error) ?? '')) return 'foreign';
    throw error;
  }
  await syncFolder(dirname(path));
  return 'moved';
}

async function copyAcross(from: string, to: string): Promise<Moved> {
  const copy = await copyVerified(from, dirname(to)).catch((error) => {
    if (errorCode(error) === 'ENOENT') return 'gone' as const;
    throw error;
  });
  if (copy === 'gone') return 'gone';
  if (copy === null) return 'changed';
  if (copy.original.names > 1) {
    await rm(copy.path, { force: true });
    return 'changed';
  }
  await rename(copy.path, to);
  await syncFolder(dirname(to));
  failpoint('copy-renamed');
  try {
    // A new file of the same name that arrived meanwhile is left to the next run.
    if (isUntouched(copy.original, markOf(await lstat(from)))) await unlink(from);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') {
      // An original that can't be removed would be claimed by every run.
      await rm(to, { force: true });
      throw error;
    }
  }
  failpoint('original-removed');
  return 'moved';
}
