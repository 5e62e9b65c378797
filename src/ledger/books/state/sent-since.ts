import { sql } from 'kysely';
import type { Ledger } from '../../store/query.js';

/** The most requests that are counted, the latest ones: some hundred milliseconds. */
const MAX_REQUESTS = 150_000;

/** The requests of a minute, and the rows whose request the platform accepted at once. `at`: ISO time at which it begins. */
export type SentInMinute = Awaited<ReturnType<typeof sentSince>>[number];

/** Requests since an ISO time, minute by minute; a minute without any is left out. */
export async function sentSince(ledger: Ledger, sinceIso: string) {
  const latest = sql<number>`(select max(attempt_id) from attempt)`;
  const counted = await ledger.db
    .selectFrom('attempt as a')
    .leftJoin('response as r', (join) =>
      join.onRef('r.attempt_id', '=', 'a.attempt_id').on(sql<boolean>`r.late = 0`),
    )
    .select([
      sql<string>`substr(a.started_at, 1, 16)`.as('minute'),
      sql<number>`count(*)`.as('requests'),
      sql<number>`coalesce(sum((select count(*) from attempt_submission x
          where x.attempt_id = a.attempt_id)) filter (where r.outcome = 'accepted'), 0)`.as('accepted'),
      sql<number>`count(*) filter (where r.outcome = 'rejected')`.as('refused'),
      sql<number>`count(*) filter (where r.outcome = 'throttled')`.as('throttled'),
    ])
    .where('a.attempt_id', '>', sql<number>`${latest} - ${sql.lit(MAX_REQUESTS)}`)
    .where('a.started_at', '>=', sinceIso)
    .groupBy('minute')
    .orderBy('minute')
    .execute();
  return counted.map(({ minute, ...sent }) => ({ at: `${minute}:00.000Z`, ...sent }));
}
