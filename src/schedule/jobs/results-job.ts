import type { ActionContext } from '../../actions/context.js';
import { deliverResults } from '../../actions/results/deliver-results.js';
import { retryBackOff } from '../back-off.js';
import type { ServiceListener } from '../service-event.js';

/** How often the ledger is queried for due results. */
const LOOK_MS = 2_000;

/** Delivers the results of files to their senders, until `stop` is aborted. Ends at once where no source has a target for them. */
export async function resultsJob(
  context: ActionContext,
  stop: AbortSignal,
  listen: ServiceListener,
): Promise<void> {
  const again = retryBackOff('results', listen);
  while (!stop.aborted && context.config.sources.some(({ results }) => results !== undefined)) {
    let waitMs = LOOK_MS;
    try {
      for (const error of await deliverResults(context, stop, { isPatient: true })) {
        listen({ kind: 'failed', job: 'results', error, againMs: null });
      }
      again.worked();
    } catch (error) {
      waitMs = again.failed(error);
    }
    await context.clock.sleep(waitMs, stop);
  }
}
