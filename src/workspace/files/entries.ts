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

/**
 * Creates a folder and those above it. Where the file system is mounted read-only, Node's own error says ENOENT.
 * @returns whether it is new.
 */
export async function makePath(path: string, mode: number): Promise<boolean> {
  try {
    return (await mkdir(path, { recursive: true, mode })) !== undefined;
  } catch (error) {
    throw isReadOnlyDisk(path) ? Object.assign(error as Error, { code: 'EROFS' }) : error;
  }
}
