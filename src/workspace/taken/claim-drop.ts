import { randomBytes } from 'node:crypto';
import { link, lstat, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { SourceConfig } from '../../config/schema.js';
import type { UntakenCode } from '../../domain/files/untaken-file.js';
import { OperatorError } from '../../domain/operator-error.js';
import { failpoint } from '../../domain/process/failpoint.js';
import { inTurn } from '../../domain/process/in-turn.js';
import { syncFolder } from '../files/durable.js';
import { statOf } from '../files/entries.js';
import { fitFileName } from '../files/file-name.js';
import { errorCode, ioError } from '../files/io-error.js';
import { removeLeftFiles } from '../files/left-files.js';
import { moveOrCopy } from '../files/move-file.js';
import { type FileMark, hasRested, isSameFile, isUntouched, markOf } from '../files/plain-file.js';
import { makeFolder, type WorkspacePaths } from '../folders.js';
import { type InboxFile, lookAt } from '../inbox/list-inbox.js';

/** A drop that this process has claimed: it lies in processing/. */
export interface ClaimedDrop {
  readonly source: string;
  /** The name it arrived under; shortened in the middle when it was found again after a crash and too long. */
  readonly name: string;
  readonly path: string;
}

/** A ready file that could not be taken at its turn. */
export interface NotTaken {
  /** Its present path. */
  readonly path: string;
  readonly code: UntakenCode;
  /** Follows the path in a sentence, without its full stop. */
  readonly reason: string;
  /** A plain sentence. */
  readonly remedy: string;
  /** False where the next run takes it and no person has made a mistake. */
  readonly needsAttention: boolean;
}

/**
 * Moves a file out of the inbox, so that exactly one process has it. It is examined once more right before the move and after it:
 * a file that has changed since is left for the next run, and an entry that is no longer a file goes back. A file on another file
 * system is copied, compared and then removed; a crash in between leaves the original, whose bytes the ledger then knows. Throws
 * OperatorError for a fault of a whole folder or disk.
 * @returns null when the file no longer exists: another process took it.
 */
export async function claimDrop(
  file: InboxFile,
  paths: WorkspacePaths,
): Promise<ClaimedDrop | NotTaken | null> {
  const folder = join(paths.processing, file.source);
  const id = randomBytes(4).toString('hex');
  const path = join(folder, fitFileName(`${id}-`, file.name));
  await makeFolder(folder);
  try {
    const taken = await take(file, path);
    if (taken !== 'taken') return taken;
    await syncFolder(dirname(file.path));
    failpoint('drop-claimed');
    return { source: file.source, name: file.name, path };
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    throw ioError('take a drop out of its inbox', file.path, error);
  }
}

/** @returns null when it no longer exists. */
async function take(file: InboxFile, to: string): Promise<'taken' | NotTaken | null> {
  const now = await lookAt(file.source, file.name, file.path);
  if (now === 'gone') return null;
  if ('reason' in now) return swapped(file.path, now.reason);
  if (!isSameFile(file, now)) return replaced(file.path);
  if (!isUntouched(file, now)) return changed(file.path);
  try {
    switch (await moveOrCopy(file.path, to, (mark) => hasRested(file, mark))) {
      case 'moved':
        return 'taken';
      case 'gone':
        return null;
      case 'changed':
        return changed((await statOf(to)) === null ? file.path : to);
      case 'removed':
        return removed(to);
      case 'stranger':
        return swapped(await putBack(to, file.path), 'is no plain file');
    }
  } catch (error) {
    // Another check reports that it is no longer in the inbox.
    if (errorCode(error) === 'ENOENT') return removed(to);
    const notMoved = NOT_MOVED[errorCode(error) ?? ''];
    if (notMoved === undefined) throw error;
    return { path: file.path, ...notMoved, needsAttention: true };
  }
}

const IN_USE = {
  code: 'busy',
  reason: "is in use, and can't be moved now",
  remedy: 'The next run takes it; where this comes again, close it in the program that has it open.',
} as const;

/** Faults of a single file, not of its folder or its disk. */
const NOT_MOVED: Readonly<Record<string, Pick<NotTaken, 'code' | 'reason' | 'remedy'>>> = {
  EBUSY: IN_USE,
  ETXTBSY: IN_USE,
  EPERM: {
    code: 'not-movable',
    reason:
      "may not be moved: it can't be changed, or it is another user's in a folder where each may move only their own",
    remedy:
      'Give it to the user that runs Registrar, or take that protection away (chattr -i, chmod -t on the folder).',
  },
};

function changed(path: string): NotTaken {
  return {
    path,
    code: 'changing',
    reason: 'changed after it had rested, so that it may not be complete',
    remedy:
      'The next run takes it. Let the sender write under another name and rename, or set stableFor to more than its pauses.',
    needsAttention: true,
  };
}

/** A claimed drop that no longer exists. @param counted how many of its rows count; `some`: those of its earlier sheets. */
export function removed(path: string, counted: keyof typeof REMOVED = 'none'): NotTaken {
  return {
    path,
    code: 'removed',
    reason: REMOVED[counted],
    remedy: `${counted === 'all' ? 'Leave' : 'Drop the file again, and leave'} what lies in processing/ to Registrar.`,
    needsAttention: true,
  };
}

const REMOVED = {
  all: 'was removed after its rows had come in: they count, and archive/ has no copy of it',
  some: 'was removed while Registrar imported it, and only its earlier sheets count',
  none: 'was removed while Registrar imported it, and none of its rows count',
};

/** A sender that replaces an older file by a newer one behaves correctly. */
function replaced(path: string): NotTaken {
  const reason = 'was replaced by another file when its turn came';
  return { path, code: 'changing', reason, remedy: 'The next run takes it.', needsAttention: false };
}

function swapped(path: string, reason: string): NotTaken {
  return {
    path,
    code: 'changing',
    reason: `${reason}; when the inbox was listed, it was a file`,
    remedy: 'Find out who put it there, and put a file in its place.',
    needsAttention: true,
  };
}

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
    await removeLeftFiles(folder);
    const found: { drop: ClaimedDrop; mtimeMs: number }[] = [];
    for (const entry of await readdir(folder)) {
      const [, _id, name] = CLAIMED.exec(entry) ?? [];
      const path = join(folder, entry);
      const stat = name === undefined ? null : await statOf(path);
      if (name !== undefined && stat?.isFile()) {
        found.push({ drop: { source: source.name, name, path }, mtimeMs: stat.mtimeMs });
      }
    }
    found.sort((a, b) => a.mtimeMs - b.mtimeMs || (a.drop.name < b.drop.name ? -1 : 1));
    return found.map(({ drop }) => drop);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw ioError('look for drops claimed earlier', folder, error);
  }
}

/**
 * Returns entries that are no files from a source's claimed drops to its inbox, where they are reported: another user had
 * replaced a file by such an entry, and the run that found it had no time to return it.
 */
export async function returnStrangers(
  source: Pick<SourceConfig, 'name' | 'inbox'>,
  paths: WorkspacePaths,
): Promise<void> {
  const folder = join(paths.processing, source.name);
  try {
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      const [, , name] = CLAIMED.exec(entry.name) ?? [];
      if (name === undefined || entry.isFile()) continue;
      await putBack(join(folder, entry.name), join(paths.inbox(source), name));
    }
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return;
    throw ioError('put back what is no file', folder, error);
  }
}

/** Under its name, or under a similar one where that is taken: nothing is overwritten. @returns its new path. */
async function putBack(path: string, target: string): Promise<string> {
  const isFolder = (await lstat(path)).isDirectory();
  const beside = `${target}.${randomBytes(4).toString('hex')}`;
  try {
    // A link never replaces an existing entry, and a folder never a file; a folder can't be linked.
    if (isFolder) await rename(path, target);
    else {
      await link(path, target);
      await rm(path);
    }
    return target;
  } catch (error) {
    if (errorCode(error) === null) throw error;
    await rename(path, beside);
    return beside;
  }
}

/** The drops in a folder of processing/ as they are now; [] where there is no such folder. Changes nothing. */
export async function claimedFiles(
  folder: string,
): Promise<readonly (FileMark & { readonly name: string })[]> {
  try {
    const names = (await readdir(folder)).filter(isClaimedName);
    const files = await inTurn(names, async (name) => ({ name, stat: await statOf(join(folder, name)) }));
    return files.flatMap(({ name, stat }) => (stat === null ? [] : { name, ...markOf(stat) }));
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw ioError('look for drops claimed earlier', folder, error);
  }
}

/** The folders of processing/ that hold files, whether their source still exists or not. */
export async function listProcessing(
  paths: WorkspacePaths,
): Promise<{ source: string; path: string; files: number }[]> {
  try {
    const found: { source: string; path: string; files: number }[] = [];
    for (const entry of await readdir(paths.processing, { withFileTypes: true })) {
      if (!entry.isDirectory()) continue;
      const path = join(paths.processing, entry.name);
      const files = (await readdir(path)).length;
      if (files > 0) found.push({ source: entry.name, path, files });
    }
    return found;
  } catch (error) {
    throw ioError('look for drops claimed earlier', paths.processing, error);
  }
}
