import type { RowRef } from '../../../domain/row-ref.js';
import { type Ledger, prepared, query } from '../../store/query.js';

/** The row that a row of a corrected attention file corrects. */
export interface Original extends RowRef {
  /** True where what the corrected row becomes closes the open members of the lineage; false where the row changes nothing. */
  readonly takesPlace: boolean;
}

/** Records the original of a corrected attention file's row. Call it in the transaction that writes the row. */
export function insertRedropRow(ledger: Ledger, row: RowRef, of: Original): void {
  prepared(ledger, INSERT_REDROP_ROW).run(row.dropId, row.line, of.dropId, of.line, of.takesPlace ? 1 : 0);
}

const INSERT_REDROP_ROW = query
  .insertInto('redrop_row')
  .values({ drop_id: 0, line: 0, of_drop_id: 0, of_line: 0, takes_place: 0 })
  .compile().sql;

/** True for a drop that was a corrected attention file. */
export function isRedrop(ledger: Ledger, dropId: number): boolean {
  return prepared(ledger, 'select 1 from redrop_row where drop_id = ? limit 1').get(dropId) !== undefined;
}

/** The drop in which a row was first read, before any correction; its own where it corrects none. */
export function firstDropOf(ledger: Ledger, { dropId, line }: RowRef): number {
  const of = prepared(ledger, CORRECTED).get(dropId, line) as RowRef | undefined;
  return of === undefined ? dropId : firstDropOf(ledger, of);
}

/** The drops in which the rows of a corrected file were first read, by their lines; none for any other file. */
export async function firstDrops(ledger: Ledger, dropId: number): Promise<ReadonlyMap<number, number>> {
  const rows = prepared(ledger, FIRST_DROPS).all(dropId) as { line: number; first: number }[];
  return new Map(rows.map(({ line, first }) => [line, first]));
}

/** The original rows of a corrected file's rows, in the order of the file; none for any other file. */
export function correctedRows(ledger: Ledger, dropId: number): RowRef[] {
  return prepared(
    ledger,
    'select of_drop_id as dropId, of_line as line from redrop_row where drop_id = ? order by line',
  ).all(dropId) as RowRef[];
}

/** A correction is a later drop than what it corrects. */
const FIRST_DROPS = `
  with recursive origin(line, drop_id, of_line) as (
    select line, of_drop_id, of_line from redrop_row where drop_id = ? union
    select o.line, r.of_drop_id, r.of_line from origin o
    join redrop_row r on r.drop_id = o.drop_id and r.line = o.of_line
  )
  select line, min(drop_id) as first from origin group by line`;

const CORRECTED =
  'select of_drop_id as dropId, of_line as line from redrop_row where drop_id = ? and line = ?';

/** The places of a lineage, in the order in which they were read. */
export function familyOf(ledger: Ledger, { dropId, line }: RowRef): RowRef[] {
  return prepared(ledger, FAMILY).all(dropId, line) as RowRef[];
}

const FAMILY = `
  with recursive
    back(drop_id, line) as (
      select ?, ? union
      select r.of_drop_id, r.of_line from back join redrop_row r using (drop_id, line)
    ),
    family(drop_id, line) as (
      select drop_id, line from back union
      select r.drop_id, r.line from family f
      join redrop_row r on r.of_drop_id = f.drop_id and r.of_line = f.line
    )
  select f.drop_id as dropId, f.line from family f
  where (select state from drop_file d where d.drop_id = f.drop_id) = 'published'
  order by f.drop_id`;
