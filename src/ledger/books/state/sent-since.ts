import { sql } from 'kysely';
import { inTurn } from '../../../domain/process/in-turn.js';
import { all, first, type Ledger, query } from '../../store/query.js';

/** The requests of a minute. */
export interface SentInMinute {
  /** ISO time at which the minute begins. */
  readonly at: string;
  readonly requests: number;
  /** Rows whose request the platform accepted at once. */
  readonly accepted: number;
  readonly refused: number;
  readonly throttled: number;
}

/** The most requests that are counted, the latest ones: some hundred milliseconds. */
const MOST_REQUESTS = 150_000;

/** Requests since an ISO time, minute by minute; a minute without any is left out. */
export async function sentSince(ledger: Ledger, sinceIso: string): Promise<SentInMinute[]> {
  const from = await firstAttemptSince(ledger, sinceIso);
  const counted = await all(
    ledger,
    query
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
      .where('a.attempt_id', '>=', from)
      .where('a.started_at', '>=', sinceIso)
      .groupBy('minute')
      .orderBy('minute'),
  );
  return inTurn(counted, async ({ minute, ...sent }) => ({ at: `${minute}:00.000Z`, ...sent }));
}

/**
 * About the first request that left at or after a time. Requests are numbered as they leave, so that halving finds it; a clock that
 * was set back since may hide some.
 */
async function firstAttemptSince(ledger: Ledger, sinceIso: string): Promise<number> {
  const bounds = await first(
    ledger,
    query.selectNoFrom([
      sql<number>`coalesce((select min(attempt_id) from attempt), 0)`.as('from'),
      sql<number>`coalesce((select max(attempt_id) from attempt), 0)`.as('to'),
    ]),
  );
  let { from = 0, to = 0 } = bounds ?? {};
  from = Math.max(from, to - MOST_REQUESTS);
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    const found = await first(
      ledger,
      query
        .selectFrom('attempt')
        .select('started_at as at')
        .where('attempt_id', '>=', middle)
        .orderBy('attempt_id')
        .limit(sql.lit(1)),
    );
    if (found === undefined || found.at >= sinceIso) to = middle;
    else from = middle + 1;
  }
  return from;
}
