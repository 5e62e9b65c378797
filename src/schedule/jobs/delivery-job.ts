import type { ActionContext } from '../../actions/context.js';
import type { RunResult } from '../../actions/run/envelope.js';
import { awaitsDelivery } from '../../actions/service/awaiting-delivery.js';
import { backOff, retryBackOff } from '../back-off.js';
import type { ServiceListener } from '../service-event.js';

/** How often the ledger is queried for waiting rows: another process may have staged them. */
const LOOK_MS = 2_000;

/** An environment that can't be used is tried again after its `outage`, then ever later, at last four times an hour. */
const LONGEST_AGAIN_MS = 900_000;

/**
 * Delivers to an environment whenever something waits for it, until `stop` is aborted. @param deliver a run that pushes to it
 * until nothing waits or the push can't go on.
 */
export async function deliveryJob(
  context: ActionContext,
  environment: string,
  deliver: () => Promise<RunResult>,
  stop: AbortSignal,
  listen: ServiceListener,
): Promise<void> {
  const outageMs = context.config.environments[environment]?.outageMs ?? 0;
  const again = backOff(Math.max(outageMs, LOOK_MS), LONGEST_AGAIN_MS);
  const afterError = retryBackOff(`deliver to ${environment}`, listen);
  while (!stop.aborted) {
    let waitMs = LOOK_MS;
    try {
      if (await awaitsDelivery(context, environment)) {
        const result = await deliver();
        listen({ kind: 'ran', result });
        if (hasMoved(result)) again.worked();
        else if (!isElsewhere(result)) waitMs = again.failed();
      }
      afterError.worked();
    } catch (error) {
      waitMs = afterError.failed(error);
    }
    await context.clock.sleep(waitMs, stop);
  }
}

/** False for a run after which another one at once would be the same. */
function hasMoved({ pushes, report }: RunResult): boolean {
  return Object.values(pushes).every(({ kind }) => kind === 'drained') && report.attempts.total > 0;
}

/** True where another process has begun to deliver meanwhile: whatever becomes of it, what waits then is this one's. */
function isElsewhere({ pushes }: RunResult): boolean {
  return Object.values(pushes).some(({ kind }) => kind === 'elsewhere');
}
