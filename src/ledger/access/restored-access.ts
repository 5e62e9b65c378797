import type { Database } from 'better-sqlite3';
import { change, type Ledger, query } from '../store/query.js';
import { replaceRows } from '../store/sqlite/set-aside.js';

/**
 * Nobody gets in by what a restore brings back: sessions have ended, and tokens are those of the replaced ledger, revoked ones
 * revoked. Where that can't be read, the backup's tokens are valid as they were.
 */
export async function keepAccess(ledger: Ledger, other: Database | null): Promise<void> {
  await change(ledger, query.deleteFrom('session'));
  if (other !== null) replaceRows(ledger, other, 'api_token');
}
