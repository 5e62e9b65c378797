import type { DropFormat } from '../../domain/drop.js';
import type { Issue } from '../../domain/issue.js';
import type { Cell } from '../../domain/row.js';
import type { PreparedRow } from '../../ledger/submissions/staging/read-rows.js';
import { keyInDrop } from '../../operations/keys.js';
import { recordOf } from '../../operations/record-text.js';
import { correctedCell, isDamagedIdentifier, isSameCell, isWithoutSeconds } from './compare-cells.js';
import { damaged } from './correction-issues.js';
import type { RowReader } from './row-reader.js';

/** A row with its changes. */
export interface MergedRow {
  readonly row: PreparedRow;
  readonly cells: readonly Cell[];
  /** False: its record is the same as before. */
  readonly isChanged: boolean;
  /** The cells that a spreadsheet program damaged. */
  readonly damages: readonly Issue[];
}

/**
 * Merges the changed cells of a row into its original cells. An unchanged cell keeps its type; a changed cell is the
 * new text. A cell that a spreadsheet program damaged, or wrote in another notation, keeps its original value.
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

/** Only for text files: a time that was typed into a workbook may be meant without seconds. */
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

/** The field that is read from a column, and the column's header; null: the column isn't mapped. */
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

/** True where both records are the same, their titles included. */
function isSame(one: PreparedRecord, other: PreparedRecord): boolean {
  return (
    keyInDrop(one.keys) === keyInDrop(other.keys) &&
    one.keys.digest === other.keys.digest &&
    one.content.title === other.content.title
  );
}

type PreparedRecord = PreparedRow & { readonly kind: 'record' };
