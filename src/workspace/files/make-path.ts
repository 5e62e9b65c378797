import { mkdir } from 'node:fs/promises';
import { isReadOnlyDisk } from '../../domain/process/who-may.js';

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
