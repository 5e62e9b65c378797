import { type RunInFull, readRunInFull } from '../../ledger/leases/run-in-full.js';
import { requireInPlace } from '../../upkeep/expected-ledger.js';
import type { ActionContext } from '../context.js';

/** More files than these are looked at in the list of files. */
const MOST_DROPS = 200;

/** One run with its files and its answers; null where there is none of this number. Personal. */
export async function runInFull(
  { ledger }: ActionContext,
  { run }: { readonly run: number },
): Promise<RunInFull | null> {
  requireInPlace(ledger);
  return readRunInFull(ledger, run, MOST_DROPS);
}
