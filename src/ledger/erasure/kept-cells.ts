import { sql } from 'kysely';
import { mapSeries } from '../../domain/process/series.js';
import { type Cell, isBlankRow } from '../../domain/row.js';
import { allKeptRows, cellsBy, type PlacedRow } from '../drops/rows/kept-rows.js';
import { erased } from '../store/personal.js';
import { change, type Ledger, query } from '../store/query.js';
import { erasing } from './compact.js';
import { forgetRow, isRecord, learnerColumns } from './forgetting.js';
import type { Person } from './person.js';

/** Counts of rows whose cells contain a person's identifier. */
export interface NamingRows {
  /** Rows about the person: all their cells are erased. */
  readonly rows: number;
  /** Other rows, with the person in another column: only that cell is erased. */
  readonly mentions: number;
}

/** Rows to read between two transactions. */
const ROWS_AT_ONCE = 5_000;

/**
 * Reads all kept rows, a few thousand for each step, and counts those with the person.
 * @param decisionId the forget that erases the cells with the person, one transaction for each step; null: nothing is
 * written.
 */
export async function* namingCells(
  ledger: Ledger,
  person: Person,
  decisionId: number | null,
): AsyncGenerator<NamingRows> {
  const columns = await learnerColumns(ledger);
  for await (const page of allKeptRows(ledger, ROWS_AT_ONCE)) {
    const read = await mapSeries(page, async (row) => ({
      row,
      rest: await withoutPerson(ledger, person, row, columns),
    }));
    const naming = read.filter(({ rest }) => rest !== 'unnamed');
    const named =
      decisionId === null || naming.length === 0
        ? naming
        : await erasing(ledger, async (ledger) =>
            mapSeries(naming, async ({ row }) => {
              // Read again within the transaction: another process may have erased the row, or cells of it, meanwhile.
              const cells = await cellsBy(ledger, row);
              const rest =
                cells === null ? 'unnamed' : await withoutPerson(ledger, person, { ...row, cells }, columns);
              if (rest !== 'unnamed') await storeCells(ledger, row, rest);
              if (rest === null) await forgetRow(ledger, decisionId, row.dropId, row.line);
              return { rest };
            }),
          );
    const rows = named.filter(({ rest }) => rest === null).length;
    yield { rows, mentions: named.filter(({ rest }) => rest !== 'unnamed').length - rows };
  }
}

/** Writes the remaining cells of a row. @param rest null: none remain. */
async function storeCells(
  ledger: Ledger,
  { dropId, line, decisionId }: PlacedRow,
  rest: readonly Cell[] | null,
): Promise<void> {
  const table = decisionId === 0 ? 'row' : 'corrected_row';
  const update = rest === null || isBlankRow(rest) ? erased(table) : { cells: JSON.stringify(rest) };
  const row = query.updateTable(table).where('drop_id', '=', dropId).where('line', '=', line);
  const isOf = decisionId === 0 ? sql<boolean>`true` : sql<boolean>`decision_id = ${decisionId}`;
  await change(ledger, row.set(update).where(isOf));
}

/** A row's remaining cells; null: the row is about the person; `unnamed`: the person isn't in it. */
type RestCells = readonly Cell[] | null | 'unnamed';

/**
 * Empties the cells with the person. A row that isn't a record is also about the person if the person is in its
 * learner column, or its learner column is unknown.
 */
async function withoutPerson(
  ledger: Ledger,
  { mentions, lines }: Person,
  { dropId, line, cells }: PlacedRow,
  columns: ReadonlyMap<number, number>,
): Promise<RestCells> {
  if (lines.get(dropId)?.has(line)) return null;
  const column = columns.get(dropId);
  const isNaming = cells.map((cell, index) => mentions.inCell(cell, index === column));
  if (!isNaming.includes(true)) return 'unnamed';
  const isTheirs = column === undefined || isNaming[column] === true;
  if (isTheirs && !(await isRecord(ledger, dropId, line))) return null;
  return cells.map((cell, index) => (isNaming[index] ? null : cell));
}
