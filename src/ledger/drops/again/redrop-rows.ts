import { sql } from 'kysely';
import type { RowRef } from '../../../domain/row-ref.js';
import { all, change, first, type Ledger, query } from '../../store/query.js';

/** The row that a row of a corrected attention file corrects. */
export interface Original extends RowRef {
  /** True where what the corrected row becomes closes the open members of the lineage; false where the row changes nothing. */
  readonly takesPlace: boolean;
}

/** Records the original of a corrected attention file's row. Call it in the transaction that writes the row. */
export async function insertRedropRow(ledger: Ledger, row: RowRef, of: Original): Promise<void> {
  await change(
    ledger,
    query.insertInto('redrop_row').values({
      drop_id: row.dropId,
      line: row.line,
      of_drop_id: of.dropId,
      of_line: of.line,
      takes_place: of.takesPlace ? 1 : 0,
    }),
  );
}

/** True for a drop that was a corrected attention file. */
export async function isRedrop(ledger: Ledger, dropId: number): Promise<boolean> {
  const rows = query.selectFrom('redrop_row').select('line').where('drop_id', '=', dropId);
  return (await first(ledger, rows.limit(sql.lit(1)))) !== undefined;
}

/** The drops in which the rows of a corrected file were first read, by their lines; none for any other file. */
export async function firstDrops(ledger: Ledger, dropId: number): Promise<ReadonlyMap<number, number>> {
  return new Map((await origins(ledger, dropId)).map(({ line, firstId }) => [line, firstId]));
}

/** The drops whose rows a corrected file corrects, each with those in which these rows were first read; none for any other file. */
export async function correctedDropIds(
  ledger: Ledger,
  dropId: number,
): Promise<readonly { readonly ofId: number; readonly firstId: number }[]> {
  const pairs = await origins(ledger, dropId);
  return [...new Map(pairs.map((pair) => [`${pair.ofId} ${pair.firstId}`, pair])).values()];
}

/** In the order of the file. A correction is a later drop than what it corrects. */
async function origins(ledger: Ledger, dropId: number) {
  const found = sql<{ line: number; ofId: number; firstId: number }>`
    with recursive origin(line, drop_id, of_line) as (
      select line, of_drop_id, of_line from redrop_row where drop_id = ${dropId} union
      select o.line, r.of_drop_id, r.of_line from origin o
      join redrop_row r on r.drop_id = o.drop_id and r.line = o.of_line
    )
    select line, max(drop_id) as "ofId", min(drop_id) as "firstId" from origin group by line order by line`;
  return all(ledger, found);
}

/** The places of a lineage, in the order in which they were read. */
export async function familyOf(ledger: Ledger, { dropId, line }: RowRef): Promise<readonly RowRef[]> {
  const family = sql<RowRef>`
    with recursive
      back(drop_id, line) as (
        select drop_id, line from row where drop_id = ${dropId} and line = ${line} union
        select r.of_drop_id, r.of_line from back join redrop_row r using (drop_id, line)
      ),
      family(drop_id, line) as (
        select drop_id, line from back union
        select r.drop_id, r.line from family f
        join redrop_row r on r.of_drop_id = f.drop_id and r.of_line = f.line
      )
    select f.drop_id as "dropId", f.line from family f
    where (select state from drop_file d where d.drop_id = f.drop_id) = 'published'
    order by f.drop_id`;
  return all(ledger, family);
}
