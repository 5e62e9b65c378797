import { sql } from 'kysely';
import type { ReportSelection } from '../drops/report-selection.js';
import { each, type Ledger, query } from '../store/query.js';
import { attemptIn } from './requests.js';

/** The precision of times, as the number of equal characters at the beginning of their ISO texts. */
const PRECISION = { second: 19, minute: 16, hour: 13, day: 10 } as const;

/** What completes an ISO time that was cut. */
const CUT_OFF = '0000-01-01T00:00:00.000Z';

/** When the first and the last request of the selection left; null when none did. */
export async function sentBetween(
  ledger: Ledger,
  selection: ReportSelection,
): Promise<{ first: string; last: string } | null> {
  const span = await ledger.db
    .selectFrom('attempt as a')
    .select([
      sql<string | null>`min(a.started_at)`.as('first'),
      sql<string | null>`max(a.started_at)`.as('last'),
    ])
    .where(attemptIn(selection))
    .executeTakeFirst();
  return span?.first && span.last ? { first: span.first, last: span.last } : null;
}

/**
 * Requests of the selection (those that `attemptsIn` counts) by when they left, oldest first; `at`: ISO time, cut to the precision. The first answer to each counts,
 * whenever it came, so that the outcomes add up to the requests sent.
 */
export async function* sentOverTime(
  ledger: Ledger,
  selection: ReportSelection,
  precision: keyof typeof PRECISION,
) {
  const length = PRECISION[precision];
  const counted = await each(
    ledger,
    query
      .selectFrom('attempt as a')
      .leftJoin('response as r', (join) =>
        join.onRef('r.attempt_id', '=', 'a.attempt_id').on(sql<boolean>`r.late = 0`),
      )
      .select([
        sql<string>`substr(a.started_at, 1, ${sql.lit(length)})`.as('time'),
        sql<number>`count(*)`.as('sent'),
        sql<number>`count(*) filter (where r.outcome = 'accepted')`.as('accepted'),
        sql<number>`count(*) filter (where r.outcome = 'rejected')`.as('refused'),
        sql<number>`count(*) filter (where r.outcome = 'throttled')`.as('throttled'),
        sql<number>`count(*) filter (where r.outcome is null)`.as('open'),
      ])
      .where(attemptIn(selection))
      .groupBy(sql`1`)
      .orderBy(sql`1`),
  );
  for await (const { time, ...count } of counted) {
    const { sent, accepted, refused, throttled, open } = count;
    const failed = sent - accepted - refused - throttled - open;
    yield { at: time + CUT_OFF.slice(length), ...count, failed };
  }
}
