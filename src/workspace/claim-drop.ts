import { randomBytes } from 'node:crypto';
import { lstat, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { failpoint } from '../domain/failpoint.js';
import { OperatorError } from '../domain/operator-error.js';
import { syncFolder } from './durable.js';
import { fitFileName } from './file-name.js';
import { makeFolder, type WorkspacePaths } from './folders.js';
import { errorCode, ioError } from './io-error.js';
import { removeLeftFiles } from './left-files.js';
import type { InboxFile } from './list-inbox.js';
import { moveOrCopy } from './move-file.js';

/** A drop that no other process takes: it lies in processing/. */
export interface ClaimedDrop {
  readonly source: string;
  /** The name it arrived under; shortened in the middle when it was found again after a crash and too long. */
  readonly name: string;
  readonly path: string;
  /** Where its control file lies; null when it has none. */
  readonly control: string | null;
}

/**
 * Takes a file out of its inbox, with its control file, so that exactly one process has it. A file of another file system is copied,
 * compared and then removed; a crash in between leaves the original, whose bytes the ledger then knows.
 * @returns null when the file or its control file is no longer there: another process, or another drop, took it.
 */
export async function claimDrop(
  file: InboxFile,
  paths: WorkspacePaths,
  controlFile: InboxFile | null = null,
): Promise<ClaimedDrop | null> {
  const folder = join(paths.processing, file.source);
  const id = randomBytes(4).toString('hex');
  const path = join(folder, fitFileName(`${id}-`, file.name));
  await makeFolder(folder);
  try {
    // First: after a crash between the two a control file without its drop goes back (see `returnControls`), and a drop
    // without its control file would look as if none had come.
    const control = controlFile === null ? null : await claimControl(controlFile, folder, id);
    // Two drops may share a control file's name; the other one has it.
    if (controlFile !== null && control === null) return null;
    if (!(await moveOrCopy(file.path, path))) return null;
    await syncFolder(dirname(file.path));
    failpoint('drop-claimed');
    return { source: file.source, name: file.name, path, control };
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
    const entries = await readdir(folder);
    for (const entry of entries) {
      const [, id, name] = /^([0-9a-f]{8})-(.+)$/s.exec(entry) ?? [];
      const path = join(folder, entry);
      const stat = name === undefined ? null : await statOf(path);
      if (name !== undefined && stat?.isFile()) {
        const control = entries.find((other) => new RegExp(`^(control|refused)-${id}-`).test(other));
        const drop = {
          source: source.name,
          name,
          path,
          control: control === undefined ? null : join(folder, control),
        };
        found.push({ drop, mtimeMs: stat.mtimeMs });
      }
    }
    found.sort((a, b) => a.mtimeMs - b.mtimeMs || (a.drop.name < b.drop.name ? -1 : 1));
    return found.map(({ drop }) => drop);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw ioError('look for drops claimed earlier', folder, error);
  }
}

/** null when another process took it. */
async function claimControl(control: InboxFile, folder: string, id: string): Promise<string | null> {
  const path = join(folder, fitFileName(`control-${id}-`, control.name));
  if (!(await moveOrCopy(control.path, path))) return null;
  failpoint('control-claimed');
  return path;
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

/** null when there is nothing at the path. */
async function statOf(path: string) {
  try {
    return await lstat(path);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}
