import type { Ledger } from '../ledger/query.js';
import { settleDrop } from '../ledger/staging.js';

/** Settles what was staged beside what was there before, letting heartbeats and answers through in between. */
export async function settle(ledger: Ledger, dropId: number, runId: number): Promise<void> {
  for (const _ of settleDrop(ledger, dropId, runId)) await new Promise((resolve) => setImmediate(resolve));
}
