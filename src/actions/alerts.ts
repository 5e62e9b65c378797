import { errorsOf, type OperatorError } from '../domain/operator-error.js';
import type { SentNotifications } from './alerts/reconcile-and-notify.js';
import type { ActionContext } from './context.js';

const NOTHING: SentNotifications = { opened: [], recovered: [], channels: [] };

/**
 * Compares current findings with the open alerts, and sends each channel its due notifications, each once, however many
 * processes call it. A failing channel is no error: a later call sends its notifications.
 * @param stop aborted to stop sending; a later call sends the rest.
 */
export async function sendNotifications(context: ActionContext, stop = NEVER): Promise<SentNotifications> {
  if (stop.aborted) return NOTHING;
  const { reconcileAndNotify } = await import('./alerts/reconcile-and-notify.js');
  return reconcileAndNotify(context, stop);
}

const NEVER = new AbortController().signal;

/** The same at the end of other work: failures are returned, not thrown, so that they don't spoil that work. */
export async function sendDueNotifications(
  context: ActionContext,
  stop: AbortSignal,
): Promise<readonly OperatorError[]> {
  try {
    const { channels } = await sendNotifications(context, stop);
    return channels.flatMap(({ channel, error }) => {
      if (error === null) return [];
      const hint = `Its notifications are kept, and the next run tries again; registrar alerts test --channel ${channel} tries it now.`;
      return notSent(channel, `alert channel ${channel} ${error}`, hint, { exit: 'attention' });
    });
  } catch (error) {
    const message = `notifications could not be sent: ${(error as Error).message}`;
    const hint = 'The result of the run itself is unchanged; the next one tries again.';
    return [notSent('alerts', message, hint, { exit: 'attention', cause: error })];
  }
}

const notSent = errorsOf('send notifications');
