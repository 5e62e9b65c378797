import { randomBytes } from 'node:crypto';
import { rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { OperatorError } from '../domain/operator-error.js';
import { noteChanged } from '../ledger/drops/arrived-files.js';
import { publishedDrops } from '../ledger/drops/published-drops.js';
import type { Ledger } from '../ledger/store/query.js';
import { sha256Of } from '../workspace/files/copy-verified.js';
import { syncFolder } from '../workspace/files/durable.js';
import { fitFileName } from '../workspace/files/file-name.js';
import { errorCode, ioError } from '../workspace/files/io-error.js';
import { makeFolder, type WorkspacePaths } from '../workspace/folders.js';
import { type ChangedFile, changedFiles, type TakenFile } from '../workspace/taken/changed-files.js';
import type { ClaimedDrop } from '../workspace/taken/claim-drop.js';

interface Changing {
  readonly ledger: Ledger;
  readonly paths: WorkspacePaths;
  readonly runId: number;
}

/** Claims files of archive/ again that have changed, so that their present content comes in as new files. @returns what to report. */
export async function takeBackChanged(
  source: string,
  files: ReadonlyMap<number, TakenFile>,
  { ledger, paths, runId }: Changing,
): Promise<OperatorError[]> {
  const troubles: OperatorError[] = [];
  for (const file of await changedFiles(join(paths.archive, source), files, ledger.clock.nowMs())) {
    await noteChanged(ledger, file.dropId, runId);
    await claimAgain(file, source, paths);
    troubles.push(changedText(file.path, file.dropId));
  }
  return troubles;
}

async function claimAgain({ path, name }: ChangedFile, source: string, paths: WorkspacePaths): Promise<void> {
  const id = randomBytes(4).toString('hex');
  const claimed = join(paths.processing, source, fitFileName(`${id}-`, name));
  try {
    await makeFolder(dirname(claimed));
    await rename(path, claimed);
    await syncFolder(dirname(claimed));
    await syncFolder(dirname(path));
  } catch (error) {
    throw ioError('take in a file that has changed', path, error);
  }
}

/**
 * Compares a claimed file, whose rows count by now, with what was taken in. A file that has changed stays where it is: the next run
 * takes in what it holds then as a new file, in which known rows are duplicates.
 */
export async function compareTaken(
  { path }: ClaimedDrop,
  dropId: number,
  { ledger, runId }: Pick<Changing, 'ledger' | 'runId'>,
): Promise<'same' | 'gone' | OperatorError> {
  const [drop] = await publishedDrops(ledger, dropId);
  if (drop === undefined) throw new Error(`drop ${dropId} doesn't count`);
  try {
    if ((await sha256Of(path)) === drop.identity.sha256) return 'same';
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return 'gone';
    if (['EACCES', 'EPERM'].includes(errorCode(error) ?? '')) return closed(path, dropId);
    throw ioError('compare a drop with what was taken in', path, error);
  }
  await noteChanged(ledger, dropId, runId);
  return changedText(path, dropId);
}

function closed(path: string, dropId: number): OperatorError {
  return new OperatorError({
    operation: 'put a drop away',
    subject: path,
    message: `${path} was closed to Registrar by its sender after it had been taken in as drop ${dropId}`,
    hint: 'Its rows count. Let the user that runs Registrar read it; the next run puts it away.',
    exit: 'attention',
  });
}

function changedText(path: string, dropId: number): OperatorError {
  return new OperatorError({
    operation: 'look at the files that came in',
    subject: path,
    message: `${path} was written to after it had been taken in as drop ${dropId}: what it holds comes in as another drop, in which rows that are known are duplicates`,
    hint: `Look at the last row of drop ${dropId}, which may have been cut. Let the sender write under another name and rename, or set stableFor to more than its pauses.`,
    exit: 'attention',
  });
}
