import type { ActionContext } from '../actions/context.js';
import type { Clock } from '../domain/clock.js';
import { isPassing } from '../domain/process/io-hints.js';
import { backOff } from './back-off.js';
import type { ServiceListener } from './service-event.js';

const FIRST_AGAIN_MS = 1_000;
const LONGEST_AGAIN_MS = 60_000;

/**
 * Opens the workspace of a service, and tries again while the disk is full or another program locks the ledger. Any other error
 * is thrown: it would be the same the next time. @returns null where `stop` was aborted before.
 */
export async function openPatiently(
  open: () => Promise<ActionContext>,
  clock: Clock,
  stop: AbortSignal,
  listen: ServiceListener,
): Promise<ActionContext | null> {
  const again = backOff(FIRST_AGAIN_MS, LONGEST_AGAIN_MS);
  while (!stop.aborted) {
    try {
      return await open();
    } catch (error) {
      if (!isPassing(error)) throw error;
      const againMs = again.failed();
      listen({ kind: 'failed', job: 'start', error, againMs });
      await clock.sleep(againMs, stop);
    }
  }
  return null;
}
