import { stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorCode } from '../files/io-error.js';

/**
 * What file system a folder is on: its type, and whether it is mounted there. It is the same after a restart and a new mount. null
 * where the folder can't be looked at.
 */
export async function fileSystemOf(folder: string): Promise<string | null> {
  try {
    const { type } = await statfs(folder);
    const isMount = (await stat(folder)).dev !== (await stat(dirname(folder))).dev;
    return `${type.toString(16)}${isMount ? ', mounted' : ''}`;
  } catch (error) {
    if (errorCode(error) === null) throw error;
    return null;
  }
}
