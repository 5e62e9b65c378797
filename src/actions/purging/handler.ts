import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { summed } from '../../domain/grouped.js';
import { readState } from '../../ledger/books/state/read-state.js';
import {
  type ClearedCounts,
  NOTHING_CLEARED,
  type OldContent,
  purgeContent,
} from '../../ledger/erasure/purge-content.js';
import type { Ledger } from '../../ledger/store/query.js';
import { listArchived, listCorrections } from '../../workspace/claimed/archived.js';
import { sha256Of } from '../../workspace/files/copy-verified.js';
import { syncFolder } from '../../workspace/files/durable.js';
import { asIoError } from '../../workspace/files/io-error.js';
import type { WorkspacePaths } from '../../workspace/folders.js';
import { type DecisionHandler, runSteps } from '../decision/handler.js';

export interface PurgedContent {
  readonly cleared: ClearedCounts;
  /** False where a process was delivering: what was cleared is overwritten, but the file keeps its length until the next purge. */
  readonly compacted: boolean;
}

/** How old content is cleared. Rows that are closed meanwhile are left to the next purge. */
export const purgeHandler: DecisionHandler<PurgedContent> = {
  leases: () => ['stage'],
  async carryOut({ ledger, paths }, decision, _runId, { lost }) {
    let cleared: ClearedCounts = NOTHING_CLEARED;
    const steps = purgeContent(ledger, decision, async (old) => {
      if (decision.selection.archive === true) await deleteFiles(await archivedOf(old, { ledger, paths }));
    });
    const compacted = await runSteps(steps, lost, (step) => {
      cleared = summed(cleared, step);
    });
    return { cleared, compacted };
  },
};

/**
 * Files of drops and of corrections without open rows. The sheets of a workbook, and the files of a container, may be a drop
 * each: it is kept until none of them has open rows or is newer.
 */
export async function archivedOf(
  { drops, corrections }: Pick<OldContent, 'drops' | 'corrections'>,
  { ledger, paths }: { readonly ledger: Ledger; readonly paths: WorkspacePaths },
): Promise<string[]> {
  const inUse = new Set(drops.filter(({ open }) => open > 0).map(({ sha256 }) => sha256));
  const ended = drops.filter(({ sha256 }) => !inUse.has(sha256));
  const { containers } = await readState(ledger, ['containers']);
  const endedFiles = corrections.length === 0 ? [] : listCorrections(paths, corrections);
  for (const { path, source, dropId } of ended.length === 0 ? [] : listArchived(paths)) {
    // Before a restore another drop may have had this number.
    const of = ended.filter(({ drop }) => drop === dropId);
    const sha256 = of.length === 0 ? null : await sha256Of(path);
    const held = containers.filter((drop) => drop.source === source && drop.container === sha256);
    const isAllEnded =
      held.length > 0 &&
      held.every((contained) =>
        ended.some((drop) => drop.source === source && drop.sha256 === contained.sha256),
      );
    if (isAllEnded || of.some((drop) => drop.sha256 === sha256)) endedFiles.push(path);
  }
  return endedFiles;
}

export async function deleteFiles(files: readonly string[]): Promise<void> {
  const folders = new Set<string>();
  for (const path of files) {
    await rm(path, { force: true }).catch(asIoError('delete a file', path));
    folders.add(join(path, '..'));
  }
  for (const folder of folders) await syncFolder(folder);
}
