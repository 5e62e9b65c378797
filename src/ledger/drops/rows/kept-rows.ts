import { type InferResult, sql } from 'kysely';
import type { Cell, Row } from '../../../domain/row.js';
import type { RowRef } from '../../../domain/row-ref.js';
import { PAGE_ROWS } from '../../store/pages.js';
import { all, boundLimit, first, type Ledger, query } from '../../store/query.js';
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
    else yield* (await all(ledger, notes(dropId, afterLine))).map(rowOf);
  }
}

/** The same rows of one drop in pages. Each page is read from the ledger when it is asked for. */
async function* keptPages(ledger: Ledger, dropId: number, afterLine: number): AsyncGenerator<Row[]> {
  const ofDrop = KEPT.where('r.drop_id', '=', dropId).orderBy('r.line').limit(sql.lit(PAGE_ROWS));
  for (let after = afterLine; ; ) {
    const page = (await all(ledger, ofDrop.where('r.line', '>', after))).map(rowOf);
    const last = page.at(-1);
    if (last === undefined) return;
    yield page;
    after = last.line;
  }
}

/** A kept row with its drop. */
export interface PlacedRow extends Row, RowRef {}

/** The kept rows of all drops, by drop and line, `count` at a time; each page is read when it is asked for. Personal. */
export async function* allKeptRows(ledger: Ledger, count: number): AsyncGenerator<readonly PlacedRow[]> {
  const ofAll = KEPT.orderBy('r.drop_id').orderBy('r.line').limit(boundLimit(count));
  for (let after: RowRef = { dropId: 0, line: 0 }; ; ) {
    const next = ofAll.where(sql<boolean>`(r.drop_id, r.line) > (${after.dropId}, ${after.line})`);
    const page = (await all(ledger, next)).map((row) => ({ ...rowOf(row), dropId: row.dropId }));
    const last = page.at(-1);
    if (last === undefined) return;
    yield page;
    after = last;
  }
}

/** The cells of a row; null where it is blank, was erased, or isn't there. Personal. */
export async function cellsAt(ledger: Ledger, { dropId, line }: RowRef): Promise<readonly Cell[] | null> {
  const row = KEPT.where('r.drop_id', '=', dropId).where('r.line', '=', line);
  return cellsIn((await first(ledger, row))?.cells);
}

/** The cells in a text of the ledger; null where there is none. */
export function cellsIn(text: string | null | undefined): readonly Cell[] | null {
  return text == null ? null : (JSON.parse(text) as Cell[]);
}

function rowOf({ line, cells, strayQuotes }: InferResult<typeof KEPT>[number]): Row {
  const row = { line, cells: cellsIn(cells) ?? [] };
  return strayQuotes === null ? row : { ...row, strayQuotes: JSON.parse(strayQuotes) as number[] };
}

const KEPT = query
  .selectFrom('row as r')
  .select(['r.drop_id as dropId', 'r.line', 'r.cells', 'r.stray_quotes as strayQuotes'])
  .where('r.cells', 'is not', null);

function notes(dropId: number, afterLine: number) {
  return KEPT.innerJoin('issue as i', (join) =>
    join.onRef('i.drop_id', '=', 'r.drop_id').onRef('i.line', '=', 'r.line'),
  )
    .where('i.drop_id', '=', dropId)
    .where('i.line', '>', afterLine)
    .where('i.code', 'in', ['row-preamble', 'row-note'])
    .orderBy('i.line')
    .limit(sql.lit(MAX_NOTES));
}

/** A table may repeat its notes on every page. */
const MAX_NOTES = 1_000;
