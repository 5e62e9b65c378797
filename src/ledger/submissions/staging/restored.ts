import { sql } from 'kysely';
import { firstNow, type Ledger, query } from '../../store/query.js';

/**
 * ISO time at which the ledger was restored from a backup, while that restore is not finished; null otherwise. The replaced
 * ledger may have delivered records that were completed before that time and are new to this one.
 */
export function restoredAt(ledger: Ledger): string | null {
  const open = firstNow(
    ledger,
    query
      .selectFrom('decision')
      .select('made_at as madeAt')
      .where('kind', '=', 'restore')
      .where('finished_at', 'is', null)
      .orderBy('made_at', 'desc')
      .limit(sql.lit(1)),
  );
  return open?.madeAt ?? null;
}
