import { chmodSync, existsSync, linkSync, lstatSync, rmSync } from 'node:fs';
import { link, lstat, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { failpoint } from '../../domain/process/failpoint.js';
import { visibleLines } from '../../domain/text/visible-text.js';
import { copyVerified, sha256Of } from '../files/copy-verified.js';
import { FILE_MODE, syncFolder, writeFileAtomic } from '../files/durable.js';
import { exists, makeFolder } from '../files/entries.js';
import { fitFileName, numberedName, REASON_SUFFIX } from '../files/file-name.js';
import { errorCode, ioError } from '../files/io-error.js';
import { removeLeftovers } from '../files/leftover-files.js';
import type { WorkspacePaths } from '../folders.js';
import type { ClaimedDrop } from './claim-drop.js';

/** What the name of a file of corrections begins with in archive/: the number of its decision, which is no drop's. */
export function correctionNumber(decisionId: number): string {
  return `correction-${decisionId}`;
}

/**
 * Moves an imported drop into archive/<source>/ as `<dropId>-<name>`, for its owner alone, and returns the path; null where there
 * is no such file. Nothing is overwritten. Safe to repeat after a crash at any step.
 */
export async function archiveDrop(
  claimed: ClaimedDrop,
  paths: WorkspacePaths,
  dropId: number | string,
): Promise<string | null> {
  const archived = await moveClaimed(claimed, join(paths.archive, claimed.source), `${dropId}-`, null);
  await removeOrphan(join(paths.rejected, claimed.source, fitFileName('', claimed.name)));
  return archived;
}

/** Removes the reason of a file that a person has moved back into its inbox, once the file is imported. */
async function removeOrphan(target: string): Promise<void> {
  try {
    // Nearly always there is none, which costs least to find out at once.
    if (!existsSync(target + REASON_SUFFIX) || (await exists(target))) return;
    await rm(target + REASON_SUFFIX, { force: true });
  } catch (error) {
    // The file is imported: a leftover reason is no cause to stop.
    if (errorCode(error) === null) throw error;
  }
}

/**
 * Moves a refused drop into rejected/<source>/ under its name (numbered when that is taken), writes the
 * sentence that says why beside it in `<name>.reason.txt`, and returns the path; null where there is no such file. Nothing is overwritten
 * except the reason of the very same bytes, or of a file that no longer exists. Safe to repeat after a crash at any step.
 */
export async function rejectDrop(
  claimed: ClaimedDrop,
  paths: WorkspacePaths,
  sentence: string,
): Promise<string | null> {
  return moveClaimed(claimed, join(paths.rejected, claimed.source), '', sentence);
}

/**
 * The claimed file is removed last, after everything else is on the disk: until then all steps can be repeated, and recognise
 * earlier results by their bytes. The caller syncs the folder that it was in, once for all files.
 */
async function moveClaimed(
  { path, name }: ClaimedDrop,
  folder: string,
  prefix: string,
  sentence: string | null,
): Promise<string | null> {
  try {
    await makeFolder(folder);
    for (let attempt = 1; ; attempt += 1) {
      const reserveBytes = sentence === null ? 0 : REASON_SUFFIX.length;
      const target = join(folder, fitFileName(prefix, numberedName(name, attempt), '', reserveBytes));
      const placed = await place(path, target);
      if (placed === 'taken') continue;
      if (placed === 'gone') return (await exists(target)) ? target : null;
      failpoint('drop-placed');
      if (sentence !== null) await writeFileAtomic(target + REASON_SUFFIX, `${visibleLines(sentence)}\n`);
      await syncFolder(folder);
      rmSync(path, { force: true });
      failpoint('claimed-removed');
      return target;
    }
  } catch (error) {
    throw ioError('move a drop out of processing/', path, error);
  }
}

/**
 * In calls that return at once, for a run of many small files. `placed` also when the very same bytes are there already;
 * `taken`: another file is; `gone`: there is no file to place.
 */
async function place(from: string, target: string): Promise<'placed' | 'taken' | 'gone'> {
  try {
    // A file with another name elsewhere keeps its rights there.
    if (lstatSync(from).nlink > 1) return await placeCopy(from, target);
    // First, because it fails for a file of another user: such a file can't be closed to others, but a copy can.
    chmodSync(from, FILE_MODE);
    // A link, unlike a rename, never replaces an existing file.
    linkSync(from, target);
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
        return placeCopy(from, target);
      default:
        throw error;
    }
  }
}

async function placeCopy(from: string, target: string): Promise<'placed' | 'taken' | 'gone'> {
  if (await exists(target)) return (await isSame(from, target)) ? 'placed' : 'taken';
  await removeLeftovers(dirname(target));
  const copy = await copyVerified(from, dirname(target));
  if (copy === null) return 'gone';
  try {
    await link(copy.path, target);
    return 'placed';
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return 'taken';
    throw error;
  } finally {
    await rm(copy.path, { force: true });
  }
}

async function isSame(one: string, other: string): Promise<boolean> {
  const [a, b] = [await lstat(one), await lstat(other)];
  if (!b.isFile() || a.size !== b.size) return false;
  return (await sha256Of(one)) === (await sha256Of(other));
}
