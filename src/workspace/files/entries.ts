import { lstat, readdir } from 'node:fs/promises';
import { errorCode, ioError } from './io-error.js';

/** The entry at a path, without following a link; null: there is none, be it because a file stands in the place of a folder. */
export async function statOf(path: string) {
  try {
    return await lstat(path);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')) return null;
    throw error;
  }
}

/** Whether anything lies at a path, a link that leads nowhere included. */
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
