import type { Ledger } from '../ledger/query.js';
import { settleDrop } from '../ledger/staging.js';

/** Settles what was staged beside what was there before, letting heartbeats and answers through in between. */
export function settle(ledger: Ledger, dropId: number, runId: number): Promise<void> {
  return steps(settleDrop(ledger, dropId, runId));
}

/** Carries out one short transaction after the other, letting heartbeats and answers through in between. */
export async function steps(transactions: Iterable<void>): Promise<void> {
  for (const _ of transactions) await new Promise((resolve) => setImmediate(resolve));
}
