import { sql } from 'kysely';
import { LEARNER_MARK } from '../../domain/files/guided-workbook.js';
import { cellText } from '../../domain/row.js';
import { cellsIn } from '../drops/rows/kept-rows.js';
import { contains } from '../store/dialect.js';
import { all, type Ledger, query, writing } from '../store/query.js';
import { resolveInvalid } from '../submissions/resolve-invalid.js';

/** Resolves the invalid address rows of a learner: this decision gives the learner the right address. */
export async function resolveAddressRows(ledger: Ledger, learner: string, decisionId: number): Promise<void> {
  const open = await all(
    ledger,
    query
      .selectFrom('drop_file as d')
      .innerJoin('open_item as o', 'o.drop_id', 'd.drop_id')
      .innerJoin('row as r', (join) =>
        join.onRef('r.drop_id', '=', 'o.drop_id').onRef('r.line', '=', 'o.line'),
      )
      .select(['d.drop_id as dropId', 'd.header', 'r.line', 'r.cells'])
      .where('d.state', '=', sql.lit('published'))
      .where(contains(sql.ref('d.header'), JSON.stringify(LEARNER_MARK)))
      .where('o.state', '=', sql.lit('invalid')),
  );
  const about = open.filter(({ header, cells }) => {
    const mark = (JSON.parse(header ?? '[]') as string[]).findIndex((name) => name.trim() === LEARNER_MARK);
    return cellText(cellsIn(cells)?.[mark]).trim() === learner;
  });
  if (about.length === 0) return;
  await writing(ledger, async (ledger) => {
    for (const { dropId, line } of about) await resolveInvalid(ledger, { dropId, line }, decisionId, null);
  });
}
