import type { ActionContext } from '../../actions/context.js';
import { serviceSignsOn } from '../../actions/service/presence.js';
import { retryBackOff } from '../back-off.js';
import type { ServiceListener } from '../service-event.js';

const SIGN_MS = 60_000;

/**
 * Signs the service on and shows every minute that it lives, until `stop` is aborted.
 * @param stopRequested aborted where an operator stops the service: it then signs off, and is not reported as gone.
 */
export async function signOfLifeJob(
  context: ActionContext,
  { stop, stopRequested }: { readonly stop: AbortSignal; readonly stopRequested: AbortSignal },
  listen: ServiceListener,
): Promise<void> {
  const again = retryBackOff('sign of life', listen);
  let signedOn: Awaited<ReturnType<typeof serviceSignsOn>> | null = null;
  while (!stop.aborted) {
    let waitMs = SIGN_MS;
    try {
      if (signedOn === null) signedOn = await serviceSignsOn(context);
      else await signedOn.recordHeartbeat();
      again.worked();
    } catch (error) {
      waitMs = again.failed(error);
    }
    await context.clock.sleep(waitMs, stop);
  }
  try {
    if (stopRequested.aborted) await signedOn?.signOff();
  } catch (error) {
    // The service ends all the same, and is missed: a full disk needs attention anyway.
    again.failed(error);
  }
}
