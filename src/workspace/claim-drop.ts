import { randomBytes } from 'node:crypto';
import { lstat, readdir, rename, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { failpoint } from '../domain/failpoint.js';
import { OperatorError } from '../domain/operator-error.js';
import { copyVerified, isUnchanged } from './copy-verified.js';
import { syncFile, syncFolder } from './durable.js';
import { fitFileName } from './file-name.js';
import { makeFolder, type WorkspacePaths } from './folders.js';
import { errorCode, ioError } from './io-error.js';
import { removeLeftFiles } from './left-files.js';
import type { InboxFile } from './list-inbox.js';

/** A drop that no other process takes: it lies in processing/. */
export interface ClaimedDrop {
  readonly source: string;
  /** The name it arrived under; shortened in the middle when it was found again after a crash and too long. */
  readonly name: string;
  readonly path: string;
}

/**
 * Takes a file out of its inbox, so that exactly one process has it. A file of another file system is copied,
 * compared and then removed; a crash in between leaves the original, whose bytes the ledger then knows.
 * @returns null when the file is no longer there: another process took it.
 */
export async function claimDrop(file: InboxFile, paths: WorkspacePaths): Promise<ClaimedDrop | null> {
  const folder = join(paths.processing, file.source);
  const path = join(folder, fitFileName(`${randomBytes(4).toString('hex')}-`, file.name));
  await makeFolder(folder);
  try {
    if (!(await moveOrCopy(file.path, path))) return null;
    await syncFolder(dirname(file.path));
    failpoint('drop-claimed');
    return { source: file.source, name: file.name, path };
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    throw ioError('take a drop out of its inbox', file.path, error);
  }
}

/**
 * The drops of a source that lie in processing/, oldest first: claimed by a process that is at work or has died.
 * Copies that a dead process had not finished are removed; their originals are still in the inbox.
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
      const name = /^[0-9a-f]{8}-(.+)$/s.exec(entry)?.[1];
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

/** False when there is no file to move. Either way the bytes are on the disk when it returns. */
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

async function moveOrCopy(from: string, to: string): Promise<boolean> {
  try {
    // A rename, because of all processes that try it only one succeeds.
    await rename(from, to);
    failpoint('drop-renamed');
    await syncFile(to);
    await syncFolder(dirname(to));
    return true;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    if (errorCode(error) !== 'EXDEV') throw error;
    return copyAcross(from, to);
  }
}

async function copyAcross(from: string, to: string): Promise<boolean> {
  try {
    const copy = await copyVerified(from, dirname(to));
    await rename(copy.path, to);
    await syncFolder(dirname(to));
    failpoint('copy-renamed');
    // A new file of the same name that came meanwhile is the next run's.
    if (await isUnchanged(from, copy.original)) await unlink(from);
    failpoint('original-removed');
    return true;
  } catch (error) {
    // Gone before it was copied: another process has it. Gone after: the copy is ours all the same.
    if (errorCode(error) === 'ENOENT') return (await statOf(to)) !== null;
    throw error;
  }
}

/** null when there is nothing at the path. */
async function statOf(path: string) {
  try {
    return await lstat(path);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}
