import { type RunInFull, readRunInFull } from '../../ledger/leases/run-in-full.js';
import { maskRefusal } from '../../report/words/mask.js';
import { requireInPlace } from '../../upkeep/expected-ledger.js';
import type { ActionContext } from '../context.js';

/** More files than these are looked at in the list of files. */
const MOST_DROPS = 200;

/** One run with its files and its answers; null where there is none of this number. */
export async function runInFull(
  { ledger }: ActionContext,
  { run, isMasked }: { readonly run: number; readonly isMasked: boolean },
): Promise<RunInFull | null> {
  requireInPlace(ledger);
  const found = await readRunInFull(ledger, run, MOST_DROPS);
  if (found === null || !isMasked) return found;
  const masked = (text: string | null) => (text === null ? null : maskRefusal(text));
  return { ...found, drops: found.drops.map((drop) => ({ ...drop, refusal: masked(drop.refusal) })) };
}
