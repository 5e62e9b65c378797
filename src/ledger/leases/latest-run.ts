import { sql } from 'kysely';
import type { RunEnd } from '../../domain/process/run.js';
import { first, type Ledger, query } from '../store/query.js';

/** How the latest run ended, and when; null: none has. */
export async function latestRun(
  ledger: Ledger,
): Promise<{ readonly end: RunEnd; readonly at: string } | null> {
  const ended = await first(
    ledger,
    query
      .selectFrom('run')
      .select(['ending as end', 'ended_at as at'])
      .where('ended_at', 'is not', null)
      .orderBy('run_id', 'desc')
      .limit(sql.lit(1)),
  );
  return ended == null || ended.end === null || ended.at === null ? null : { end: ended.end, at: ended.at };
}
