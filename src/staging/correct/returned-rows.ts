import type { SourceConfig } from '../../config/schema.js';
import { parseDropMark } from '../../domain/files/attention-columns.js';
import { grouped } from '../../domain/grouped.js';
import { isOfOtherTable, type Refused, refused } from '../../domain/issue.js';
import { type Cell, cellText, isBlankRow, type Row, singleRows } from '../../domain/row.js';
import type { RowRef } from '../../domain/row-ref.js';
import type { ReadableDrop } from '../../intake/opened-drop.js';
import { type PublishedDrop, publishedDrops } from '../../ledger/drops/published-drops.js';
import { issuesOf } from '../../ledger/drops/rows/row-at.js';
import type { Ledger } from '../../ledger/store/query.js';
import { type RowToCorrect, rowsToCorrect } from '../../ledger/submissions/again.js';
import type { PreparedRow } from '../../ledger/submissions/staging/read-rows.js';
import { knownRecords } from '../../ledger/submissions/staging/revisions.js';
import {
  type AttentionLayout,
  attentionLayout,
  type CorrectionSheet,
} from '../../reading/correction-file.js';
import {
  aboveRows,
  closed,
  emptied,
  erased,
  noLine,
  noMark,
  noSuchRow,
  notCorrected,
  otherSheet,
  repeated,
  sourceGone,
  unknownDrop,
  unknownMark,
} from './correction-issues.js';
import { type MergedRow, mergedRow } from './merged-cells.js';
import { type RowReader, rowReader } from './row-reader.js';

/** A row of a returned sheet, read as the row that it corrects. Personal. */
export interface ReturnedRow {
  /** Its line in the returned file. */
  readonly line: number;
  /** The row that it corrects; null where there is none, or it doesn't say which. */
  readonly of: RowRef | null;
  /** What it is with its new cells, in the line of the row that it corrects. */
  readonly row: PreparedRow;
  readonly cells: readonly Cell[];
  /** The row that it corrects, as it stands; null where nothing of it changes. */
  readonly applies: RowToCorrect | null;
  /** False: it is as it was, and asks for nothing. */
  readonly asks: boolean;
}

/** A sheet of corrected rows. Personal. */
export interface ReturnedRows {
  readonly kind: 'rows';
  readonly sheet: string | null;
  /** The source of all drops that the sheet corrects, whichever inbox the file lay in. */
  readonly source: SourceConfig;
  /** Those drops, by their numbers. */
  readonly readers: ReadonlyMap<number, RowReader>;
  readonly rows: readonly ReturnedRow[];
}

/**
 * Reads a sheet of corrected rows: finds the row that each corrects, and merges what was changed into that row's cells. Writes
 * nothing.
 * @param sources all sources: a workbook with corrections for several sources may lie in any inbox.
 * @returns the issue where no row of the sheet can be matched to its original.
 */
export async function readReturnedRows(
  opened: ReadableDrop,
  corrections: CorrectionSheet,
  ledger: Ledger,
  sources: readonly SourceConfig[],
): Promise<ReturnedRows | Refused> {
  const { sheet, headerLine, columns, marks } = corrections;
  const known = [];
  for (const mark of marks) known.push(...(await dropOf(ledger, mark)));
  const [first] = known;
  if (first === undefined) return refused(unknownDrop(corrections));
  const source = sources.find(({ name }) => name === first.source);
  if (!source) return refused(sourceGone(first));
  const layout = attentionLayout(columns, headerLine, first.header, first.file);
  if (layout.kind === 'refused') return layout;
  const readers = new Map<number, RowReader>();
  const read = sheetReader(ledger, { first, source, layout, readers, format: opened.format });
  const rows: ReturnedRow[] = [];
  for await (const batch of opened.rows(sheet ?? undefined)) {
    for (const row of singleRows(batch)) {
      const found = row.line <= headerLine ? aside(row, aboveRows(row.line, headerLine)) : await read(row);
      if ('kind' in found) return found;
      rows.push(found);
    }
  }
  return { kind: 'rows', sheet, source, readers, rows: withoutRepeated(rows, readers) };
}

/** The published drop that a mark names; [] where this ledger has none. */
async function dropOf(ledger: Ledger, mark: string): Promise<readonly PublishedDrop[]> {
  const { dropId = -1, sha256 = '' } = parseDropMark(mark) ?? {};
  return (await publishedDrops(ledger, dropId)).filter((drop) => drop.sha256.startsWith(sha256));
}

function aside({ line, cells }: Row, issue: ReturnType<typeof aboveRows>): ReturnedRow {
  return {
    line,
    of: null,
    row: { kind: 'non-data', line, issues: [issue] },
    cells,
    applies: null,
    asks: false,
  };
}

/** All rows that stand for one are left, since nobody can say which is meant. */
function withoutRepeated(
  rows: readonly ReturnedRow[],
  readers: ReturnedRows['readers'],
): readonly ReturnedRow[] {
  const byRow = grouped(rows, ({ of }) => of && `${of.dropId}:${of.line}`);
  return rows.map((row) => {
    const { of } = row;
    if (of === null || byRow.get(`${of.dropId}:${of.line}`)?.length === 1) return row;
    const { drop } = readers.get(of.dropId) as RowReader;
    const issues = [repeated(of.line, drop)];
    return { ...row, of: null, row: { kind: 'invalid', line: row.line, issues }, applies: null, asks: true };
  });
}

interface SheetToRead {
  readonly first: PublishedDrop;
  readonly source: SourceConfig;
  readonly layout: AttentionLayout;
  /** Readers of the drops that rows have named so far. */
  readonly readers: Map<number, RowReader>;
  readonly format: ReadableDrop['format'];
}

function sheetReader(ledger: Ledger, { first, source, layout, readers, format }: SheetToRead) {
  return async (read: Row): Promise<ReturnedRow | Refused> => {
    const { line } = read;
    const given = givenCells(read, layout);
    const unread = (row: PreparedRow): ReturnedRow => ({
      line,
      of: null,
      row,
      cells: given,
      applies: null,
      asks: row.kind !== 'blank',
    });
    if (isBlankRow(read.cells)) return unread({ kind: 'blank', line });
    const place = await placeOf(read);
    if ('kind' in place) return place;
    if ('code' in place) return unread({ kind: 'invalid', line, issues: [place] });
    const { reader, version, ...of } = place;
    const [original = null] = await rowsToCorrect(ledger, [{ ...of, version }]);
    if (original === null) {
      return unread({ kind: 'invalid', line, issues: [noSuchRow(of.line, reader.drop)] });
    }
    if (original.cells === null) {
      const issues = [erased(of.line, reader.drop)];
      return { line, of, row: { kind: 'skipped', line, issues }, cells: [], applies: null, asks: true };
    }
    const merged = mergedRow(reader, format, of.line, original.cells, given);
    const { row, applies } = await judged(merged, of, original, reader);
    const asks = applies || merged.isChanged || merged.damages.length > 0 || row.kind === 'blank';
    return { line, of, row, cells: merged.cells, applies: applies ? original : null, asks };
  };

  /** The row that a row stands for, or why it can't be found. */
  async function placeOf(row: Row) {
    const text = cellText(row.cells[layout.row]).trim();
    if (!/^[1-9]\d{0,9}$/.test(text)) return noLine(text);
    const mark = cellText(row.cells[layout.drop]).trim();
    const parsed = parseDropMark(mark);
    if (parsed === null) return noMark(mark);
    const { dropId, version } = parsed;
    const known = readers.get(dropId);
    if (known?.drop.sha256.startsWith(parsed.sha256))
      return { dropId, line: Number(text), version, reader: known };
    const [drop] = await dropOf(ledger, mark);
    if (drop === undefined) return unknownMark(mark);
    const isLike = JSON.stringify(drop.header) === JSON.stringify(first.header);
    if (drop.source !== first.source || !isLike) return otherSheet(drop, first, mark);
    const reader = await rowReader(ledger, drop, source);
    if (reader.kind === 'refused') return reader;
    readers.set(dropId, reader);
    return { dropId, line: Number(text), version, reader };
  }

  /** What a row comes to beside what has become of the row that it corrects. */
  async function judged(
    { row, isChanged, damages }: MergedRow,
    of: RowRef,
    { open, isLatest }: RowToCorrect,
    { drop, operation }: RowReader,
  ): Promise<{ readonly row: PreparedRow; readonly applies: boolean }> {
    const { line } = of;
    const left = (row: PreparedRow) => ({ row, applies: false });
    const skipped = (issue: ReturnType<typeof closed>) => left({ kind: 'skipped', line, issues: [issue] });
    if (damages.length > 0) {
      return left({
        kind: 'invalid',
        line,
        issues: [...damages, ...(row.kind === 'invalid' ? row.issues : [])],
      });
    }
    if (row.kind === 'blank') return skipped(emptied(line, drop));
    // A title or a total stands for nothing that was to be delivered.
    if (row.kind === 'non-data') return left(row);
    const before = isChanged ? [] : await issuesOf(ledger, of.dropId, line);
    // Read alone, it would be read under the columns of a table that isn't its own.
    if (isOfOtherTable(before)) return skipped(notCorrected(line, drop, before));
    if (row.kind === 'invalid' && !isChanged) return skipped(notCorrected(line, drop, row.issues));
    // An unchanged row doesn't contradict a correction that was made since.
    if (open.length > 0 && (isChanged || isLatest)) {
      const isForgotten = row.kind === 'skipped' && row.issues[0]?.code === 'learner-forgotten';
      const isOpen = row.kind === 'record' || open.some(({ kind }) => kind === 'invalid');
      return { row, applies: isOpen && !isForgotten };
    }
    if (row.kind !== 'record') return row.kind === 'invalid' ? skipped(closed(line, drop)) : left(row);
    const target = { operation, environment: source.environment };
    const [known] = await knownRecords(ledger, target, [row]);
    const same = known?.revisions.find(({ content }) => content === row.keys.digest);
    if (same !== undefined) return left({ kind: 'duplicate', line, of: same.submissionId });
    return skipped(closed(line, drop));
  }
}

/** The cells under the original's columns, and those beyond any header behind them. */
function givenCells({ cells }: Row, layout: AttentionLayout): Cell[] {
  const extras = cells.slice(layout.extrasFrom);
  const last = extras.findLastIndex((cell) => cellText(cell).trim() !== '');
  return [...layout.originals.map((index) => cells[index] ?? null), ...extras.slice(0, last + 1)];
}
