import type { NewRun } from '../../ledger/attempts/with-run.js';
import { thisProcess } from '../../ledger/leases/owner.js';
import { VERSION } from '../../version.js';

/** The run of an action that a person gives by hand: it has no report, and so answers for no other run. */
export function byHand(): NewRun {
  return { trigger: 'manual', owner: thisProcess(), version: VERSION, environments: null };
}
