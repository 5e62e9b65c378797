import { sql } from 'kysely';
import type { Ledger } from '../../store/query.js';

/** The table that a drop belongs to. Proof from whole columns is drawn from all rows of the table. */
export interface DropTable {
  /**
   * Rows up to this line are the header and the rows above it; 0 where the table has several sheets, whose rows come without
   * header.
   */
  readonly headerLine: number;
  /** In order: the drop, or all sheets of its file where the table continues from sheet to sheet and each sheet is a drop. */
  readonly sheets: readonly {
    readonly dropId: number;
    /** Rows up to this line are left out. */
    readonly afterLine: number;
  }[];
}

/** The table that a published drop belongs to. */
export async function tableOf(
  ledger: Ledger,
  { dropId, headerLine }: { readonly dropId: number; readonly headerLine: number },
): Promise<DropTable> {
  const sheets = await ledger.db
    .selectFrom('drop_file as d')
    .innerJoin('drop_file as o', (join) =>
      join.onRef('o.source', '=', 'd.source').onRef('o.sha256', '=', 'd.sha256'),
    )
    .select(['d.drop_id as dropId', sql<number>`coalesce(d.header_line, 0)`.as('afterLine')])
    .where('o.drop_id', '=', dropId)
    .where('d.state', '=', sql.lit('published'))
    // The first sheet may have been taken in before, or after the others.
    .orderBy(sql`d.part <> ''`)
    .orderBy('d.drop_id')
    .execute();
  const isOneOf = sheets.some((sheet) => sheet.dropId === dropId);
  if (!isOneOf || sheets.length === 1) return { headerLine, sheets: [{ dropId, afterLine: 0 }] };
  return { headerLine: 0, sheets };
}
