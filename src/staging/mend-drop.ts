import { stat } from 'node:fs/promises';
import type { SourceConfig } from '../config/schema.js';
import type { Row } from '../domain/row.js';
import {
  canPutBack,
  type DamagedSubmission,
  damagedBlocks,
  damagedSubmissions,
  dropFile,
  type MendedBlock,
  mendedBlock,
} from '../ledger/mending.js';
import type { Ledger } from '../ledger/query.js';
import { damagedCells, type StoredBlock } from '../ledger/row-blocks.js';
import type { PreparedRow } from '../ledger/staging.js';
import { listArchived } from '../workspace/archived.js';
import { sha256Of } from '../workspace/copy-verified.js';
import type { WorkspacePaths } from '../workspace/folders.js';
import { openDelivered } from './open-delivered.js';

/** What putting a drop's damaged rows back came to. */
export interface Mended {
  /** Submissions whose record is again what was staged. */
  readonly mended: number;
  /** Those of which it can't be worked out any more. */
  readonly beyond: number;
}

/**
 * What puts back the kept cells of a drop that a disk has changed, from its file in archive/. What is put back has the
 * checksum of what was written: nobody who was forgotten since comes back. Throws OperatorError where a block can't be put
 * back: the file is gone, or has not the drop's bytes, or its rows are not what was kept. Writes nothing.
 */
export async function mendedBlocks(
  ledger: Ledger,
  paths: Pick<WorkspacePaths, 'archive'>,
  dropId: number,
  source: SourceConfig,
): Promise<readonly MendedBlock[]> {
  const damaged = damagedBlocks(ledger, dropId);
  if (damaged.length === 0) return [];
  const { sha256, bytes, sheet } = dropFile(ledger, dropId);
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

/** The file of archive/ with these bytes; null: it is gone, or is not what it was. */
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

/** Lines of the submissions of a drop that a disk has changed. */
export function damagedLines(ledger: Ledger, dropId: number): ReadonlySet<number> {
  return new Set(damagedSubmissions(ledger, dropId).map(({ line }) => line));
}

/**
 * Which of a drop's damaged submissions can be put back, with the record, as its rows are read again. Writes nothing.
 * @param rows the rows of these lines, as they are read by now.
 */
export function mendableRecords(
  ledger: Ledger,
  dropId: number,
  rows: readonly PreparedRow[],
): { readonly mendable: readonly MendableRecord[]; readonly beyond: number } {
  const damaged = damagedSubmissions(ledger, dropId);
  const mendable = damaged.flatMap((submission) => {
    const record = recordOf(submission, rows);
    return record !== null && canPutBack(submission, record) ? [{ submission, record }] : [];
  });
  return { mendable, beyond: damaged.length - mendable.length };
}

interface MendableRecord {
  readonly submission: DamagedSubmission;
  readonly record: string;
}

/** The record with the very hashes that the submission has; null: none of its line has them. */
function recordOf(
  { line, slot, key, content }: DamagedSubmission,
  rows: readonly PreparedRow[],
): string | null {
  const row = rows.find((one) => one.line === line);
  if (row?.kind !== 'record') return null;
  const found = [row, ...(row.further ?? [])].find(
    ({ keys }) => keys.slot === slot && keys.key === key && keys.content === content,
  );
  return found?.record ?? null;
}
