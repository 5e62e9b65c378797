import type { SourceConfig } from '../../config/schema.js';
import type { DropFormat } from '../../domain/drop.js';
import { parseDropMark } from '../../domain/files/attention-columns.js';
import { grouped } from '../../domain/grouped.js';
import { type Issue, type Refused, refused } from '../../domain/issue.js';
import { mapSeries } from '../../domain/process/series.js';
import { type Cell, cellText, isBlankRow, type Row, singleRows } from '../../domain/row.js';
import type { RowRef } from '../../domain/row-ref.js';
import type { ReadableDrop } from '../../intake/opened-drop.js';
import { type PublishedDrop, publishedDrops } from '../../ledger/drops/published-drops.js';
import type { Ledger } from '../../ledger/store/query.js';
import { type OpenRow, openRow } from '../../ledger/submissions/reread.js';
import type { PreparedRow } from '../../ledger/submissions/staging/read-rows.js';
import { knownRecords } from '../../ledger/submissions/staging/revisions.js';
import {
  type AttentionLayout,
  attentionLayout,
  type CorrectionSheet,
} from '../../reading/correction-file.js';
import { stagingTarget } from '../stage-context.js';
import { type CorrectionFault, correctionIssue } from './correction-issues.js';
import { type MergedRow, mergedRow } from './merged-cells.js';
import { type RowReader, rowReader } from './rows-again.js';

/** A row of a corrected sheet, read as the row that it corrects. Personal. */
export interface RowCorrection {
  readonly line: number;
  /** The row that it corrects; null: there is none, or it is unknown. */
  readonly of: RowRef | null;
  /** The row as read from its new cells, with the line of the row that it corrects. */
  readonly row: PreparedRow;
  readonly cells: readonly Cell[];
  /** The present state of the row that it corrects; null: nothing changes. */
  readonly applies: OpenRow | null;
  /** True: it corrects no row, and that is no problem. */
  readonly isUnchanged?: boolean;
}

/**
 * A sheet of corrected rows. `source`: of all drops that it corrects, whatever inbox the file came from; `readers`: of those drops, by
 * their numbers. Personal.
 */
export type RowCorrections = Exclude<Awaited<ReturnType<typeof readCorrectedRows>>, Refused>;

/**
 * Reads a sheet of corrected rows: finds the row that each corrects, and merges the changes into that row's cells.
 * Writes nothing.
 * @param sources all sources: a workbook may correct rows of several sources, whatever inbox it came from.
 * @returns the issue where no row of the sheet can be matched to its original.
 */
export async function readCorrectedRows(
  opened: ReadableDrop,
  corrections: CorrectionSheet,
  ledger: Ledger,
  sources: readonly SourceConfig[],
) {
  const { sheet, headerLine, columns, marks } = corrections;
  const [first] = (await mapSeries(marks, async (mark) => dropOf(ledger, mark))).flat();
  if (first === undefined) return refused(correctionIssue('unknown-drop', { text: marks[0] ?? '' }));
  const source = sources.find(({ name }) => name === first.source);
  if (!source) return refused(correctionIssue('source-gone', { source: first.source, file: first.file }));
  const layout = attentionLayout(columns, headerLine, first.header, first.file);
  if (layout.kind === 'refused') return layout;
  const { read, readers } = sheetReader(ledger, first, source, layout, opened.format);
  const rows: RowCorrection[] = [];
  for await (const batch of opened.rows(sheet ?? undefined)) {
    for (const row of singleRows(batch)) {
      const placed = row.line <= headerLine ? aboveRows(row) : await read(row);
      if ('kind' in placed) return placed;
      rows.push(placed);
    }
  }
  return { kind: 'rows' as const, sheet, source, readers, rows: withoutRepeated(rows, readers) };
}

/** The published drop that a mark identifies; [] where this ledger has none. */
async function dropOf(ledger: Ledger, mark: string): Promise<readonly PublishedDrop[]> {
  const { dropId, sha256 } = parseDropMark(mark) ?? NO_MARK;
  return (await publishedDrops(ledger, dropId)).filter((drop) => drop.sha256.startsWith(sha256));
}

const NO_MARK = { dropId: -1, version: 0, sha256: '' };

function aboveRows({ line, cells }: Row): RowCorrection {
  const issues = [correctionIssue('above-rows', { line })];
  return { line, of: null, row: { kind: 'non-data', line, issues }, cells, applies: null };
}

/** Makes all rows invalid that correct the same row: the right one is unknown. */
function withoutRepeated(
  rows: readonly RowCorrection[],
  readers: ReadonlyMap<number, RowReader>,
): readonly RowCorrection[] {
  const byRow = grouped(rows, ({ of }) => of && `${of.dropId}:${of.line}`);
  return rows.map((row) => {
    const { of } = row;
    if (of === null || byRow.get(`${of.dropId}:${of.line}`)?.length === 1) return row;
    const { drop } = readers.get(of.dropId) as RowReader;
    const issues = [correctionIssue('repeated', { line: of.line, file: drop.file, text: of.line })];
    const { line, cells } = row;
    return { line, of: null, row: { kind: 'invalid', line, issues }, cells, applies: null };
  });
}

/** `readers`: of the drops of the rows that were read so far. */
function sheetReader(
  ledger: Ledger,
  first: PublishedDrop,
  source: SourceConfig,
  layout: AttentionLayout,
  format: DropFormat,
) {
  const readers = new Map<number, RowReader>();
  return { read, readers };

  async function read(corrected: Row): Promise<RowCorrection | Refused> {
    const { line } = corrected;
    const cells = givenCells(corrected, layout);
    const unread = (row: PreparedRow): RowCorrection => ({ line, of: null, row, cells, applies: null });
    if (isBlankRow(corrected.cells)) return unread({ kind: 'blank', line });
    const place = await placeOf(corrected);
    if ('kind' in place) return place;
    if ('code' in place) return unread({ kind: 'invalid', line, issues: [place] });
    const { reader, version, ...of } = place;
    const original = await openRow(ledger, { ...of, version });
    if (!original) {
      const issues = [rowIssue('no-such-row', of, reader.drop)];
      return unread({ kind: 'invalid', line, issues });
    }
    if (original.cells === null) {
      const issues = [rowIssue('erased', of, reader.drop)];
      return { line, of, row: { kind: 'skipped', line, issues }, cells: [], applies: null };
    }
    const wasInvalid = original.open.some(({ kind }) => kind === 'invalid');
    const merged = mergedRow(reader, format, of.line, original.cells, cells, wasInvalid);
    const { row, applies } = await judged(merged, of, original, reader);
    const isUnchanged = !merged.isChanged && merged.damages.length === 0;
    return { line, of, row, cells: merged.cells, applies: applies ? original : null, isUnchanged };
  }

  /** The row that a row corrects, or why it can't be found. */
  async function placeOf(row: Row) {
    const text = cellText(row.cells[layout.row]).trim();
    if (!/^[1-9]\d{0,9}$/.test(text)) return correctionIssue('not-a-line', { text });
    const mark = cellText(row.cells[layout.drop]).trim();
    const { dropId, version, sha256 } = parseDropMark(mark) ?? NO_MARK;
    const cached = readers.get(dropId);
    if (cached?.drop.sha256.startsWith(sha256))
      return { dropId, line: Number(text), version, reader: cached };
    const [drop] = await dropOf(ledger, mark);
    if (drop === undefined) return correctionIssue('unknown-mark', { text: mark });
    const isLike = JSON.stringify(drop.header) === JSON.stringify(first.header);
    if (drop.source !== first.source || !isLike)
      return correctionIssue('other-sheet', { text: mark, other: drop.file, file: first.file });
    const reader = await rowReader(ledger, drop, source);
    if (reader.kind === 'refused') return reader;
    readers.set(dropId, reader);
    return { dropId, line: Number(text), version, reader };
  }

  /** Judges a row against the present state of the row that it corrects. */
  async function judged(
    { row, isChanged, damages }: MergedRow,
    of: RowRef,
    { open }: OpenRow,
    { drop }: RowReader,
  ): Promise<{ readonly row: PreparedRow; readonly applies: boolean }> {
    const { line } = of;
    const closed = (row: PreparedRow) => ({ row, applies: false });
    const skipped = (issue: Issue) => closed({ kind: 'skipped', line, issues: [issue] });
    if (damages.length > 0) {
      const issues = [...damages, ...(row.kind === 'invalid' ? row.issues : [])];
      return closed({ kind: 'invalid', line, issues });
    }
    if (!isChanged) return skipped(rowIssue('not-corrected', of, drop));
    if (row.kind === 'blank') return skipped(rowIssue('emptied', of, drop));
    // A title or a total was never to be delivered.
    if (row.kind === 'non-data') return closed(row);
    if (open.length > 0) {
      const isForgotten = row.kind === 'skipped' && row.issues[0]?.code === 'learner-forgotten';
      const isOpen = row.kind === 'record' || open.some(({ kind }) => kind === 'invalid');
      return { row, applies: isOpen && !isForgotten };
    }
    if (row.kind !== 'record')
      return row.kind === 'invalid' ? skipped(rowIssue('closed', of, drop)) : closed(row);
    const [record] = await knownRecords(ledger, stagingTarget(source), [row]);
    const same = record?.revisions.find(({ content }) => content === row.keys.digest);
    if (same !== undefined) return closed({ kind: 'duplicate', line, of: same.submissionId });
    return skipped(rowIssue('closed', of, drop));
  }
}

/** The cells in the original's columns, followed by the cells right of the last header. */
function givenCells({ cells }: Row, layout: AttentionLayout): Cell[] {
  const extras = cells.slice(layout.extrasFrom);
  const last = extras.findLastIndex((cell) => cellText(cell).trim() !== '');
  return [...layout.originals.map((index) => cells[index] ?? null), ...extras.slice(0, last + 1)];
}

function rowIssue(fault: CorrectionFault, { line }: RowRef, { file, dropId }: PublishedDrop): Issue {
  return correctionIssue(fault, { line, file, drop: dropId });
}
