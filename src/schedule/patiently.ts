import type { Clock } from '../domain/clock.js';
import { backOff } from './back-off.js';
import type { ServiceListener } from './service-event.js';

const FIRST_AGAIN_MS = 1_000;
const LONGEST_AGAIN_MS = 60_000;

/**
 * Tries what a service needs at its start until it succeeds, ever more seldom. @param waitsFor false: such an error is thrown, because it
 * would be the same the next time. @returns null where `stop` was aborted before.
 */
export async function patiently<T>(
  attempt: () => Promise<T>,
  waitsFor: (error: unknown) => boolean,
  {
    clock,
    stop,
    listen,
  }: { readonly clock: Clock; readonly stop: AbortSignal; readonly listen: ServiceListener },
): Promise<T | null> {
  const again = backOff(FIRST_AGAIN_MS, LONGEST_AGAIN_MS);
  while (!stop.aborted) {
    try {
      return await attempt();
    } catch (error) {
      if (!waitsFor(error)) throw error;
      const againMs = again.failed();
      listen({ kind: 'failed', job: 'start', error, againMs });
      await clock.sleep(againMs, stop);
    }
  }
  return null;
}
