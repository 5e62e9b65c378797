import type { DropFormat } from '../../domain/drop.js';
import type { Issue } from '../../domain/issue.js';
import type { Cell } from '../../domain/row.js';
import type { PreparedRow } from '../../ledger/submissions/staging/read-rows.js';
import { keyInDrop } from '../../operations/keys.js';
import { recordOf } from '../../operations/record-text.js';
import { correctedCell, isDamagedIdentifier, isSameCell, isWithoutSeconds } from './compare-cells.js';
import { damaged } from './correction-issues.js';
import type { RowReader } from './row-reader.js';

/** A row with what was changed in it. */
export interface MergedRow {
  readonly row: PreparedRow;
  readonly cells: readonly Cell[];
  /** False: it says what it said before. */
  readonly isChanged: boolean;
  /** What a spreadsheet has damaged in it. */
  readonly damages: readonly Issue[];
}

/**
 * A row's cells with what was changed in them. A cell that nobody changed keeps its type; a changed one is the new text. Where a
 * spreadsheet has damaged a cell, or has written the same value otherwise, the cell stays as it was.
 */
export function mergedRow(
  reader: RowReader,
  format: DropFormat,
  line: number,
  was: readonly Cell[],
  given: readonly Cell[],
): MergedRow {
  const { prepare } = reader;
  const width = Math.max(was.length, given.length);
  const original = Array.from({ length: width }, (_, index) => was[index] ?? null);
  const differing = original.flatMap((cell, index) => (isSameCell(cell, given[index]) ? [] : [index]));
  const damageOf = (index: number) => damagedIdentifier(reader, format, index, original[index], given[index]);
  const damages = differing.flatMap((index) => damageOf(index) ?? []);
  const written = differing.filter((index) => damageOf(index) === null);
  const cells = original.map((cell, index) =>
    written.includes(index) ? correctedCell(given[index], format) : cell,
  );
  let row = prepare({ line, cells });
  let isChanged = false;
  for (const index of written) {
    const before = prepare({ line, cells: cells.with(index, original[index] ?? null) });
    const both = row.kind === 'record' && before.kind === 'record' ? ([row, before] as const) : null;
    const cut = both ? cutTime(reader, format, index, ...both, original, given) : null;
    if (cut) damages.push(cut);
    if (!cut && !(both && isSame(...both))) {
      isChanged = true;
      continue;
    }
    cells[index] = original[index] ?? null;
    row = before;
  }
  return { row, cells, isChanged, damages };
}

function damagedIdentifier(
  reader: RowReader,
  format: DropFormat,
  index: number,
  was: Cell | undefined,
  given: Cell | undefined,
): Issue | null {
  const column = mappedColumn(index, reader);
  if (column === null || !['identifier', 'learner'].includes(column.kind)) return null;
  return isDamagedIdentifier(was, given, format)
    ? damaged('identifier-damaged', column.header, was, given)
    : null;
}

/** What somebody types into a workbook may well be without seconds. */
function cutTime(
  reader: RowReader,
  format: DropFormat,
  index: number,
  row: PreparedRecord,
  before: PreparedRecord,
  was: readonly Cell[],
  given: readonly Cell[],
): Issue | null {
  const column = mappedColumn(index, reader);
  if (format !== 'csv' || column?.kind !== 'timestamp') return null;
  const timeOf = (prepared: PreparedRecord) =>
    String(recordOf(reader.operation, prepared).fields[column.field]);
  return isWithoutSeconds(timeOf(before), timeOf(row))
    ? damaged('timestamp-damaged', column.header, was[index], given[index])
    : null;
}

/** The field that a column gives, and its header; null where it gives none. */
function mappedColumn(
  index: number,
  { operation, reading: { header } }: RowReader,
): { readonly field: string; readonly kind: string; readonly header: string } | null {
  for (const { name, kind } of operation.fields) {
    const mapped = header.match.mapped[name];
    if (mapped?.index === index) return { field: name, kind, header: mapped.header };
  }
  return null;
}

/** True where both say the same, their titles included. */
function isSame(one: PreparedRecord, other: PreparedRecord): boolean {
  return (
    keyInDrop(one.keys) === keyInDrop(other.keys) &&
    one.keys.digest === other.keys.digest &&
    one.content.title === other.content.title
  );
}

type PreparedRecord = PreparedRow & { readonly kind: 'record' };
