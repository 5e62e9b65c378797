import { constants, type Stats } from 'node:fs';
import { type FileHandle, lstat, open } from 'node:fs/promises';
import { errorCode } from './io-error.js';

/** What a file was when it was looked at: enough to tell it from whatever has its name later, and to see that it changed. */
export interface FileMark {
  /** With the inode, what tells this file from another of the same name. */
  readonly device: number;
  readonly inode: number;
  readonly sizeBytes: number;
  readonly mtimeMs: number;
  /** Also changes when the file is renamed. */
  readonly ctimeMs: number;
  /** How many names it has. */
  readonly names: number;
}

/** Other users may put a link or a pipe in a file's place at any moment: no link is followed, nothing waited for. */
const PLAIN = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

export function markOf({ dev, ino, size, mtimeMs, ctimeMs, nlink }: Stats): FileMark {
  return { device: dev, inode: ino, sizeBytes: size, mtimeMs, ctimeMs, names: nlink };
}

/** True when both are one file, however it has changed. */
export function isSameFile(one: FileMark, other: FileMark): boolean {
  return one.device === other.device && one.inode === other.inode;
}

/** True when both are one file with the same content, as far as its size and its times tell; it may have been renamed. */
export function hasRested(before: FileMark, after: FileMark): boolean {
  return (
    isSameFile(before, after) && before.sizeBytes === after.sizeBytes && before.mtimeMs === after.mtimeMs
  );
}

/** The same, and nobody has renamed it, linked it, or changed whom it is for. */
export function isUntouched(before: FileMark, after: FileMark): boolean {
  return hasRested(before, after) && before.ctimeMs === after.ctimeMs;
}

/**
 * Opens a plain file for reading, and nothing else: what the handle shows is that file's, whatever has its name by then.
 * @returns null where the path is a link, a folder, a pipe, a socket or a device. Errors of the file system are thrown as
 *   they come.
 */
export async function openPlain(path: string): Promise<FileHandle | null> {
  // First, because to open a device may already do something.
  if (!(await lstat(path)).isFile()) return null;
  let handle: FileHandle;
  try {
    handle = await open(path, PLAIN);
  } catch (error) {
    if (['ELOOP', 'EMLINK', 'ENXIO'].includes(errorCode(error) ?? '')) return null;
    throw error;
  }
  try {
    if ((await handle.stat()).isFile()) return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
  await handle.close();
  return null;
}
