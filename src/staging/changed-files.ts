import { randomBytes } from 'node:crypto';
import { rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { OperatorError } from '../domain/operator-error.js';
import { bytesOfDrop, noteChangedFile } from '../ledger/changed-files.js';
import type { Ledger } from '../ledger/query.js';
import { changedFiles, type TakenFile } from '../workspace/changed-files.js';
import type { ClaimedDrop } from '../workspace/claim-drop.js';
import { sha256Of } from '../workspace/copy-verified.js';
import { syncFolder } from '../workspace/durable.js';
import { fitFileName } from '../workspace/file-name.js';
import { beginsWith, copyFirst, type KnownBytes } from '../workspace/first-bytes.js';
import { makeFolder, type WorkspacePaths } from '../workspace/folders.js';
import { errorCode, ioError } from '../workspace/io-error.js';
import { archiveDrop } from '../workspace/shelve-drop.js';

/** What has changed in archive/ is claimed again, for what it holds now to be taken in. @returns what to tell. */
export async function takeBackChanged(
  source: string,
  files: ReadonlyMap<number, TakenFile>,
  { ledger, paths, runId }: { ledger: Ledger; paths: WorkspacePaths; runId: number },
): Promise<OperatorError[]> {
  const told: OperatorError[] = [];
  const changed = await changedFiles(join(paths.archive, source), files, ledger.clock.nowMs());
  for (const { path, name, drop, grew } of changed) {
    noteChangedFile(ledger, drop.dropId, runId);
    const claimed = newClaim(source, name, paths);
    try {
      await makeFolder(dirname(claimed.path));
      await rename(path, claimed.path);
      await syncFolder(dirname(claimed.path));
      await syncFolder(dirname(path));
    } catch (error) {
      throw ioError('take a changed file out of archive/', path, error);
    }
    if (grew) await archiveFirst(claimed, drop, drop.dropId, paths);
    told.push(changedText(path, drop.dropId, grew));
  }
  return told;
}

/**
 * What has become of a claimed file whose rows count by now. Where it has changed, what was taken in is put into archive/,
 * if the file still begins with it, and the file stays where it is: the next run takes in what it holds then.
 */
export async function compareTaken(
  claimed: ClaimedDrop,
  dropId: number,
  { ledger, paths, runId }: { ledger: Ledger; paths: WorkspacePaths; runId: number },
): Promise<'same' | 'gone' | OperatorError> {
  const known = bytesOfDrop(ledger, dropId);
  try {
    if ((await sha256Of(claimed.path)) === known.sha256) return 'same';
    noteChangedFile(ledger, dropId, runId);
    const grew = await beginsWith(claimed.path, known);
    if (grew) await archiveFirst(claimed, known, dropId, paths);
    return changedText(claimed.path, dropId, grew);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return 'gone';
    if (errorCode(error) === null) throw error;
    throw ioError('compare a drop with what was taken in', claimed.path, error);
  }
}

/** Killed before its end, it leaves a file of known bytes among the claimed ones: the next run puts that away. */
async function archiveFirst(
  claimed: ClaimedDrop,
  { bytes }: KnownBytes,
  dropId: number,
  paths: WorkspacePaths,
): Promise<void> {
  const first = newClaim(claimed.source, claimed.name, paths);
  await copyFirst(claimed.path, bytes, first.path);
  await archiveDrop(first, paths, dropId);
}

function newClaim(source: string, name: string, paths: WorkspacePaths): ClaimedDrop {
  const id = randomBytes(4).toString('hex');
  return { source, name, path: join(paths.processing, source, fitFileName(`${id}-`, name)), control: null };
}

function changedText(path: string, dropId: number, grew: boolean): OperatorError {
  return new OperatorError({
    operation: 'look at the files that came in',
    subject: path,
    message: `${path} ${grew ? 'went on growing' : 'was written anew'} after it had been taken in as drop ${dropId}: what it holds comes in as another drop, in which rows that are known are duplicates`,
    hint: `Look at the last row of drop ${dropId}, which may have been cut. Let the sender write under another name and rename, or set stableFor to more than its pauses.`,
    exit: 'attention',
  });
}
