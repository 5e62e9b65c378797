import { noteSchedulerStart } from '../../ledger/leases/liveness.js';
import type { ActionContext } from '../context.js';

/** Notes that a scheduler has started: what was due before that is no fault of its own. */
export async function scheduleStarted({ ledger }: ActionContext): Promise<void> {
  await noteSchedulerStart(ledger);
}
