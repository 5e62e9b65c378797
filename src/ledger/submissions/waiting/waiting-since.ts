import { sql } from 'kysely';
import { isStaged } from '../../drops/drops.js';
import { count, inEnvironment, type Ledger, query } from '../../store/query.js';

/** Rows that are looked at: some that a decision released a moment ago may come before one that has waited for long. */
const NEXT_ROWS = 1_000;

/**
 * ISO time since which the oldest of the rows that are next has waited, one that is being sent included: since its drop was
 * published, or a decision or the end of a hold made it wait. null: none waits.
 */
export async function waitingSince(ledger: Ledger, environment: string): Promise<string | null> {
  const next = (which: ReturnType<typeof sql>) => sql`select * from (
    select submission_id, drop_id, decision_id from submission
    where environment_id = (select e.environment_id from environment e where e.name = ${environment})
      and ${which} and ${isStaged('drop_id')}
    order by drop_id, line limit ${sql.lit(NEXT_ROWS)}) n`;
  const rows = sql<{ submission_id: number; drop_id: number; decision_id: number | null }>`(
    ${next(sql`state = 'waiting' and priority = 1`)} union all ${next(sql`state = 'waiting' and priority = 0`)}
    union all ${next(sql`state = 'sending'`)})`;
  const since = sql<string | null>`min(coalesce(
    (select max(t.at) from transition t where t.submission_id = w.submission_id and t.event in ('rerun', 'released')),
    (select c.made_at from decision c where c.decision_id = w.decision_id),
    (select d.published_at from drop_file d where d.drop_id = w.drop_id)))`;
  return (
    (await ledger.db.selectFrom(rows.as('w')).select(since.as('since')).executeTakeFirst())?.since ?? null
  );
}

/** How many rows of an environment came in by an ISO time and are neither delivered nor decided yet. */
export async function countDue(ledger: Ledger, environment: string, by: string): Promise<number> {
  const due = query
    .selectFrom('submission')
    .innerJoin('drop_file as d', 'd.drop_id', 'submission.drop_id')
    .where(inEnvironment(environment))
    .where('submission.state', 'in', ['waiting', 'sending'])
    .where('d.published_at', '<=', by);
  return count(ledger, due);
}
