import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { msFromIso } from '../domain/clock.js';
import { fileStamp } from '../intake/read-bytes.js';
import { type ArrivedFile, recordChange } from '../ledger/drops/arrived-files.js';
import { claimDrop, isClaimedName, type NotClaimed } from '../workspace/claimed/claim-drop.js';
import { sha256IfReadable } from '../workspace/files/copy-verified.js';
import { namesIn } from '../workspace/files/entries.js';
import { ioError } from '../workspace/files/io-error.js';
import { fromWorkspace } from '../workspace/folders.js';
import { type InboxFile, inspectEntry } from '../workspace/inbox/list-inbox.js';
import type { Intake } from './stage-context.js';

/**
 * Claims again the files of a source's folder in archive/ that were written to since their import, so that their present content
 * is imported as new files. Compares sizes and times first, and reads only files that differ in these.
 * @param taken by the number of their drop, with which their names begin.
 */
export async function claimChanged(
  source: string,
  arrivedFiles: ReadonlyMap<number, ArrivedFile>,
  intake: Intake,
): Promise<void> {
  const { ledger, paths, runId } = intake;
  const folder = join(paths.archive, source);
  for (const entry of arrivedFiles.size === 0
    ? []
    : await namesIn(folder, 'look for files that have changed')) {
    const [, number, name] = /^(\d+)-(.+)$/s.exec(entry) ?? [];
    const arrived = arrivedFiles.get(Number(number));
    if (arrived === undefined || name === undefined) continue;
    const file = await inspectEntry(source, name, join(folder, entry));
    if (typeof file === 'string' || !(await hasChanged(file, arrived, ledger.clock.nowMs()))) continue;
    await recordChange(ledger, arrived.dropId, runId);
    await claimDrop(file, paths);
    reportLeft(workspaceChanged(file.path, 'changed'), source, intake);
  }
}

/** The resolution of the clock by which file systems record the time of a write. */
const TICK_MS = 20;

async function hasChanged(file: InboxFile, { identities, arrivedAt }: ArrivedFile, nowMs: number) {
  const sinceMs = msFromIso(arrivedAt) - TICK_MS;
  // An older, unchanged file with the same number is of a drop that a restored ledger doesn't know.
  if (file.ctimeMs < sinceMs) return false;
  const isWritten = file.mtimeMs > sinceMs && file.mtimeMs <= nowMs;
  if (identities.some(({ bytes }) => bytes === file.sizeBytes) && !isWritten) return false;
  const now = await sha256IfReadable(file.path);
  return now !== null && identities.every(({ sha256 }) => sha256 !== now);
}

/**
 * Compares a claimed file, whose rows count now, with its state when it was read. A changed file stays in processing/: the next
 * run imports its content as a new file, in which known rows are duplicates.
 * @param stamp of the file before it was read. @param dropId its drop; null: it became decisions. @returns null: unchanged.
 */
export async function changeSinceRead(
  path: string,
  stamp: string | null,
  dropId: number | null,
  { ledger, runId }: Pick<Intake, 'ledger' | 'runId'>,
): Promise<NotClaimed | null> {
  const now = fileStamp(path);
  if (now === stamp) return null;
  if (now === null) return workspaceChanged(path, 'lost');
  if (dropId !== null) await recordChange(ledger, dropId, runId);
  return workspaceChanged(path, 'changed');
}

/** What another program or person has done in processing/ or archive/, and what Registrar did about it. */
const CHANGES = {
  changed: {
    reason: 'was written to after it was imported',
    did: 'Its present content is imported as another file, in which known rows are duplicates. Check the last row of the first import, which may have been cut.',
  },
  lost: {
    reason:
      'was removed, or its permissions were changed, after its rows were imported: they count, but archive/ has no copy of it',
    did: 'Registrar continued with the other files.',
  },
  'changed-while-read': {
    reason: 'changed or vanished while Registrar imported it',
    did: 'The next run imports its present content, in which rows that count already are duplicates.',
  },
  foreign: {
    reason: 'belongs to no source in registrar.yaml, or was not put there by Registrar',
    did: 'Registrar left it there. Restore its source in registrar.yaml, or move the file into an inbox.',
  },
} as const;

/** A file that can't be archived, or isn't Registrar's. */
export function workspaceChanged(path: string, how: keyof typeof CHANGES): NotClaimed {
  const { reason, did } = CHANGES[how];
  return {
    path,
    code: 'workspace-changed',
    reason,
    remedy: `${did} Leave processing/ and archive/ to Registrar: senders write under another name and rename, or set stableFor to more than their pauses.`,
  };
}

/** Reports files in processing/ that no run would import: their source isn't in registrar.yaml, or another program put them there. */
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
        // The names of unfinished copies begin with a dot.
        const isOwn = entry.isFile() && (isClaimedName(name) || name.startsWith('.'));
        if (!isOfSource || !isOwn)
          reportLeft(workspaceChanged(join(entry.parentPath, name), 'foreign'), source, intake);
      }
    }
  } catch (error) {
    throw ioError('look for drops claimed earlier', paths.processing, error);
  }
}

/** Reports a file that is left for the next run to the listener, and adds it to the report. */
export function reportLeft(file: NotClaimed, source: string, { paths, unmatched, listen }: Intake): void {
  const { code, reason, remedy } = file;
  listen({ kind: 'left', source, file: basename(file.path), reason });
  unmatched.push({ source, path: fromWorkspace(file.path, paths), code, reason, remedy });
}
