import { stat } from 'node:fs/promises';
import type { SourceConfig } from '../../config/schema.js';
import type { Row } from '../../domain/row.js';
import {
  canPutBack,
  type DamagedSubmission,
  type MendedBlock,
  type MendedRecord,
  mendedBlock,
} from '../../ledger/drops/again/mending.js';
import type { PublishedDrop } from '../../ledger/drops/published-drops.js';
import { damagedCells, type StoredBlock } from '../../ledger/drops/rows/row-blocks.js';
import type { PreparedRecord } from '../../ledger/submissions/record/prepared-record.js';
import type { PreparedRow } from '../../ledger/submissions/staged-rows.js';
import { sha256Of } from '../../workspace/files/copy-verified.js';
import type { WorkspacePaths } from '../../workspace/folders.js';
import { listArchived } from '../../workspace/taken/archived.js';
import { openDelivered } from '../open-delivered.js';

/** The result of putting back a drop's damaged rows. */
export interface Mended {
  /** Submissions whose record is again what was staged. */
  readonly mended: number;
  /** Submissions whose record can no longer be worked out. */
  readonly beyond: number;
}

/**
 * Rebuilds blocks of kept cells that a disk has changed, from the drop's file in archive/. A rebuilt block has the checksum
 * of the block that was written, so a person forgotten since doesn't come back. Throws OperatorError where a block can't be
 * rebuilt: the file is gone, doesn't have the drop's bytes, or its rows are not the kept ones. Writes nothing.
 */
export async function mendedBlocks(
  damaged: readonly StoredBlock[],
  paths: Pick<WorkspacePaths, 'archive'>,
  { identity: { sha256, bytes }, sheet }: Pick<PublishedDrop, 'identity' | 'sheet'>,
  source: SourceConfig,
): Promise<readonly MendedBlock[]> {
  if (damaged.length === 0) return [];
  const path = await archivedFile(paths, sha256, bytes);
  const rowsOf = new Map<StoredBlock, Row[]>(damaged.map((block) => [block, []]));
  const opened = path === null ? null : await openDelivered(path, source);
  for await (const rows of opened?.rows(sheet ?? undefined) ?? []) {
    for (const [block, found] of rowsOf) {
      found.push(...rows.filter(({ line }) => line >= block.firstLine && line <= block.lastLine));
    }
  }
  return damaged.map((block) => {
    const mended = mendedBlock(block, rowsOf.get(block) ?? []);
    if (mended === null) throw damagedCells(block);
    return mended;
  });
}

/** The file of archive/ with these bytes; null where it is gone or has changed. */
async function archivedFile(
  paths: Pick<WorkspacePaths, 'archive'>,
  sha256: string,
  bytes: number,
): Promise<string | null> {
  for (const { path } of listArchived(paths)) {
    if ((await stat(path)).size === bytes && (await sha256Of(path)) === sha256) return path;
  }
  return null;
}

/**
 * Finds which of a drop's damaged submissions can be put back, each with the record that its row gives when read again.
 * Writes nothing.
 * @param rows the rows of these lines as they are read under today's settings.
 */
export function mendableRecords(
  damaged: readonly DamagedSubmission[],
  rows: readonly PreparedRow[],
): { readonly mendable: readonly MendedRecord[]; readonly beyond: number } {
  const mendable = damaged.flatMap((submission) => {
    const record = recordOf(submission, rows);
    return record !== null && canPutBack(submission, record) ? [{ submission, record }] : [];
  });
  return { mendable, beyond: damaged.length - mendable.length };
}

/** The record that has exactly the submission's hashes; null where no record of its line has them. */
function recordOf(
  { line, key, content }: DamagedSubmission,
  rows: readonly PreparedRow[],
): PreparedRecord | null {
  const row = rows.find((one) => one.line === line);
  if (row?.kind !== 'record') return null;
  const found = [row, ...(row.further ?? [])].find(
    ({ keys }) => keys.key === key && keys.content === content,
  );
  return found ?? null;
}
