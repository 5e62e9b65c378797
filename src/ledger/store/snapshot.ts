import { closeLedger, openLedgerToRead } from './open.js';
import { type Ledger, reading } from './query.js';

/** Runs `work` on one snapshot of the ledger, on a connection of its own, so that no other flow waits. */
export async function withSnapshot<T>(ledger: Ledger, work: (snapshot: Ledger) => Promise<T>): Promise<T> {
  const { file, clock } = ledger;
  const own = file === null || file.path === ':memory:' ? null : openLedgerToRead(file.path, clock);
  if (own === null) return reading(ledger, work);
  try {
    return await reading(own, work);
  } finally {
    closeLedger(own);
  }
}
