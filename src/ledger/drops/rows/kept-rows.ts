import { type InferResult, sql } from 'kysely';
import type { Cell, Row } from '../../../domain/row.js';
import type { RowRef } from '../../../domain/row-ref.js';
import { PAGE_ROWS } from '../../store/pages.js';
import { all, boundLimit, first, type Ledger, query } from '../../store/query.js';
import type { DropTable } from '../published-drops.js';

/**
 * Streams a drop's rows as they were read, in line order, without blank and erased ones. Personal.
 * @param of the drop's number; or its table, for the rows of all sheets of the table, sheet by sheet.
 * @param which `notes`: only titles and notes, the first thousand of a drop.
 */
export async function* keptRows(
  ledger: Ledger,
  of: number | DropTable,
  which: 'all' | 'notes' = 'all',
): AsyncGenerator<Row> {
  const sheets = typeof of === 'number' ? [{ dropId: of, afterLine: 0 }] : of.sheets;
  for (const { dropId, afterLine } of sheets) {
    if (which === 'notes') yield* (await all(ledger, notes(dropId, afterLine))).map(rowOf);
    else yield* rowsAfter(ledger, dropId, afterLine);
  }
}

async function* rowsAfter(ledger: Ledger, dropId: number, line: number): AsyncGenerator<Row> {
  const ofDrop = KEPT.where('r.drop_id', '=', dropId).orderBy('r.line').limit(sql.lit(PAGE_ROWS));
  for (let after: number | undefined = line; after !== undefined; ) {
    const page: Row[] = (await all(ledger, ofDrop.where('r.line', '>', after))).map(rowOf);
    yield* page;
    after = page.at(-1)?.line;
  }
}

/** The kept cells of a row: those that were read, or those of a correction. */
export interface PlacedRow extends Pick<Row, 'line' | 'cells'>, RowRef {
  /** The decision that corrected the cells; 0: they were read. */
  readonly decisionId: number;
}

/**
 * Streams all kept cells in pages of `count`: of all rows as they were read, then of their corrections, by drop and
 * line. Personal.
 */
export async function* allKeptRows(ledger: Ledger, count: number): AsyncGenerator<readonly PlacedRow[]> {
  for (const rows of [READ, CORRECTED]) {
    const ofAll = rows.orderBy('r.drop_id').orderBy('r.line').orderBy('decisionId').limit(boundLimit(count));
    for (let after: Omit<PlacedRow, 'cells'> = { dropId: 0, line: 0, decisionId: 0 }; ; ) {
      const key = rows === READ ? sql`0` : sql`r.decision_id`;
      const next = sql<boolean>`(r.drop_id, r.line, ${key}) > (${after.dropId}, ${after.line}, ${after.decisionId})`;
      const page = await all(ledger, ofAll.where(next));
      const last = page.at(-1);
      if (last === undefined) break;
      yield page.map(({ cells, ...row }) => ({ ...row, cells: cellsIn(cells) ?? [] }));
      after = last;
    }
  }
}

const READ = query
  .selectFrom('row as r')
  .select(['r.drop_id as dropId', 'r.line', 'r.cells', sql<number>`0`.as('decisionId')])
  .where('r.cells', 'is not', null);

const CORRECTED = query
  .selectFrom('corrected_row as r')
  .select(['r.drop_id as dropId', 'r.line', 'r.cells', 'r.decision_id as decisionId'])
  .where('r.cells', 'is not', null);

/** Condition on `corrected_row as c`: its cells are in effect, because the correction was applied. */
const counts = sql<boolean>`c.outcome <> 'left'`;

/** The present cells of `row as r`, as JSON. */
export const presentCells = sql<string | null>`coalesce((select c.cells from corrected_row c
  where c.drop_id = r.drop_id and c.line = r.line and ${counts} order by c.decision_id desc limit 1), r.cells)`;

/** The decision that corrected the present cells of `row as r`; null: they were read. */
const presentDecision = sql<number | null>`(select max(c.decision_id) from corrected_row c
  where c.drop_id = r.drop_id and c.line = r.line and ${counts})`;

/**
 * The present cells of a row: those of its latest correction, or those that were read; null: the row is blank, was
 * erased, or doesn't exist. `correctedBy`: the decision that corrected the cells; null: they were read. Personal.
 */
export async function cellsAt(ledger: Ledger, { dropId, line }: RowRef) {
  const row = query
    .selectFrom('row as r')
    .select([presentCells.as('cells'), presentDecision.as('correctedBy')])
    .where('r.drop_id', '=', dropId)
    .where('r.line', '=', line);
  const present = await first(ledger, row);
  return { cells: cellsIn(present?.cells), correctedBy: present?.correctedBy ?? null };
}

/** The cells of a row from a decision, or as it was read (0); null: they were erased, or there are none. Personal. */
export async function cellsBy(ledger: Ledger, { dropId, line, decisionId }: Omit<PlacedRow, 'cells'>) {
  const rows = decisionId === 0 ? READ : CORRECTED.where('r.decision_id', '=', decisionId);
  return cellsIn(
    (await first(ledger, rows.where('r.drop_id', '=', dropId).where('r.line', '=', line)))?.cells,
  );
}

/** Parses the cells in a column of the ledger; null: there are none. */
export function cellsIn(text: string | null | undefined): readonly Cell[] | null {
  return text == null ? null : (JSON.parse(text) as Cell[]);
}

function rowOf({ line, cells, strayQuotes }: InferResult<typeof KEPT>[number]): Row {
  const row = { line, cells: cellsIn(cells) ?? [] };
  return strayQuotes === null ? row : { ...row, strayQuotes: JSON.parse(strayQuotes) as number[] };
}

const KEPT = READ.select('r.stray_quotes as strayQuotes');

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

/** The maximum number of notes to read: a table may repeat its notes on every page. */
const MAX_NOTES = 1_000;

/**
 * Reads the rows of a drop to be read again: the lines of its open invalid rows, each with the row's corrected cells;
 * null: they were not corrected. Personal.
 */
export async function restageFacts(ledger: Ledger, dropId: number) {
  const open = await ledger.db
    .selectFrom('open_item as o')
    .innerJoin('row as r', (join) => join.onRef('r.drop_id', '=', 'o.drop_id').onRef('r.line', '=', 'o.line'))
    .select(['o.line', presentCells.as('cells'), presentDecision.as('correctedBy')])
    .where('o.drop_id', '=', dropId)
    .where('o.submission_id', '=', 0)
    .orderBy('o.line')
    .execute();
  return new Map(
    open.map(({ line, cells, correctedBy }) => [line, correctedBy === null ? null : cellsIn(cells)]),
  );
}
