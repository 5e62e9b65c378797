import type { Disposition } from '../../domain/row.js';
import { first, type Ledger, query } from '../store/query.js';

/** One drop's control totals. */
export async function dropDispositions(ledger: Ledger, dropId: number): Promise<Record<Disposition, number>> {
  const totals = query
    .selectFrom('drop_file')
    .select(['staged', 'duplicate', 'amended', 'invalid', 'skipped', 'non_data as non-data', 'blank'])
    .where('drop_id', '=', dropId);
  return (await first(ledger, totals)) as Record<Disposition, number>;
}
