import { schedulerStarted } from '../ledger/liveness.js';
import type { ActionContext } from './context.js';

/** Notes that a scheduler has started: what was due before that is no fault of its own. */
export function scheduleStarted({ ledger }: ActionContext): void {
  schedulerStarted(ledger);
}
