import BetterSqlite3 from 'better-sqlite3';
import { closeLedger, openLedger } from '../../src/ledger/open.js';
import { manualClock } from '../support/manual-clock.js';
import type { SharedDatabase } from './process-ledger.js';

let bytes: Buffer | null = null;

/** The same salt for every world, so that the same seed gives the same keys. */
const SALT = '5a'.repeat(32);

/** A new ledger in memory, a copy of one that was migrated before. */
export function emptyLedger(): SharedDatabase {
  bytes ??= migrated();
  const sqlite = new BetterSqlite3(bytes);
  sqlite.pragma('foreign_keys = on');
  return { sqlite, salt: SALT, statements: new Map() };
}

function migrated(): Buffer {
  const ledger = openLedger(':memory:', manualClock());
  const copy = ledger.sqlite.serialize();
  closeLedger(ledger);
  return copy;
}
