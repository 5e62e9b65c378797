import { randomBytes } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { WorkspacePaths } from '../folders.js';
import { statOf } from './entries.js';
import { asIoError, errorCode } from './io-error.js';

/** A new name in a folder for an unfinished file; it names the process that writes the file. */
export function temporaryPath(folder: string): string {
  return join(folder, `.${process.pid}-${randomBytes(8).toString('hex')}.tmp`);
}

/**
 * Removes the unfinished files that dead processes left in a folder; those of living ones stay.
 * @param beforeMs only those last written before this time: in a folder that several machines share, a process may live on another one.
 */
export async function removeLeftovers(folder: string, beforeMs = Number.POSITIVE_INFINITY): Promise<void> {
  for (const name of await readdir(folder)) {
    const owner = /^\.(\d+)-[0-9a-f]{16}\.tmp$/.exec(name)?.[1];
    if (owner === undefined || isAlive(Number(owner))) continue;
    const path = join(folder, name);
    if (((await statOf(path))?.mtimeMs ?? beforeMs) < beforeMs) await rm(path, { force: true });
  }
}

/** The same beside a file that is to be written. Throws OperatorError. @param operation the purpose of the call. */
export async function removeLeftoversBeside(path: string, operation: string): Promise<void> {
  await removeLeftovers(dirname(path)).catch(asIoError(operation, path));
}

/** The same in all folders of a workspace, after a run has died. */
export async function tidyWorkspace(paths: WorkspacePaths): Promise<void> {
  const operation = 'remove what a run that died left unfinished';
  const folders = [paths.root];
  for (const parent of [paths.processing, paths.archive, paths.rejected, paths.reports]) {
    const entries = await readdir(parent, { withFileTypes: true }).catch(asIoError(operation, parent));
    for (const entry of entries) if (entry.isDirectory()) folders.push(join(parent, entry.name));
  }
  for (const folder of folders) await removeLeftovers(folder).catch(asIoError(operation, folder));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}
