import { type ListedRuns, listRuns, type RunsAsked } from '../../ledger/leases/run-list.js';
import { requireInPlace } from '../../upkeep/expected-ledger.js';
import type { ActionContext } from '../context.js';

/** The runs, a page at a time, each with what it took in and how many requests it made. Nothing of it is personal. */
export async function runList({ ledger }: ActionContext, asked: RunsAsked): Promise<ListedRuns> {
  requireInPlace(ledger);
  return listRuns(ledger, asked);
}
