import { randomBytes } from 'node:crypto';
import { rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { OperatorError } from '../domain/operator-error.js';
import type { SetAsideFile } from '../ledger/drops/arrived-files.js';
import { noteChanged } from '../ledger/drops/arrived-files.js';
import { publishedDrops } from '../ledger/drops/published-drops.js';
import type { Ledger } from '../ledger/store/query.js';
import { sha256Of } from '../workspace/files/copy-verified.js';
import { syncFolder } from '../workspace/files/durable.js';
import { fitFileName } from '../workspace/files/file-name.js';
import { beginsWith, copyFirst, type KnownBytes } from '../workspace/files/first-bytes.js';
import { errorCode, ioError } from '../workspace/files/io-error.js';
import { makeFolder, type WorkspacePaths } from '../workspace/folders.js';
import { changedFiles, grownFiles, type TakenFile } from '../workspace/taken/changed-files.js';
import type { ClaimedDrop } from '../workspace/taken/claim-drop.js';
import { archiveDrop } from '../workspace/taken/shelve-drop.js';

/** Claims files of archive/ again that have changed, so that their present content is taken in. @returns what to report. */
export async function takeBackChanged(
  source: string,
  files: ReadonlyMap<number, TakenFile>,
  { ledger, paths, runId }: { ledger: Ledger; paths: WorkspacePaths; runId: number },
): Promise<OperatorError[]> {
  const troubles: OperatorError[] = [];
  const changed = await changedFiles(join(paths.archive, source), files, ledger.clock.nowMs());
  for (const { path, name, drop, grew } of changed) {
    await noteChanged(ledger, drop.dropId, runId);
    const claimed = await claimAgain(path, source, name, paths);
    if (grew) troubles.push(...(await archiveFirst(claimed, drop, drop.dropId, paths)));
    troubles.push(changedText(path, drop.dropId, grew));
  }
  return troubles;
}

/** A file that was set aside and has grown since. */
export interface GrownRefusal {
  readonly dropId: number;
  /** Where it lies now. */
  readonly path: string;
  readonly trouble: OperatorError;
}

/**
 * Claims files of rejected/ again that have grown: a file that was set aside because it was cut or empty may not have been
 * finished by its sender.
 */
export async function takeBackGrown(
  source: string,
  setAside: readonly SetAsideFile[],
  { ledger, paths, runId }: { ledger: Ledger; paths: WorkspacePaths; runId: number },
): Promise<GrownRefusal[]> {
  const found: GrownRefusal[] = [];
  const refused = setAside.filter((file) => file.source === source);
  for (const { path, name, drop } of await grownFiles(join(paths.rejected, source), refused)) {
    await noteChanged(ledger, drop.dropId, runId);
    const claimed = await claimAgain(path, source, name, paths);
    const trouble = new OperatorError({
      operation: 'look at the files that were set aside',
      subject: path,
      message: `${path} went on growing after it had been set aside as drop ${drop.dropId}: what it holds is looked at again`,
      hint: PAUSES,
      exit: 'attention',
    });
    found.push({ dropId: drop.dropId, path: claimed.path, trouble });
  }
  return found;
}

async function claimAgain(
  path: string,
  source: string,
  name: string,
  paths: WorkspacePaths,
): Promise<ClaimedDrop> {
  const claimed = newClaim(source, name, paths);
  try {
    await makeFolder(dirname(claimed.path));
    await rename(path, claimed.path);
    await syncFolder(dirname(claimed.path));
    await syncFolder(dirname(path));
    return claimed;
  } catch (error) {
    throw ioError('take in a file that has changed', path, error);
  }
}

/**
 * Compares a claimed file, whose rows count by now, with what was taken in. A file that has changed stays where it is, and
 * the next run takes in what it holds then. If it still begins with the bytes that were taken in, these are put into
 * archive/.
 */
export async function compareTaken(
  claimed: ClaimedDrop,
  dropId: number,
  { ledger, paths, runId }: { ledger: Ledger; paths: WorkspacePaths; runId: number },
): Promise<'same' | 'gone' | readonly OperatorError[]> {
  const [drop] = await publishedDrops(ledger, dropId);
  if (drop === undefined) throw new Error(`drop ${dropId} doesn't count`);
  const known = drop.identity;
  try {
    if ((await sha256Of(claimed.path)) === known.sha256) return 'same';
    await noteChanged(ledger, dropId, runId);
    const grew = await beginsWith(claimed.path, known);
    const troubles = grew ? await archiveFirst(claimed, known, dropId, paths) : [];
    return [...troubles, changedText(claimed.path, dropId, grew)];
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return 'gone';
    if (errorCode(error) === null) throw error;
    if (['EACCES', 'EPERM'].includes(errorCode(error) ?? '')) return [closed(claimed.path, dropId)];
    throw ioError('compare a drop with what was taken in', claimed.path, error);
  }
}

/**
 * Puts the bytes that were taken in into archive/. If it is killed, a file of known bytes stays among the claimed files,
 * and the next run puts that away.
 * @returns why it could not be done, where somebody was at the file meanwhile.
 */
async function archiveFirst(
  claimed: ClaimedDrop,
  { bytes }: KnownBytes,
  dropId: number,
  paths: WorkspacePaths,
): Promise<readonly OperatorError[]> {
  const first = newClaim(claimed.source, claimed.name, paths);
  try {
    await copyFirst(claimed.path, bytes, first.path);
    await archiveDrop(first, paths, dropId);
    return [];
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    if (error.exit === 'attention') return [error];
    // Somebody has removed the changed file meanwhile, or denied access to it: the rows that came in count all the same.
    if ((error.cause as NodeJS.ErrnoException | undefined)?.path === claimed.path) return [];
    throw error;
  }
}

function newClaim(source: string, name: string, paths: WorkspacePaths): ClaimedDrop {
  const id = randomBytes(4).toString('hex');
  return { source, name, path: join(paths.processing, source, fitFileName(`${id}-`, name)) };
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

function changedText(path: string, dropId: number, grew: boolean): OperatorError {
  return new OperatorError({
    operation: 'look at the files that came in',
    subject: path,
    message: `${path} ${grew ? 'went on growing' : 'was written anew'} after it had been taken in as drop ${dropId}: what it holds comes in as another drop, in which rows that are known are duplicates`,
    hint: `Look at the last row of drop ${dropId}, which may have been cut. ${PAUSES}`,
    exit: 'attention',
  });
}

const PAUSES =
  'Let the sender write under another name and rename, or set stableFor to more than its pauses.';
