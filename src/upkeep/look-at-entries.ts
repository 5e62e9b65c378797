import type { Dirent } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import type { UntakenFile } from '../domain/files/untaken-file.js';
import { type FileKind, KIND_BYTES, kindOfFile } from '../intake/kind-of-file.js';
import { errorCode } from '../workspace/files/io-error.js';
import { openPlain } from '../workspace/files/plain-file.js';

export async function kindAt(path: string): Promise<FileKind | 'unreadable' | null> {
  try {
    const file = await openPlain(path);
    if (file === null) return null;
    try {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(KIND_BYTES), 0, KIND_BYTES, 0);
      return kindOfFile(buffer.subarray(0, bytesRead));
    } finally {
      await file.close();
    }
  } catch (error) {
    const code = errorCode(error);
    if (code === 'EACCES' || code === 'EPERM') return 'unreadable';
    if (code === null) throw error;
    return null;
  }
}

export async function tryToOpen(path: string): Promise<'opened' | 'denied' | 'linked'> {
  try {
    // Not `access`, which checks the rights of the user who started the process, not the process's present rights.
    const file = await openPlain(path);
    const names = (await file?.stat())?.nlink ?? 1;
    await file?.close();
    return names > 1 ? 'linked' : 'opened';
  } catch (error) {
    // A file that is gone was taken by another process.
    return errorCode(error) === 'ENOENT' ? 'opened' : 'denied';
  }
}

/** When a file was last changed in any way, in milliseconds since 1970; null where it is gone. */
export async function changedAt(path: string): Promise<number | null> {
  try {
    const { mtimeMs, ctimeMs } = await lstat(path);
    return Math.max(mtimeMs, ctimeMs);
  } catch (error) {
    if (errorCode(error) === null) throw error;
    return null;
  }
}

/** A folder's entries in the order of their names; [] where the folder can't be read. */
export async function entriesOf(folder: string): Promise<Dirent<Buffer>[]> {
  try {
    const entries = await readdir(folder, { encoding: 'buffer', withFileTypes: true });
    return entries.sort((a, b) => Buffer.compare(a.name, b.name));
  } catch (error) {
    if (errorCode(error) === null) throw error;
    return [];
  }
}

export interface Place {
  readonly source: string | null;
  readonly path: string;
  readonly absolute: string;
}

export function shown({ source, path }: Place): Pick<UntakenFile, 'source' | 'path'> {
  return { source, path };
}
