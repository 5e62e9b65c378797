import type { Ledger } from '../store/query.js';

/** A text that the ledger keeps, with the column it stands in: `decision.because`. Personal. */
export interface KeptText {
  readonly place: string;
  readonly text: string;
}

/** Every text in any column of any table that contains these characters, whatever their case (of ASCII letters). */
export function* textsWith({ file: { sqlite } }: Ledger, needle: string): Generator<KeptText> {
  const columns = sqlite
    .prepare(
      `select m.name as tableName, c.name as columnName from sqlite_schema m, pragma_table_info(m.name) c
       where m.type = 'table' and c.type = 'TEXT' order by m.name, c.cid`,
    )
    .all() as { tableName: string; columnName: string }[];
  for (const { tableName, columnName } of columns) {
    const found = sqlite
      .prepare(`select "${columnName}" from "${tableName}" where instr(lower("${columnName}"), lower(?)) > 0`)
      .pluck()
      .all(needle) as string[];
    for (const text of found) yield { place: `${tableName}.${columnName}`, text };
  }
}
