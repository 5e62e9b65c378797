import type { Cell, Row } from '../../../domain/row.js';
import type { RowRef } from '../../../domain/row-ref.js';
import { PAGE_ROWS } from '../../store/pages.js';
import { type Ledger, prepared } from '../../store/query.js';
import type { DropTable } from './drop-table.js';

/**
 * Streams a drop's rows as they were read, in line order, without blank and erased ones. Personal.
 * @param of the drop's number, or its table: then the rows of all sheets of the table, sheet by sheet.
 * @param which `notes`: only its titles and notes, the first thousand of a drop.
 */
export async function* keptRows(
  ledger: Ledger,
  of: number | DropTable,
  which: 'all' | 'notes' = 'all',
): AsyncGenerator<Row> {
  const sheets = typeof of === 'number' ? [{ dropId: of, afterLine: 0 }] : of.sheets;
  for (const { dropId, afterLine } of sheets) {
    if (which === 'all') for await (const page of keptPages(ledger, dropId, afterLine)) yield* page;
    else yield* (prepared(ledger, NOTES).all(dropId, afterLine, MAX_NOTES) as StoredRow[]).map(rowOf);
  }
}

/** The same rows of one drop in pages. Each page is read from the ledger when it is asked for. */
async function* keptPages(ledger: Ledger, dropId: number, afterLine: number): AsyncGenerator<Row[]> {
  for (let after = afterLine; ; ) {
    const page = (prepared(ledger, NEXT_ROWS).all(dropId, after, PAGE_ROWS) as StoredRow[]).map(rowOf);
    const last = page.at(-1);
    if (last === undefined) return;
    yield page;
    after = last.line;
  }
}

/** A kept row with its drop. */
export interface PlacedRow extends Row, RowRef {}

/** The kept rows of all drops, by drop and line, `count` at a time; each page is read when it is asked for. Personal. */
export function* allKeptRows(ledger: Ledger, count: number): Generator<readonly PlacedRow[]> {
  for (let after: RowRef = { dropId: 0, line: 0 }; ; ) {
    const stored = prepared(ledger, NEXT_OF_ALL).all(after.dropId, after.line, count);
    const page = (stored as (StoredRow & RowRef)[]).map((row) => ({ ...rowOf(row), dropId: row.dropId }));
    const last = page.at(-1);
    if (last === undefined) return;
    yield page;
    after = last;
  }
}

/** The cells of a row; null where it is blank, was erased, or isn't there. Personal. */
export async function cellsAt(ledger: Ledger, { dropId, line }: RowRef): Promise<readonly Cell[] | null> {
  return cellsIn(prepared(ledger, CELLS).pluck().get(dropId, line) as string | null | undefined);
}

/** The cells in a text of the ledger; null where there is none. */
export function cellsIn(text: string | null | undefined): readonly Cell[] | null {
  return text == null ? null : (JSON.parse(text) as Cell[]);
}

interface StoredRow {
  readonly line: number;
  readonly cells: string;
  readonly strayQuotes: string | null;
}

function rowOf({ line, cells, strayQuotes }: StoredRow): Row {
  const row = { line, cells: JSON.parse(cells) as Cell[] };
  return strayQuotes === null ? row : { ...row, strayQuotes: JSON.parse(strayQuotes) as number[] };
}

const NEXT_ROWS = `select line, cells, stray_quotes as strayQuotes from row
  where drop_id = ? and line > ? and cells is not null order by line limit ?`;

const NEXT_OF_ALL = `select drop_id as dropId, line, cells, stray_quotes as strayQuotes from row
  where (drop_id, line) > (?, ?) and cells is not null order by drop_id, line limit ?`;

const NOTES = `select r.line, r.cells, r.stray_quotes as strayQuotes from issue i join row r using (drop_id, line)
  where i.drop_id = ? and i.line > ? and i.code in ('row-preamble', 'row-note') and r.cells is not null
  order by i.line limit ?`;

/** A table may repeat its notes on every page. */
const MAX_NOTES = 1_000;

const CELLS = 'select cells from row where drop_id = ? and line = ?';
