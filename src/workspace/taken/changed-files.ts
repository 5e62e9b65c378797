import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { msFromIso } from '../../domain/clock.js';
import { sha256Of } from '../files/copy-verified.js';
import { namesIn } from '../files/entries.js';
import { fitFileName, REASON_SUFFIX } from '../files/file-name.js';
import { beginsWith, type KnownBytes } from '../files/first-bytes.js';
import { errorCode, ioError } from '../files/io-error.js';

/** A file as it was taken in. */
export interface TakenFile extends KnownBytes {
  readonly dropId: number;
  /** When its bytes came in last, ISO time. */
  readonly arrivedAt: string;
}

/** A file in archive/ that has changed since it was taken in. */
export interface ChangedFile {
  readonly path: string;
  /** The name it came in under. */
  readonly name: string;
  /** As it was taken in. */
  readonly drop: TakenFile;
  /** True when its former content is unchanged, and more follows it. */
  readonly grew: boolean;
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
    const drop = files.get(Number(number));
    if (drop === undefined || name === undefined) continue;
    const path = join(folder, entry);
    try {
      const change = await changeOf(path, drop, nowMs);
      if (change !== null) found.push({ path, name, drop, grew: change === 'grew' });
    } catch (error) {
      // Removed, or made unreadable by the process that still has it open: an unreadable file can't be compared.
      if (['ENOENT', 'EACCES', 'EPERM'].includes(errorCode(error) ?? '')) continue;
      throw ioError(LOOKING, path, error);
    }
  }
  return found;
}

/**
 * Files of a folder of rejected/ whose content from when they were set aside is unchanged, with more after it. A file that a
 * person has corrected there is left to that person.
 */
export async function grownFiles(
  folder: string,
  refused: readonly (TakenFile & { readonly name: string })[],
): Promise<ChangedFile[]> {
  const found: ChangedFile[] = [];
  for (const entry of refused.length === 0 ? [] : await namesIn(folder, LOOKING)) {
    if (entry.endsWith(REASON_SUFFIX)) continue;
    const path = join(folder, entry);
    const name = entry.replace(/ \(\d+\)(?=(?:\.[^.]{1,8})?$)/, '');
    try {
      const { size } = await lstat(path);
      const alike = refused.filter((drop) => fitsName(drop.name, entry, name));
      if (alike.some(({ bytes }) => bytes === size)) continue;
      for (const drop of alike) {
        if (drop.bytes >= size || !(await beginsWith(path, drop))) continue;
        found.push({ path, name: drop.name, drop, grew: true });
        break;
      }
    } catch (error) {
      if (['ENOENT', 'EACCES', 'EPERM'].includes(errorCode(error) ?? '')) continue;
      throw ioError(LOOKING, path, error);
    }
  }
  return found;
}

/** A file is set aside under its name, which is shortened where it is too long, or numbered where it is taken. */
function fitsName(dropped: string, ...names: readonly string[]): boolean {
  return names.some(
    (name) => name === dropped || name === fitFileName('', dropped, '', REASON_SUFFIX.length),
  );
}

/** File systems take the time of a write from a clock with ticks of some milliseconds. */
const TICK_MS = 20;

async function changeOf(path: string, drop: TakenFile, nowMs: number): Promise<'grew' | 'changed' | null> {
  const { size, mtimeMs } = await lstat(path);
  if (size > drop.bytes && (await beginsWith(path, drop))) return 'grew';
  // An older file may have the same number, of a drop that a restored ledger doesn't know; and a future time proves nothing.
  const isWritten = mtimeMs > msFromIso(drop.arrivedAt) - TICK_MS && mtimeMs <= nowMs;
  return isWritten && (await sha256Of(path)) !== drop.sha256 ? 'changed' : null;
}
