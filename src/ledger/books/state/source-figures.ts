import { sql } from 'kysely';
import { all, type Ledger } from '../../store/query.js';
import { dispositionTotals } from '../books.js';
import { published } from '../submission-counts.js';

/** What came in from each source that has published drops, and the invalid rows that nobody has corrected or dismissed. */
export async function sourcesIn(ledger: Ledger) {
  const found = await ledger.db
    .selectFrom('drop_file')
    .select(['source', sql<number>`count(*)`.as('drops'), ...dispositionTotals])
    .where('state', '=', sql.lit('published'))
    .groupBy('source')
    .execute();
  const open = await invalidBySource(ledger);
  return found.map(({ source, drops, ...dispositions }) => ({
    source,
    drops,
    dispositions,
    invalidOpen: open.get(source) ?? 0,
  }));
}

async function invalidBySource(ledger: Ledger): Promise<ReadonlyMap<string, number>> {
  const found = await all(
    ledger,
    published()
      .select(['d.source', sql<number>`sum(n.count)`.as('count')])
      .where('n.state', '=', sql.lit('invalid'))
      .groupBy('d.source'),
  );
  return new Map(found.map(({ source, count }) => [source, count]));
}
