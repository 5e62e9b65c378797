import { sql } from 'kysely';
import { filterSeries } from '../../domain/process/series.js';
import { type Cell, isBlankRow } from '../../domain/row.js';
import { allKeptRows, cellsBy, type PlacedRow } from '../drops/rows/kept-rows.js';
import { erased } from '../store/personal.js';
import { change, type Ledger, query } from '../store/query.js';
import { erasing } from './compact.js';
import { forgetRow, isRecord, learnerColumns } from './forgetting.js';
import type { Person } from './person.js';

/** Rows whose cells name a person. */
export interface NamingRows {
  /** Rows about the person: all their cells are erased. */
  readonly rows: number;
  /** Rows about another learner, or none, that name the person in another column: that cell is erased. */
  readonly mentions: number;
}

/** Rows looked through between two transactions. */
const ROWS_AT_ONCE = 5_000;

/** Reads all kept rows and counts those that name the person, some thousand for each step; writes nothing. */
export async function* findCells(ledger: Ledger, person: Person): AsyncGenerator<NamingRows> {
  const columns = await learnerColumns(ledger);
  for await (const page of allKeptRows(ledger, ROWS_AT_ONCE)) {
    const found = { rows: 0, mentions: 0 };
    for (const row of page) add(found, await withoutPerson(ledger, person, row, columns));
    yield found;
  }
}

/** Reads all kept rows likewise and erases the cells that name the person, one transaction for each step. */
export async function* eraseCells(
  ledger: Ledger,
  person: Person,
  decisionId: number,
): AsyncGenerator<NamingRows> {
  const columns = await learnerColumns(ledger);
  for await (const page of allKeptRows(ledger, ROWS_AT_ONCE)) {
    const sum = { rows: 0, mentions: 0 };
    const naming = await filterSeries(
      page,
      async (row) => (await withoutPerson(ledger, person, row, columns)) !== 'unnamed',
    );
    if (naming.length > 0) {
      await erasing(ledger, async (ledger) => {
        for (const { dropId, line, decisionId: of } of naming) {
          // Read again within the transaction: another process may have erased the row, or cells of it, in between.
          const cells = await cellsBy(ledger, { dropId, line, decisionId: of });
          if (cells === null) continue;
          const left = await withoutPerson(ledger, person, { dropId, line, decisionId: of, cells }, columns);
          if (left === 'unnamed') continue;
          const table = of === 0 ? 'row' : 'corrected_row';
          const isCleared = left === null || isBlankRow(left);
          const kept = isCleared ? erased(table) : { cells: JSON.stringify(left) };
          const row = query.updateTable(table).where('drop_id', '=', dropId).where('line', '=', line);
          const isOf = of === 0 ? sql<boolean>`true` : sql<boolean>`decision_id = ${of}`;
          await change(ledger, row.set(kept).where(isOf));
          if (left === null) await forgetRow(ledger, decisionId, dropId, line);
          add(sum, left);
        }
      });
    }
    yield sum;
  }
}

function add(sum: { rows: number; mentions: number }, left: LeftCells): void {
  if (left === null) sum.rows += 1;
  else if (left !== 'unnamed') sum.mentions += 1;
}

/** A row's cells as they may be kept; null: the row is about the person; `unnamed`: it doesn't name the person. */
type LeftCells = readonly Cell[] | null | 'unnamed';

/**
 * Empties the cells that name the person. A row that is no record is about the person too, where the person's name is in its
 * learner column or its learner column is unknown.
 */
async function withoutPerson(
  ledger: Ledger,
  { mentions, lines }: Person,
  { dropId, line, cells }: PlacedRow,
  columns: ReadonlyMap<number, number>,
): Promise<LeftCells> {
  if (lines.get(dropId)?.has(line)) return null;
  const column = columns.get(dropId);
  const isNaming = cells.map((cell, index) => mentions.inCell(cell, index === column));
  if (!isNaming.includes(true)) return 'unnamed';
  const isTheirs = column === undefined || isNaming[column] === true;
  if (isTheirs && !(await isRecord(ledger, dropId, line))) return null;
  return cells.map((cell, index) => (isNaming[index] ? null : cell));
}
