import { closeSync, constants, fstatSync, lstatSync, openSync, type Stats, statSync } from 'node:fs';
import { lstat, mkdir, readdir } from 'node:fs/promises';
import { isReadOnlyDisk } from '../../domain/process/who-may.js';
import { errorCode, ioError } from './io-error.js';

/** The entry at a path, without following a link; null: there is none, also where a file is in the place of a folder. */
export async function statOf(path: string) {
  try {
    return await lstat(path);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')) return null;
    throw error;
  }
}

/** Whether anything is at a path, a link that leads nowhere included. */
export async function exists(path: string): Promise<boolean> {
  return (await statOf(path)) !== null;
}

/**
 * The names in a folder; none where there is no such folder, or a file in its place. Throws OperatorError where it can't be read.
 * @param operation the purpose of the call, as the error names it.
 */
export async function namesIn(folder: string, operation: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')) return [];
    throw ioError(operation, folder, error);
  }
}

/** For Registrar's user alone: drops, ledger and reports hold personal data. */
const FOLDER_MODE = 0o700;

/** Creates a folder, and those above it, for its owner alone; one that exists is unchanged. @returns whether it is new. */
export async function makeFolder(path: string): Promise<boolean> {
  // Called for every file; the folder nearly always exists.
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return false;
  try {
    return (await mkdir(path, { recursive: true, mode: FOLDER_MODE })) !== undefined;
  } catch (error) {
    // Where the file system is mounted read-only, Node's own error says ENOENT.
    const cause = isReadOnlyDisk(path) ? Object.assign(error as Error, { code: 'EROFS' }) : error;
    throw ioError('create a folder of the workspace', path, cause);
  }
}

/**
 * The marks of a file when it was examined: enough to distinguish it from a later file of the same name, by `device` and `inode`, and to
 * notice a change. `ctimeMs` also changes when the file is renamed.
 */
export type FileMark = Readonly<ReturnType<typeof markOf>>;

/** Other users may replace a file by a link or a pipe at any moment: the open follows no link and waits for nothing. */
const PLAIN = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

export function markOf({ dev, ino, size, mtimeMs, ctimeMs, nlink }: Stats) {
  return { device: dev, inode: ino, sizeBytes: size, mtimeMs, ctimeMs, names: nlink };
}

/** True when both marks are of one file, however it has changed. */
export function isSameFile(one: FileMark, other: FileMark): boolean {
  return one.device === other.device && one.inode === other.inode;
}

/** True when both marks are of one file that was not written to, renamed or linked, and whose owner and rights didn't change. */
export function isUntouched(before: FileMark, after: FileMark): boolean {
  return (
    isSameFile(before, after) &&
    before.sizeBytes === after.sizeBytes &&
    before.mtimeMs === after.mtimeMs &&
    before.ctimeMs === after.ctimeMs
  );
}

/**
 * Opens a plain file for reading, and nothing else: the file stays that one, even if another one gets its name. Close it.
 * In calls that return at once, for a run of many small files.
 * @param entry the entry at the path, where the caller has read it.
 * @returns null where the path is a link, a folder, a pipe, a socket or a device. Errors of the file system are thrown as they
 *   come.
 */
export function openPlain(
  path: string,
  entry: Stats = lstatSync(path),
): { readonly file: number; readonly stat: Stats } | null {
  // First, because opening a device may already have an effect.
  if (!entry.isFile()) return null;
  let file: number;
  try {
    file = openSync(path, PLAIN);
  } catch (error) {
    if (['ELOOP', 'EMLINK', 'ENXIO'].includes(errorCode(error) ?? '')) return null;
    throw error;
  }
  try {
    const stat = fstatSync(file);
    if (stat.isFile()) return { file, stat };
  } catch (error) {
    closeSync(file);
    throw error;
  }
  closeSync(file);
  return null;
}

/** True for a plain file that can be opened. @param entry and errors as for `openPlain`. */
export function isReadable(path: string, entry?: Stats): boolean {
  const opened = openPlain(path, entry);
  if (opened === null) return false;
  closeSync(opened.file);
  return true;
}
