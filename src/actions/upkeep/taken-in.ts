import { knownReturned } from '../../ledger/decisions/corrected-rows.js';
import { publishedDrops } from '../../ledger/drops/published-drops.js';
import type { Ledger } from '../../ledger/store/query.js';

/** True where a file's bytes count: as a drop of its source, or as corrections, which may be in any inbox. */
export async function isTakenIn(ledger: Ledger, source: string, sha256: string): Promise<boolean> {
  const drops = await publishedDrops(ledger, { sha256 });
  return drops.some((drop) => drop.source === source) || (await knownReturned(ledger, sha256, null)) !== null;
}
