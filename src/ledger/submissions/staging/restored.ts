import { sql } from 'kysely';
import type { Ledger } from '../../store/query.js';

/**
 * ISO time at which the ledger was restored from a backup, while that restore is not finished; null otherwise. The replaced
 * ledger may have delivered records that were completed before that time and are new to this one.
 */
export async function restoredAt(ledger: Ledger): Promise<string | null> {
  const open = await ledger.db
    .selectFrom('decision')
    .select('made_at as madeAt')
    .where('kind', '=', 'restore')
    .where('finished_at', 'is', null)
    .orderBy('made_at', 'desc')
    .limit(sql.lit(1))
    .executeTakeFirst();
  return open?.madeAt ?? null;
}
