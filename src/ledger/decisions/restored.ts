import { firstNow, type Ledger, query } from '../store/query.js';

/**
 * ISO time at which the ledger was set back to a backup, where nobody has finished that yet; null otherwise. What was
 * completed before it, and is new to this ledger, may have been delivered by the one it took the place of.
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
      .limit(1),
  );
  return open?.madeAt ?? null;
}
