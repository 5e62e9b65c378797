import { leaseHolder } from '../../leases/leases.js';
import { type Ledger, reading } from '../../store/query.js';
import { learnersDue, type RecheckPolicy } from '../rechecks.js';
import { waitingInOrder } from './queue.js';

/** Says whether an environment has something to deliver, rows of published drops that wait or learners to recheck, and nobody delivers to it. */
export async function deliverable(
  ledger: Ledger,
  environment: string,
  recheck: RecheckPolicy,
): Promise<boolean> {
  return reading(ledger, async (ledger) => {
    if ((await leaseHolder(ledger, `push:${environment}`)) !== null) return false;
    for await (const _ of waitingInOrder(ledger, environment, [], null)) return true;
    return (await learnersDue(ledger, environment, recheck)).length > 0;
  });
}
