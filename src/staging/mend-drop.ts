import { stat } from 'node:fs/promises';
import type { SourceConfig } from '../config/schema.js';
import type { Row } from '../domain/row.js';
import {
  type DamagedSubmission,
  damagedBlocks,
  damagedSubmissions,
  dropFile,
  putBackCells,
  putBackRecord,
} from '../ledger/mending.js';
import type { Ledger } from '../ledger/query.js';
import type { StoredBlock } from '../ledger/row-blocks.js';
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
 * Puts back the kept cells of a drop that a disk has changed, from its file in archive/, where that still has the drop's
 * bytes. What is put back has the checksum of what was written: nobody who was forgotten since comes back.
 * @returns how many blocks are still damaged.
 */
export async function mendCells(
  ledger: Ledger,
  paths: Pick<WorkspacePaths, 'archive'>,
  dropId: number,
  source: SourceConfig,
): Promise<number> {
  const damaged = damagedBlocks(ledger, dropId);
  if (damaged.length === 0) return 0;
  const { sha256, bytes, sheet } = dropFile(ledger, dropId);
  const path = await archivedFile(paths, sha256, bytes);
  if (path === null) return damaged.length;
  const rowsOf = new Map<StoredBlock, Row[]>(damaged.map((block) => [block, []]));
  const opened = await openDelivered(path, source);
  for await (const rows of opened.rows(sheet ?? undefined)) {
    for (const [block, found] of rowsOf) {
      found.push(...rows.filter(({ line }) => line >= block.firstLine && line <= block.lastLine));
    }
  }
  return damaged.filter((block) => !putBackCells(ledger, block, rowsOf.get(block) ?? [])).length;
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
 * Puts the records of a drop's damaged submissions back, as its rows are read again; those that are held for it wait then.
 * @param rows the rows of these lines, as they are read by now.
 */
export function mendRecords(
  ledger: Ledger,
  dropId: number,
  rows: readonly PreparedRow[],
  decisionId: number,
): Mended {
  const counts = { mended: 0, beyond: 0 };
  for (const submission of damagedSubmissions(ledger, dropId)) {
    const record = recordOf(submission, rows);
    const isBack = record !== null && putBackRecord(ledger, submission, record, decisionId);
    counts[isBack ? 'mended' : 'beyond'] += 1;
  }
  return counts;
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
