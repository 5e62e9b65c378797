import type { SentNotifications } from '../../actions/alerts/reconcile-and-notify.js';
import { sendNotifications } from '../../actions/alerts.js';
import type { ActionContext } from '../../actions/context.js';
import { backOff } from '../back-off.js';
import type { ServiceListener } from '../service-event.js';

/** Some things are wrong because nothing happens: a file that doesn't come, an end that moves on. */
const LOOK_MS = 60_000;

const LONGEST_AGAIN_MS = 900_000;

/** Sends notifications of what is wrong, and of its end, until `stop` is aborted. A failed notification is sent again later. */
export async function alertsJob(
  context: ActionContext,
  stop: AbortSignal,
  listen: ServiceListener,
): Promise<void> {
  // Without channels alerts are kept for status and pages, and are no news for the log.
  const hasChannels = context.config.alerts.channels.length > 0;
  const again = backOff(LOOK_MS, LONGEST_AGAIN_MS);
  while (!stop.aborted) {
    let waitMs = LOOK_MS;
    try {
      const sent = await sendNotifications(context, stop);
      if (hasChannels && hasNews(sent)) listen({ kind: 'notified', sent });
      again.worked();
    } catch (error) {
      waitMs = again.failed();
      listen({ kind: 'failed', job: 'alerts', error, againMs: waitMs });
    }
    await context.clock.sleep(waitMs, stop);
  }
}

function hasNews({ opened, recovered, channels }: SentNotifications): boolean {
  return opened.length + recovered.length + channels.length > 0;
}
