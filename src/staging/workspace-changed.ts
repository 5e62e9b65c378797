import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { msFromIso } from '../domain/clock.js';
import { stampIfThere } from '../intake/read-bytes.js';
import { type ArrivedFile, noteChanged } from '../ledger/drops/arrived-files.js';
import { sha256IfReadable } from '../workspace/files/copy-verified.js';
import { namesIn } from '../workspace/files/entries.js';
import { ioError } from '../workspace/files/io-error.js';
import { type InboxFile, lookAt } from '../workspace/inbox/list-inbox.js';
import { claimDrop, isClaimedName, type NotTaken, workspaceChanged } from '../workspace/taken/claim-drop.js';
import { type Intake, leave } from './stage-context.js';

/**
 * Claims files of a source's folder in archive/ again that something has written to since they came in, so that their present content
 * comes in as new files. Compares sizes and times, and reads only the files that these make suspicious.
 * @param taken by the number of their drop, with which their names begin.
 */
export async function claimChanged(
  source: string,
  taken: ReadonlyMap<number, ArrivedFile>,
  intake: Intake,
): Promise<void> {
  const { ledger, paths, runId } = intake;
  const folder = join(paths.archive, source);
  for (const entry of taken.size === 0 ? [] : await namesIn(folder, 'look for files that have changed')) {
    const [, number, name] = /^(\d+)-(.+)$/s.exec(entry) ?? [];
    const arrived = taken.get(Number(number));
    if (arrived === undefined || name === undefined) continue;
    const file = await lookAt(source, name, join(folder, entry));
    if (typeof file === 'string' || !(await hasChanged(file, arrived, ledger.clock.nowMs()))) continue;
    await noteChanged(ledger, arrived.dropId, runId);
    await claimDrop(file, paths);
    leave(changedAfter(file.path, arrived.dropId), source, intake);
  }
}

/** File systems take the time of a write from a clock with ticks of some milliseconds. */
const TICK_MS = 20;

async function hasChanged(file: InboxFile, { identities, arrivedAt }: ArrivedFile, nowMs: number) {
  const sinceMs = msFromIso(arrivedAt) - TICK_MS;
  // Untouched since, it is an older file with the same number, of a drop that a restored ledger doesn't know.
  if (file.ctimeMs < sinceMs) return false;
  const isWritten = file.mtimeMs > sinceMs && file.mtimeMs <= nowMs;
  if (identities.some(({ bytes }) => bytes === file.sizeBytes) && !isWritten) return false;
  const now = await sha256IfReadable(file.path);
  return now !== null && identities.every(({ sha256 }) => sha256 !== now);
}

/**
 * Compares a claimed file, whose rows count by now, with what was read. Where it has changed it stays where it is: the next run imports
 * what it holds then as a new file, in which known rows are duplicates.
 * @param stamp as it was then. @param dropId what it became; null: decisions. @returns null where it is the same.
 */
export async function changeSinceRead(
  path: string,
  stamp: string | null,
  dropId: number | null,
  { ledger, runId }: Pick<Intake, 'ledger' | 'runId'>,
): Promise<NotTaken | null> {
  const now = stampIfThere(path);
  if (now === stamp) return null;
  if (now === null) return lostAfter(path);
  if (dropId !== null) {
    await noteChanged(ledger, dropId, runId);
    return changedAfter(path, dropId);
  }
  return workspaceChanged(
    path,
    'was written to after decisions had been made of it',
    'What it holds now is decided by the next run; what is corrected already stays as it is.',
  );
}

function changedAfter(path: string, dropId: number): NotTaken {
  return workspaceChanged(
    path,
    `was written to after it had come in as drop ${dropId}`,
    `What it holds now comes in as another drop, in which rows that are known are duplicates. Look at the last row of drop ${dropId}, which may have been cut.`,
  );
}

/** A file that can't be archived. */
export function lostAfter(path: string): NotTaken {
  return workspaceChanged(
    path,
    'was removed, or closed to Registrar, after its rows had come in: they count, and archive/ has no copy of it',
    'Registrar went on with the other files.',
  );
}

/** @param counted how many of its rows count; `some`: those of its earlier sheets. */
export function changedWhileRead(path: string, counted: 'some' | 'none'): NotTaken {
  return workspaceChanged(
    path,
    counted === 'some'
      ? 'changed or vanished while Registrar imported it, and only its earlier sheets count so far'
      : 'changed or vanished while Registrar imported it, and none of its rows count yet',
    'The next run imports what lies there then.',
  );
}

/** Reports what lies in processing/ and no run would import: of a source that registrar.yaml doesn't have, or put there by something else. */
export async function reportForeign(intake: Intake): Promise<void> {
  const { paths, allSources } = intake;
  try {
    for (const folder of await readdir(paths.processing, { withFileTypes: true })) {
      const { name: source } = folder;
      const isOfSource = allSources.some(({ name }) => name === source);
      const entries = folder.isDirectory()
        ? await readdir(join(paths.processing, source), { withFileTypes: true })
        : [folder];
      for (const entry of entries) {
        const { name } = entry;
        // Copies that are under way begin with a dot.
        const isOwn = entry.isFile() && (isClaimedName(name) || name.startsWith('.'));
        if (!isOfSource || !isOwn) leave(foreign(join(entry.parentPath, name)), source, intake);
      }
    }
  } catch (error) {
    throw ioError('look for drops claimed earlier', paths.processing, error);
  }
}

function foreign(path: string): NotTaken {
  return workspaceChanged(
    path,
    'is of no source that registrar.yaml has, or was not put there by Registrar',
    'Registrar left it there. Put its source back into registrar.yaml, or move the file into an inbox.',
  );
}
