import { noteSchedulerStart } from '../../ledger/leases/liveness.js';
import type { ActionContext } from '../context.js';

/** Records that a scheduler has started: it is not to blame for entries that were due before. */
export async function scheduleStarted({ ledger }: ActionContext): Promise<void> {
  await noteSchedulerStart(ledger);
}
