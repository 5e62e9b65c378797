import { type RefusedDrop, refusedDrops } from '../../drops/refused/refused-drops.js';
import { type Ledger, reading } from '../../store/query.js';
import { type CauseCount, causesIn } from '../rows/attention.js';

/** All that needs a person. */
export interface OpenCauses {
  /** Most rows first. */
  readonly causes: readonly CauseCount[];
  /** Files that were set aside and are not closed, the latest first. */
  readonly setAside: readonly RefusedDrop[];
}

/** Reads why rows need a person, from indexes that hold nothing else, and which files are set aside. */
export async function readCauses(ledger: Ledger): Promise<OpenCauses> {
  return reading(ledger, async (ledger) => ({
    causes: await causesIn(ledger, {}),
    setAside: await refusedDrops(ledger),
  }));
}
