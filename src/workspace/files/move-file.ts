import { lstat, rename, rm, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { failpoint } from '../../domain/process/failpoint.js';
import { copyVerified } from './copy-verified.js';
import { syncFolder } from './durable.js';
import { errorCode } from './io-error.js';
import { type FileMark, isUntouched, markOf, openPlain } from './plain-file.js';

/**
 * How a move went. `gone`: there is no file to move. `changed`: the file is no longer the one that was examined, and lies where
 * it was or, where it was moved before that was noticed, in the new place. `stranger`: the moved entry is no file, or a file with
 * another name elsewhere: it lies in the new place. `removed`: another process removed it from there at once.
 */
export type Moved = 'moved' | 'gone' | 'changed' | 'stranger' | 'removed';

/**
 * Moves a file; a file on another file system is copied, compared and then removed. The bytes are on the disk when it returns.
 * Errors of the file system are thrown as they come, and then nothing was moved.
 * @param isExpected says whether a file is the one that was meant: between the examination of a file and its move, another user
 *   may have replaced it by anything.
 */
export async function moveOrCopy(
  from: string,
  to: string,
  isExpected: (mark: FileMark) => boolean = () => true,
): Promise<Moved> {
  try {
    // A rename, because only one of all processes that try it succeeds.
    await rename(from, to);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return 'gone';
    if (errorCode(error) !== 'EXDEV') throw error;
    return copyAcross(from, to, isExpected);
  }
  failpoint('drop-renamed');
  return syncMoved(to, isExpected);
}

async function syncMoved(path: string, isExpected: (mark: FileMark) => boolean): Promise<Moved> {
  const handle = await openPlain(path).catch((error) => {
    // An unreadable file would not have been moved: so another one has replaced the file that was examined.
    if (['EACCES', 'EPERM'].includes(errorCode(error) ?? '')) return 'changed' as const;
    if (errorCode(error) === 'ENOENT') return 'removed' as const;
    throw error;
  });
  if (handle === null) return 'stranger';
  if (handle === 'changed' || handle === 'removed') return handle;
  try {
    const mark = markOf(await handle.stat());
    if (mark.names > 1) return 'stranger';
    await handle.sync();
    await syncFolder(dirname(path));
    return isExpected(mark) ? 'moved' : 'changed';
  } finally {
    await handle.close();
  }
}

async function copyAcross(from: string, to: string, isExpected: (mark: FileMark) => boolean): Promise<Moved> {
  const copy = await copyIfThere(from, dirname(to));
  if (copy === 'gone' || copy === 'changed') return copy;
  if (copy.original.names > 1 || !isExpected(copy.original)) {
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
      // An original that can't be removed would be taken again by every run.
      await rm(to, { force: true });
      throw error;
    }
  }
  failpoint('original-removed');
  return 'moved';
}

async function copyIfThere(from: string, folder: string) {
  try {
    return (await copyVerified(from, folder)) ?? 'changed';
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return 'gone';
    throw error;
  }
}
