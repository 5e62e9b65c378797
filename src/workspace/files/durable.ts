import { closeSync, fsync, fsyncSync, openSync } from 'node:fs';
import { chmod, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { failpoint } from '../../domain/process/failpoint.js';
import { errorCode, ioError } from './io-error.js';
import { temporaryPath } from './leftover-files.js';

/** Only the disk is waited for: handing the other calls to another thread takes longer than the calls. */
export async function syncFile(path: string): Promise<void> {
  const file = openSync(path, 'r');
  try {
    await syncOpen(file);
  } finally {
    closeSync(file);
  }
}

/** Waits until an open file is on the disk. */
export function syncOpen(file: number): Promise<void> {
  return new Promise((resolve, reject) => fsync(file, (error) => (error ? reject(error) : resolve())));
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

/** For Registrar's user alone: reports and reasons hold personal data. */
export const FILE_MODE = 0o600;

/**
 * Writes a file so that its name shows either the whole old content or the whole new one, also after a power cut:
 * under another name in the same folder, synced, renamed. On any error the old file is unchanged and nothing else is left. The
 * file can be read by its owner alone.
 * @param write writes it to the path it is given.
 * @param isOneOfMany the caller syncs the folder once all of its files are written: until then a power cut may leave
 *   the old file.
 * @returns what `write` returns.
 */
export async function replaceFile<T>(
  path: string,
  write: (temporaryPath: string) => Promise<T>,
  isOneOfMany = false,
): Promise<T> {
  const folder = dirname(path);
  const temporary = temporaryPath(folder);
  try {
    await writeFile(temporary, '', { flag: 'wx', mode: FILE_MODE });
    const written = await write(temporary);
    // The function may have replaced the file at the path by another one.
    await chmod(temporary, FILE_MODE);
    await syncFile(temporary);
    failpoint('file-written');
    await rename(temporary, path);
    if (!isOneOfMany) await syncFolder(folder);
    failpoint('file-renamed');
    return written;
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw ioError('write a file', path, error);
  }
}

/** Writes a text as `replaceFile` does. */
export function writeFileAtomic(path: string, text: string, isOneOfMany = false): Promise<void> {
  return replaceFile(path, (temporary) => writeFile(temporary, text), isOneOfMany);
}
