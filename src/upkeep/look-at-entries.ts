import type { Dirent } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import type { UnmatchedFile } from '../documents/common.js';
import { type FileKind, KIND_BYTES, kindOfFile } from '../intake/kind-of-file.js';
import { openPlain } from '../workspace/files/entries.js';
import { errorCode } from '../workspace/files/io-error.js';

/** What a file is by its first bytes; null where they say nothing, or can't be read. */
export async function kindAt(path: string): Promise<FileKind | null> {
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
    if (errorCode(error) === null) throw error;
    return null;
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

export function shown({ source, path }: Place): Pick<UnmatchedFile, 'source' | 'path'> {
  return { source, path };
}
