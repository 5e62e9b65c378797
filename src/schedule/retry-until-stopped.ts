import type { Clock } from '../domain/clock.js';
import { retryBackOff } from './back-off.js';
import type { ServiceListener } from './service-event.js';

/**
 * Tries what a service needs at its start until it succeeds, ever more seldom. @param waitsFor false: such an error is thrown, because it
 * would be the same the next time. @returns null where `stop` was aborted before.
 */
export async function retryUntilStopped<T>(
  attempt: () => Promise<T>,
  waitsFor: (error: unknown) => boolean,
  {
    clock,
    stop,
    listen,
  }: { readonly clock: Clock; readonly stop: AbortSignal; readonly listen: ServiceListener },
): Promise<T | null> {
  const again = retryBackOff('start', listen);
  while (!stop.aborted) {
    try {
      return await attempt();
    } catch (error) {
      if (!waitsFor(error)) throw error;
      await clock.sleep(again.failed(error), stop);
    }
  }
  return null;
}
