import { randomUUID } from 'node:crypto';
import { closeSync, renameSync } from 'node:fs';
import { lstat, rename, rm, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { UnmatchedCode } from '../../domain/files/unmatched-file.js';
import { failpoint } from '../../domain/process/failpoint.js';
import { mapSeries } from '../../domain/process/series.js';
import { copyVerified } from '../files/copy-verified.js';
import { syncFolder, syncOpen } from '../files/durable.js';
import {
  type FileMark,
  isSameFile,
  isUntouched,
  makeFolder,
  markOf,
  namesIn,
  openPlain,
  statOf,
} from '../files/entries.js';
import { fitFileName } from '../files/file-name.js';
import { errorCode, ioError } from '../files/io-error.js';
import { removeLeftovers } from '../files/leftover-files.js';
import type { WorkspacePaths } from '../folders.js';
import { type InboxFile, inspectEntry } from '../inbox/list-inbox.js';

/** A drop that this process has claimed: it is in processing/. */
export interface ClaimedDrop {
  readonly source: string;
  /** The name it arrived under; shortened in the middle when it was found again after a crash and too long. */
  readonly name: string;
  readonly path: string;
}

/**
 * Moves a file out of the inbox, so that exactly one process has it. It is examined once more right before the move: a file that has
 * changed since is left for the next run. A file on another file system is copied, compared and then removed; a crash in between leaves
 * the original, whose bytes the ledger then knows. The caller syncs the folder that it was in, once for all files. Throws OperatorError
 * for a fault of a whole folder or disk.
 * @returns null when there is no such file any more: another process claimed it, the next run imports another file of its name, or
 *   what is there is reported with the inbox or with processing/.
 */
export async function claimDrop(
  file: InboxFile,
  paths: WorkspacePaths,
): Promise<ClaimedDrop | NotClaimed | null> {
  const { source, name } = file;
  const folder = join(paths.processing, source);
  const path = join(folder, fitFileName(`${randomUUID().slice(0, 8)}-`, name));
  await makeFolder(folder);
  try {
    const now = await inspectEntry(source, name, file.path);
    if (typeof now === 'string') return null;
    // A sender that replaces an older file by a newer one behaves correctly.
    if (!isSameFile(file, now)) return null;
    if (!isUntouched(file, now)) return { path: file.path, ...CHANGED };
    const moved = await moveOrCopy(file.path, path);
    if (moved === 'changed') return { path: file.path, ...CHANGED };
    if (moved !== 'moved') return null;
    failpoint('drop-claimed');
    return { source, name, path };
  } catch (error) {
    if (OF_ONE_FILE.includes(errorCode(error) ?? '')) return { path: file.path, ...NOT_MOVABLE };
    throw ioError('claim a drop from its inbox', file.path, error);
  }
}

/** Faults of a single file, not of its folder or its disk. */
const OF_ONE_FILE = ['EBUSY', 'ETXTBSY', 'EPERM'];

const NOT_MOVABLE: Omit<NotClaimed, 'path'> = {
  code: 'not-movable',
  reason: "can't be moved: another program has it open, or it is protected or another user's",
  remedy:
    'The next run tries again. Close it there, remove its protection (chattr -i, chmod -t on the folder), or give it to the user that runs Registrar.',
};

const CHANGED: Omit<NotClaimed, 'path'> = {
  code: 'changing',
  reason: 'changed after it had been stable, so it may be incomplete',
  remedy:
    'The next run imports it. Have the sender write under another name and rename, or set stableFor to more than its pauses.',
};

/** True for the name of a drop in processing/. */
export function isClaimedName(name: string): boolean {
  return CLAIMED.test(name);
}

const CLAIMED = /^([0-9a-f]{8})-(.+)$/s;

/**
 * The drops of a source in processing/, oldest first: the process that claimed them is at work or has died. Unfinished copies of
 * a dead process are removed; their originals are still in the inbox.
 */
export async function listClaimed(
  source: { readonly name: string },
  paths: WorkspacePaths,
): Promise<ClaimedDrop[]> {
  const folder = join(paths.processing, source.name);
  try {
    const files = await claimedFiles(folder);
    await removeLeftovers(folder);
    const drops = files.map((file) => ({ ...file, own: CLAIMED.exec(file.name)?.[2] ?? '' }));
    drops.sort((a, b) => a.mtimeMs - b.mtimeMs || (a.own < b.own ? -1 : 1));
    return drops.map(({ name, own }) => ({ source: source.name, name: own, path: join(folder, name) }));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw ioError(LIST_CLAIMED, folder, error);
  }
}

const LIST_CLAIMED = 'look for drops claimed earlier';

/** The drops in a folder of processing/ as they are now; [] where there is no such folder. Changes nothing. */
export async function claimedFiles(
  folder: string,
): Promise<readonly (FileMark & { readonly name: string })[]> {
  const names = (await namesIn(folder, LIST_CLAIMED)).filter(isClaimedName);
  const files = await mapSeries(names, async (name) => ({ name, stat: await statOf(join(folder, name)) }));
  return files.flatMap(({ name, stat }) => (stat?.isFile() ? { name, ...markOf(stat) } : []));
}

/** A file that was not claimed, or not archived, and is left to the next run or to a person. */
export interface NotClaimed {
  readonly path: string;
  readonly code: UnmatchedCode;
  /** Follows the path in a sentence, without its full stop. */
  readonly reason: string;
  readonly remedy: string;
}

/**
 * How a move went. `gone`: there is no file to move. `changed`: the file changed while it was copied, or has another name
 * elsewhere, and is where it was. `foreign`: what was moved is no readable plain file with one name; it is in the new place.
 */
type Moved = 'moved' | 'gone' | 'changed' | 'foreign';

/**
 * Moves a file; a file on another file system is copied, compared and then removed. The bytes are on the disk when it returns.
 * Errors of the file system are thrown as they come, and then nothing was moved.
 */
export async function moveOrCopy(from: string, to: string): Promise<Moved> {
  try {
    // A rename, because only one of all processes that try it succeeds.
    renameSync(from, to);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return 'gone';
    if (errorCode(error) !== 'EXDEV') throw error;
    return copyAcross(from, to);
  }
  failpoint('drop-renamed');
  return syncMoved(to);
}

/** Until the moment of the rename another user could have put anything in the place of the file. */
async function syncMoved(path: string): Promise<Moved> {
  try {
    const opened = openPlain(path);
    if (opened === null) return 'foreign';
    const { file, stat } = opened;
    try {
      if (stat.nlink > 1) return 'foreign';
      await syncOpen(file);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (['EACCES', 'EPERM', 'ENOENT'].includes(errorCode(error) ?? '')) return 'foreign';
    throw error;
  }
  await syncFolder(dirname(path));
  return 'moved';
}

async function copyAcross(from: string, to: string): Promise<Moved> {
  const copy = await copyVerified(from, dirname(to)).catch((error) => {
    if (errorCode(error) === 'ENOENT') return 'gone' as const;
    throw error;
  });
  if (copy === 'gone') return 'gone';
  if (copy === null) return 'changed';
  if (copy.original.names > 1) {
    await rm(copy.path, { force: true });
    return 'changed';
  }
  await rename(copy.path, to);
  await syncFolder(dirname(to));
  failpoint('copy-renamed');
  try {
    // A new file of the same name that arrived meanwhile is left to the next run.
    if (isUntouched(copy.original, markOf(await lstat(from)))) await unlink(from);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') {
      // An original that can't be removed would be claimed by every run.
      await rm(to, { force: true });
      throw error;
    }
  }
  failpoint('original-removed');
  return 'moved';
}
