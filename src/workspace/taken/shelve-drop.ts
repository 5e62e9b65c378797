import { chmod, link, lstat, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { OperatorError } from '../../domain/operator-error.js';
import { failpoint } from '../../domain/process/failpoint.js';
import { visibleLines } from '../../domain/text/visible-text.js';
import { FILE_MODE, writeFileAtomic } from '../files/atomic-write.js';
import { copyVerified, sha256Of } from '../files/copy-verified.js';
import { syncFolder } from '../files/durable.js';
import { exists } from '../files/entries.js';
import { fitFileName, REASON_SUFFIX } from '../files/file-name.js';
import { errorCode, ioError } from '../files/io-error.js';
import { removeLeftFiles } from '../files/left-files.js';
import { openPlain } from '../files/plain-file.js';
import { makeFolder, type WorkspacePaths } from '../folders.js';
import type { ClaimedDrop } from './claim-drop.js';

/**
 * Moves a drop that was taken in into archive/<source>/ as `<dropId>-<name>`, for its owner alone, and returns the path. Nothing
 * is overwritten. Safe to repeat after a crash at any step.
 */
export async function archiveDrop(
  claimed: ClaimedDrop,
  paths: WorkspacePaths,
  dropId: number | string,
): Promise<string> {
  const folder = join(paths.archive, claimed.source);
  const archived = await shelve(
    claimed,
    folder,
    (attempt) => join(folder, numbered(`${dropId}-`, claimed.name, attempt, 0)),
    null,
  );
  await removeOrphan(join(paths.rejected, claimed.source, fitFileName('', claimed.name)));
  return archived;
}

/** Removes the reason of a file that a person has put back into its inbox, once the file has come in. */
async function removeOrphan(target: string): Promise<void> {
  try {
    if (!(await isOrphan(target)) || (await isDropOfItsOwn(target))) return;
    await rm(target + REASON_SUFFIX, { force: true });
    await syncFolder(dirname(target));
  } catch (error) {
    // The file has come in: a leftover reason is no cause to stop.
    if (errorCode(error) === null) throw error;
  }
}

/**
 * Moves a drop that could not be taken in into rejected/<source>/ under its name (numbered when that is taken), writes the
 * sentence that says why beside it in `<name>.reason.txt`, and returns the path. Nothing is overwritten except the reason of the
 * very same bytes, or of a file that no longer exists. Safe to repeat after a crash at any step.
 */
export async function rejectDrop(
  claimed: ClaimedDrop,
  paths: WorkspacePaths,
  sentence: string,
): Promise<string> {
  const folder = join(paths.rejected, claimed.source);
  return shelve(
    claimed,
    folder,
    (attempt) => join(folder, numbered('', claimed.name, attempt, REASON_SUFFIX.length)),
    sentence,
  );
}

/**
 * The claimed file is removed last, after everything else is on the disk: until then all steps can be repeated, and recognise
 * earlier results by their bytes.
 */
async function shelve(
  claimed: ClaimedDrop,
  folder: string,
  candidate: (attempt: number) => string,
  sentence: string | null,
): Promise<string> {
  try {
    await makeFolder(folder);
    for (let attempt = 1; ; attempt += 1) {
      const target = candidate(attempt);
      const placed =
        sentence !== null && (await isDropOfItsOwn(target)) ? 'taken' : await place(claimed.path, target);
      if (placed === 'taken') continue;
      if (placed === 'gone') return (await exists(target)) ? target : missing(claimed);
      failpoint('drop-placed');
      if (sentence !== null) await writeFileAtomic(target + REASON_SUFFIX, `${visibleLines(sentence)}\n`);
      await syncFolder(folder);
      await rm(claimed.path, { force: true });
      failpoint('claimed-removed');
      await syncFolder(dirname(claimed.path));
      return target;
    }
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    throw ioError('put a drop away', claimed.path, error);
  }
}

/** `placed` also when the very same bytes are there already; `taken`: another file is; `gone`: there is no file to place. */
async function place(from: string, target: string): Promise<'placed' | 'taken' | 'gone'> {
  try {
    // First, because it fails for a file of another user: such a file can't be closed to others, but a copy can.
    if (!(await closeToOthers(from))) return await placeCopy(from, target);
    // A link, unlike a rename, never replaces an existing file.
    await link(from, target);
    return 'placed';
  } catch (error) {
    switch (errorCode(error)) {
      case 'ENOENT':
        return 'gone';
      case 'EEXIST':
        if (!(await isSame(from, target))) return 'taken';
        // The sender may still write into the new file: that is noticed only where this very file is kept.
        await rename(from, target);
        return 'placed';
      case 'EXDEV':
      case 'EPERM':
      case 'ENOTSUP':
      case 'ENOSYS':
      case 'EMLINK':
        return placeCopy(from, target);
      default:
        throw error;
    }
  }
}

/** @returns false where the file has another name elsewhere: the users of that name keep their rights. */
async function closeToOthers(path: string): Promise<boolean> {
  const { nlink, uid, mode } = await lstat(path);
  if (nlink > 1) return false;
  // The user who still has it open may have closed it even to us; in a folder of our own it is still the file that was claimed.
  if (uid === process.geteuid?.() && (mode & OWN_READ) === 0) await chmod(path, FILE_MODE);
  const handle = await openPlain(path);
  if (handle === null) throw notPlain(path);
  try {
    await handle.chmod(FILE_MODE);
    return true;
  } finally {
    await handle.close();
  }
}

const OWN_READ = 0o400;

async function placeCopy(from: string, target: string): Promise<'placed' | 'taken'> {
  if (await exists(target)) return (await isSame(from, target)) ? 'placed' : 'taken';
  await removeLeftFiles(dirname(target));
  const copy = await copyVerified(from, dirname(target));
  if (copy === null) throw notPlain(from);
  const { path } = copy;
  try {
    await link(path, target);
    return 'placed';
  } catch (error) {
    if (errorCode(error) === 'EEXIST' || (await exists(target))) return 'taken';
    // A file system without links: a rename right after the check is the best available.
    await rename(path, target);
    return 'placed';
  } finally {
    await rm(path, { force: true });
  }
}

/** True when a file's reason exists without the file: a person has moved the file, most likely back into its inbox. */
async function isOrphan(target: string): Promise<boolean> {
  return (await exists(target + REASON_SUFFIX)) && !(await exists(target));
}

/** True when the entry with the name of a file's reason is itself a set-aside file: then it has a reason of its own. */
async function isDropOfItsOwn(target: string): Promise<boolean> {
  return (await isOrphan(target)) && (await exists(target + REASON_SUFFIX + REASON_SUFFIX));
}

async function isSame(one: string, other: string): Promise<boolean> {
  const [a, b] = [await lstat(one), await lstat(other)];
  if (!b.isFile() || a.size !== b.size) return false;
  return (await sha256Of(one)) === (await sha256Of(other));
}

/** `a.csv`, then `a (2).csv`, … */
function numbered(prefix: string, name: string, attempt: number, reserveBytes: number): string {
  if (attempt === 1) return fitFileName(prefix, name, '', reserveBytes);
  const extension = /\.[^.]{1,8}$/.exec(name)?.[0] ?? '';
  const stem = name.slice(0, name.length - extension.length);
  return fitFileName(prefix, stem, ` (${attempt})${extension}`, reserveBytes);
}

function notPlain(path: string): OperatorError {
  return new OperatorError({
    operation: 'put a drop away',
    subject: path,
    message: `${path} changed while it was put away`,
    hint: 'The next run puts it away.',
    exit: 'attention',
  });
}

function missing(claimed: ClaimedDrop): never {
  throw new OperatorError({
    operation: 'put a drop away',
    subject: claimed.path,
    message: `${claimed.path} is gone, and nothing of that name was put away: somebody removed it`,
    hint: 'Drop the file again if it is still needed; its rows count only if the ledger has published them.',
    exit: 'attention',
  });
}
