import type { Disposition } from '../../domain/row.js';
import { type Ledger, prepared, query } from '../store/query.js';

/** One drop's control totals. */
export function dropDispositions(ledger: Ledger, dropId: number): Record<Disposition, number> {
  return prepared(ledger, DISPOSITIONS_OF).get(dropId) as Record<Disposition, number>;
}

const DISPOSITIONS_OF = query
  .selectFrom('drop_file')
  .select(['staged', 'duplicate', 'amended', 'invalid', 'skipped', 'non_data as non-data', 'blank'])
  .where('drop_id', '=', 0)
  .compile().sql;
