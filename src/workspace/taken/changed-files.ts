import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { msFromIso } from '../../domain/clock.js';
import { sha256Of } from '../files/copy-verified.js';
import { namesIn } from '../files/entries.js';
import { errorCode, ioError } from '../files/io-error.js';

/** A file as it was taken in. */
export interface TakenFile {
  readonly dropId: number;
  readonly sha256: string;
  readonly bytes: number;
  /** When its bytes came in last, ISO time. */
  readonly arrivedAt: string;
}

/** A file in archive/ that has changed since it was taken in. */
export interface ChangedFile {
  readonly dropId: number;
  readonly path: string;
  /** The name it came in under. */
  readonly name: string;
}

const LOOKING = 'look for files that have changed';

/**
 * Files of a folder of archive/ that were written to after they had been taken in: a moved file goes on growing while its sender
 * has it open. Compares sizes and times, and reads only the files that these make suspicious.
 * @param files by the number of their drop, with which their names begin.
 */
export async function changedFiles(
  folder: string,
  files: ReadonlyMap<number, TakenFile>,
  nowMs: number,
): Promise<ChangedFile[]> {
  const found: ChangedFile[] = [];
  for (const entry of files.size === 0 ? [] : await namesIn(folder, LOOKING)) {
    const [, number, name] = /^(\d+)-(.+)$/s.exec(entry) ?? [];
    const taken = files.get(Number(number));
    if (taken === undefined || name === undefined) continue;
    const path = join(folder, entry);
    try {
      if (await hasChanged(path, taken, nowMs)) found.push({ dropId: taken.dropId, path, name });
    } catch (error) {
      // Removed, or made unreadable by the process that still has it open: an unreadable file can't be compared.
      if (['ENOENT', 'EACCES', 'EPERM'].includes(errorCode(error) ?? '')) continue;
      throw ioError(LOOKING, path, error);
    }
  }
  return found;
}

/** File systems take the time of a write from a clock with ticks of some milliseconds. */
const TICK_MS = 20;

async function hasChanged(path: string, taken: TakenFile, nowMs: number): Promise<boolean> {
  const { size, mtimeMs, ctimeMs } = await lstat(path);
  const sinceMs = msFromIso(taken.arrivedAt) - TICK_MS;
  // Untouched since, it is an older file with the same number, of a drop that a restored ledger doesn't know.
  if (ctimeMs < sinceMs) return false;
  const isWritten = mtimeMs > sinceMs && mtimeMs <= nowMs;
  return (size !== taken.bytes || isWritten) && (await sha256Of(path)) !== taken.sha256;
}
