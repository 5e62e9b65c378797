import { type RawBuilder, sql } from 'kysely';
import type { Ledger } from './query.js';

/** How much a ledger holds, and how far it has come. */
export type LedgerTotals = Awaited<ReturnType<typeof ledgerTotals>>;

/** Tables that rows are only ever added to. */
export const GROWING = ['attempts', 'responses', 'transitions', 'decisions', 'runs', 'drops'] as const;

/**
 * Counts what the ledger holds, at one moment; `rows`: those read from published drops. Times are ISO, of its first run and its latest
 * entries; null before the first.
 */
export async function ledgerTotals(ledger: Ledger) {
  const count = (table: RawBuilder<unknown>) => sql<number>`(select count(*) from ${table})`;
  const counted = await ledger.db
    .selectFrom('ledger')
    .select([
      count(sql`drop_file`).as('drops'),
      sql<number>`(select coalesce(sum(rows_read), 0) from drop_file where state = 'published')`.as('rows'),
      count(sql`submission`).as('submissions'),
      sql<number>`(select count(*) from submission where state = 'accepted')`.as('accepted'),
      count(sql`attempt`).as('attempts'),
      count(sql`response`).as('responses'),
      count(sql`transition`).as('transitions'),
      count(sql`decision`).as('decisions'),
      count(sql`run`).as('runs'),
      sql<string | null>`(select started_at from run order by run_id limit 1)`.as('firstRunAt'),
      sql<string | null>`(select max(started_at) from run)`.as('newestRunAt'),
      // By its number, which an index finds: the wall clock may have been set back.
      sql<string | null>`(select started_at from attempt order by attempt_id desc limit 1)`.as(
        'newestAttemptAt',
      ),
    ])
    .executeTakeFirst();
  if (!counted) throw new Error('a ledger without its own row');
  return counted;
}
