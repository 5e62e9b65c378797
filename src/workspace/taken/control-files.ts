import { rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { SourceConfig } from '../../config/schema.js';
import { failpoint } from '../../domain/process/failpoint.js';
import { syncFolder } from '../files/durable.js';
import { exists, namesIn } from '../files/entries.js';
import { ioError } from '../files/io-error.js';
import { moveOrCopy } from '../files/move-file.js';
import type { WorkspacePaths } from '../folders.js';
import type { ClaimedDrop } from './claim-drop.js';
import { archiveDrop, rejectDrop } from './shelve-drop.js';

/**
 * Moves a drop and its control file into archive/. The control file goes first: a drop that is still in processing/ after a crash
 * is known to the ledger and no longer needs its control file.
 */
export async function archiveWithControl(
  drop: ClaimedDrop,
  paths: WorkspacePaths,
  dropId: number,
): Promise<void> {
  if (drop.control !== null) {
    await archiveDrop(controlOf(drop, drop.control), paths, dropId);
    failpoint('control-put-away');
  }
  await archiveDrop(drop, paths, dropId);
}

/**
 * Moves a drop and its control file into rejected/. The control file goes last, marked as refused: until the drop is in
 * rejected/, the next run reads both again.
 */
export async function rejectWithControl(
  drop: ClaimedDrop,
  paths: WorkspacePaths,
  sentence: string,
): Promise<void> {
  const control = drop.control === null ? null : await markRefused(drop, drop.control);
  await rejectDrop(drop, paths, sentence);
  if (control === null) return;
  failpoint('control-left');
  await rejectDrop(control, paths, OF_A_REFUSED_DROP);
}

const OF_A_REFUSED_DROP = 'It belongs to a file that was set aside.';

/**
 * Puts away the control files that a crash left in processing/ without their drop. A control file whose drop was no longer
 * claimed goes back into the inbox; the others go into rejected/, and so do those that a newer one has replaced in the inbox.
 */
export async function returnControls(
  source: Pick<SourceConfig, 'name' | 'inbox'>,
  paths: WorkspacePaths,
): Promise<void> {
  const folder = join(paths.processing, source.name);
  for (const { path, name, isRefused } of await leftControls(folder)) {
    const target = join(paths.inbox(source), name);
    if (isRefused || (await isTaken(target))) {
      const reason = isRefused
        ? OF_A_REFUSED_DROP
        : 'A newer control file of the same name came before its drop was taken in.';
      await rejectDrop({ source: source.name, name, path, control: null }, paths, reason);
    } else {
      await giveBack(path, target);
    }
  }
}

async function giveBack(path: string, target: string): Promise<void> {
  try {
    await moveOrCopy(path, target);
    await syncFolder(dirname(path));
  } catch (error) {
    throw ioError('put a control file back', target, error);
  }
}

async function leftControls(folder: string) {
  const entries = await namesIn(folder, 'look for control files claimed earlier');
  return entries.flatMap((entry) => {
    const [, kind, id, name] = /^(control|refused)-([0-9a-f]{8})-(.+)$/s.exec(entry) ?? [];
    if (id === undefined || name === undefined) return [];
    if (entries.some((other) => other.startsWith(`${id}-`))) return [];
    return [{ path: join(folder, entry), name, isRefused: kind === 'refused' }];
  });
}

async function markRefused(drop: ClaimedDrop, control: string): Promise<ClaimedDrop> {
  const folder = dirname(control);
  const path = join(folder, control.slice(folder.length + 1).replace(/^control-/, 'refused-'));
  try {
    await rename(control, path);
    await syncFolder(folder);
  } catch (error) {
    throw ioError('put a control file away', control, error);
  }
  return controlOf(drop, path);
}

function controlOf({ source }: ClaimedDrop, path: string): ClaimedDrop {
  const name = path.replace(/^.*\/(?:control|refused)-[0-9a-f]{8}-/s, '');
  return { source, name, path, control: null };
}

async function isTaken(target: string): Promise<boolean> {
  try {
    return await exists(target);
  } catch (error) {
    throw ioError('look for a control file', target, error);
  }
}
