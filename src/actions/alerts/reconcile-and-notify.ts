import { send } from '../../alerts/channels/send.js';
import { type AlertEntry, messageOf } from '../../alerts/message.js';
import type { ChannelConfig } from '../../config/schema/alerts-schema.js';
import { ALERT_KINDS, type Alert, type Condition } from '../../domain/alerts/alert.js';
import { isoFromMs } from '../../domain/clock.js';
import { outageCode } from '../../domain/health/health.js';
import { linkedSignal } from '../../domain/process/linked-signal.js';
import { retryWaitMs } from '../../domain/process/retry-wait.js';
import {
  type DueNotification,
  reconcileAlerts,
  recordNotification,
} from '../../ledger/alerts/reconcile-alerts.js';
import { type PresentState, readState } from '../../ledger/books/state/read-state.js';
import { outageReason } from '../../platform/answers/fault-words.js';
import { alertWords } from '../../report/words/alert-words.js';
import type { ActionContext } from '../context.js';
import { readHealth } from '../health/read-health.js';
import { originOf } from './test-channels.js';

const PARTS = ['sourceCauses', 'shares', 'refusedFiles', 'outages'] as const;

/** How many alerts a channel had to send, and why it didn't take them, as the end of a sentence; null: it took them. */
interface ChannelResult {
  readonly channel: string;
  readonly alerts: number;
  /** Why it didn't take them, as the end of a sentence about the channel; null: it took them. */
  readonly error: string | null;
}

/** What has changed since the last notifications, and the results of sending. */
export type SentNotifications = Awaited<ReturnType<typeof reconcileAndNotify>>;

/** All that decides alerts about rows, and what only channels with `details` send. */
type Watched = Pick<PresentState, (typeof PARTS)[number]>;

/** Below this a share is not meaningful. */
const MIN_ROWS_OF_SHARE = 20;

/** Longer than a notification may take, so that no other process sends the same meanwhile. */
const CLAIM_MS = 300_000;

/** The default kinds of a channel. */
const PROBLEMS = ALERT_KINDS.filter((kind) => kind !== 'run');

export async function reconcileAndNotify(context: ActionContext, stop: AbortSignal) {
  const { ledger, config } = context;
  const watched = await readState(ledger, PARTS);
  const health = await readHealth(context);
  const { opened, recovered, due } = await reconcileAlerts(ledger, {
    conditions: [
      ...rowConditions(watched, config.alerts.attentionShare),
      ...health.findings.map(({ part: kind, subject, code, exit: _, ...facts }): Condition => {
        return { kind, subject, code, facts };
      }),
    ],
    unknown: health.unknown.map(({ part: kind, subject }) => ({ kind, subject })),
    channels: config.alerts.channels.map(({ name, only }) => ({
      name,
      kinds: only.length === 0 ? PROBLEMS : only,
    })),
    recoverAfterMs: config.alerts.recoverAfterMs,
    claimMs: CLAIM_MS,
  });
  const linked = linkedSignal([stop]);
  const deliver = (notifications: readonly DueNotification[]) =>
    sendAll(notifications, { context, watched, stop: linked.signal });
  const first = await deliver(due.filter((notification) => !opensFailure(notification)));
  // A channel that accepted its notifications has recovered.
  const working = first.filter(({ error }) => error === null).map(({ channel }) => channel);
  const failures = due.filter(opensFailure);
  const over = failures.filter(({ alert }) => working.includes(alert.subject));
  const overIds = over.map(({ notificationId }) => notificationId);
  await recordNotification(ledger, overIds, { kind: 'needless' });
  const then = await deliver(failures.filter((notification) => !over.includes(notification)));
  linked.unlink();
  return { opened, recovered, channels: [...first, ...then] };
}

/** Rows of a source that need attention, by their cause, and a large share of them. */
function rowConditions({ sourceCauses, shares }: Watched, attentionShare: number): Condition[] {
  return [
    ...sourceCauses.map(({ source, code, rows, state, cause }): Condition => {
      return { kind: 'cause', subject: source, code, facts: { rows, state, cause } };
    }),
    ...shares.flatMap(({ source, rows, attention }): Condition[] => {
      if (rows < MIN_ROWS_OF_SHARE || attention * 100 <= attentionShare * rows) return [];
      const percent = Math.round((attention / rows) * 100);
      return [{ kind: 'share', subject: source, code: '', facts: { rows, attention, percent } }];
    }),
  ];
}

function opensFailure({ what, alert }: DueNotification): boolean {
  return what === 'opened' && alert.kind === 'channel';
}

interface Sending {
  readonly context: ActionContext;
  readonly watched: Watched;
  readonly stop: AbortSignal;
}

async function sendAll(due: readonly DueNotification[], sending: Sending): Promise<ChannelResult[]> {
  const results = await Promise.allSettled(
    sending.context.config.alerts.channels.map(async (channel) => {
      const own = due.filter((notification) => notification.channel === channel.name);
      return own.length === 0 ? [] : sendThrough(channel, own, sending);
    }),
  );
  return results.flatMap((result) => {
    // Thrown only after the other channels have sent theirs.
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
}

async function sendThrough(
  channel: ChannelConfig,
  due: readonly DueNotification[],
  { context, watched, stop }: Sending,
): Promise<ChannelResult[]> {
  const { ledger, clock, paths } = context;
  const entries = entriesOf(due, context, watched);
  const message = messageOf(entries, { at: isoFromMs(ledger.clock.nowMs()), ...originOf(context) });
  const ids = due.map(({ notificationId }) => notificationId);
  const error = await send(channel, message, { clock, root: paths.root, stop });
  if (error !== null && stop.aborted) {
    await recordNotification(ledger, ids, { kind: 'released' });
    return [];
  }
  const tries = Math.max(...due.map((notification) => notification.tries));
  await recordNotification(
    ledger,
    ids,
    error === null
      ? { kind: 'sent' }
      : { kind: 'failed', error, retryAt: isoFromMs(ledger.clock.nowMs() + retryWaitMs(tries)) },
  );
  return [{ channel: channel.name, alerts: entries.length, error }];
}

/** One entry for each alert: where its beginning and its end are due together, the end says both. */
function entriesOf(
  due: readonly DueNotification[],
  { config, paths }: ActionContext,
  watched: Watched,
): AlertEntry[] {
  const { urgent, recoverAfterMs } = config.alerts;
  const recoveredIds = due.filter(({ what }) => what === 'recovered').map(({ alert }) => alert.alertId);
  return due
    .filter(({ what, alert }) => what === 'recovered' || !recoveredIds.includes(alert.alertId))
    .map(({ what: event, alert }) => {
      // The beginning is sent in the words of an open alert, although it may be over by now.
      const current = event === 'recovered' ? alert : { ...alert, closedAt: null };
      const words = alertWords(current, { workspace: paths.root, recoverAfterMs });
      const isUrgent = urgent.includes(alert.kind);
      return { event, alert, isUrgent, words: { ...words, details: detailsOf(alert, watched) } };
    });
}

/** Details that may name a person or quote the platform, of conditions that last. */
function detailsOf(alert: Alert, watched: Watched): string[] {
  if (alert.overAt !== null) return [];
  const { kind, subject, code } = alert;
  if (kind === 'cause') {
    const cause = watched.sourceCauses.find((one) => one.source === subject && one.code === code);
    return cause === undefined ? [] : [`Files: ${cause.files.join(', ')}`];
  }
  if (kind === 'file' && code === 'file-refused') {
    const files = watched.refusedFiles.filter(({ source }) => source === subject).map(({ file }) => file);
    return files.length === 0 ? [] : [`Files: ${files.slice(0, 5).join(', ')}`];
  }
  if (kind !== 'environment') return [];
  return watched.outages
    .filter((outage) => outage.environment === subject && outageCode(outage.operation) === code)
    .map(({ operation, fault }) => outageReason(operation, fault));
}
