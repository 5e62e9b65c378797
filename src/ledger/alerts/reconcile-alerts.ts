import { sql } from 'kysely';
import {
  type Alert,
  type AlertKey,
  type AlertKind,
  type Condition,
  closesAtMs,
  isSameAlert,
  type NotificationEvent,
} from '../../domain/alerts/alert.js';
import { isoFromMs } from '../../domain/clock.js';
import { isOutageCode, outageOperation } from '../../domain/health/judge-delivery.js';
import { mapSeries } from '../../domain/process/series.js';
import { latestEnd } from '../attempts/outages.js';
import { alertOf, alertRows, openAlerts } from '../books/kept-alerts.js';
import { isAmong } from '../store/dialect.js';
import { all, change, type Ledger, query, writing } from '../store/query.js';

/** What is found now, and who is to be told of it. */
export interface Reconciliation {
  readonly conditions: readonly Condition[];
  /** What nothing is known of now: its alerts stay as they are. */
  readonly unknown: readonly Pick<AlertKey, 'kind' | 'subject'>[];
  readonly channels: readonly NotifiedChannel[];
  /** An alert closes once its condition has not been found for so long. */
  readonly recoverAfterMs: number;
  /** Nobody else tells for so long what is returned. */
  readonly claimMs: number;
}

/** A channel and the kinds of alerts that it sends, by the present settings. */
export interface NotifiedChannel {
  readonly name: string;
  readonly kinds: readonly AlertKind[];
}

/** A notification that the caller has claimed; `tries`: how often it failed. */
export type DueNotification = Awaited<ReturnType<typeof claimDue>>[number];

/** Opens and closes alerts by what is found now, and claims the notifications that are due for each channel (`due`). */
export async function reconcileAlerts(ledger: Ledger, found: Reconciliation) {
  return writing(ledger, async (ledger) => {
    const before = await openAlerts(ledger);
    for (const condition of found.conditions) await keepFound(ledger, condition, before);
    const recovered = await closeThoseOver(ledger, before, found);
    const open = await openAlerts(ledger);
    for (const channel of found.channels) {
      const ofOthers = open.filter(
        ({ kind, subject, overAt }) => kind !== 'channel' || (subject !== channel.name && overAt === null),
      );
      await keepNotifications(ledger, 'opened', ofOthers, channel);
      await keepNotifications(ledger, 'recovered', await sentOf(ledger, recovered, channel.name), channel);
    }
    return {
      opened: open.filter(({ alertId }) => !before.some((known) => known.alertId === alertId)),
      recovered,
      due: (await mapSeries(found.channels, (channel) => claimDue(ledger, channel, found.claimMs))).flat(),
    };
  });
}

async function keepFound(ledger: Ledger, condition: Condition, open: readonly Alert[]): Promise<void> {
  const { kind, subject, code } = condition;
  const now = isoFromMs(ledger.clock.nowMs());
  const seen = { last_seen_at: now, over_at: null, facts: JSON.stringify(condition.facts) };
  const known = open.find((alert) => isSameAlert(alert, condition));
  await change(
    ledger,
    known === undefined
      ? query.insertInto('alert').values({ kind, subject, code, opened_at: now, closed_at: null, ...seen })
      : query.updateTable('alert').set(seen).where('alert_id', '=', known.alertId),
  );
}

async function closeThoseOver(
  ledger: Ledger,
  open: readonly Alert[],
  { conditions, unknown, recoverAfterMs }: Reconciliation,
): Promise<Alert[]> {
  const nowMs = ledger.clock.nowMs();
  const missing = open.filter(
    (alert) =>
      !conditions.some((key) => isSameAlert(key, alert)) &&
      !unknown.some(({ kind, subject }) => kind === alert.kind && subject === alert.subject),
  );
  const ended = await mapSeries(missing, async (alert) => ({
    ...alert,
    overAt: alert.overAt ?? (await endOf(ledger, alert)),
    closedAt: nowMs >= closesAtMs(alert, recoverAfterMs) ? isoFromMs(nowMs) : null,
  }));
  for (const { alertId, overAt, closedAt } of ended) {
    await ledger.db
      .updateTable('alert')
      .set({ over_at: overAt, closed_at: closedAt })
      .where('alert_id', '=', alertId)
      .execute();
  }
  // Once a channel works again, others needn't know that it failed: unsent notifications of its failure go, and so those of its end.
  const channels = ended.filter(({ kind }) => kind === 'channel').map(({ alertId }) => alertId);
  await ledger.db
    .deleteFrom('notification')
    .where('what', '=', 'opened')
    .where('sent_at', 'is', null)
    .where(isAmong('alert_id', channels))
    .execute();
  return ended.filter(({ closedAt }) => closedAt !== null);
}

async function endOf(ledger: Ledger, { kind, subject, code, lastSeenAt }: Alert): Promise<string> {
  if (kind !== 'environment' || !isOutageCode(code)) return lastSeenAt;
  return (await latestEnd(ledger, subject, outageOperation(code))) ?? lastSeenAt;
}

/** A channel with a notification of the beginning gets one of the end. */
async function sentOf(ledger: Ledger, ended: readonly Alert[], channel: string): Promise<readonly Alert[]> {
  const ids = ended.map(({ alertId }) => alertId);
  const opened = await ledger.db
    .selectFrom('notification')
    .select('alert_id as alertId')
    .where('channel', '=', channel)
    .where('what', '=', 'opened')
    .where(isAmong('alert_id', ids))
    .execute();
  return ended.filter((alert) => opened.some(({ alertId }) => alertId === alert.alertId));
}

async function keepNotifications(
  ledger: Ledger,
  what: NotificationEvent,
  alerts: readonly Alert[],
  { name: channel, kinds }: NotifiedChannel,
): Promise<void> {
  const due_at = isoFromMs(ledger.clock.nowMs());
  const notifications = alerts
    .filter(({ kind }) => kinds.includes(kind))
    .map(({ alertId }) => ({ alert_id: alertId, channel, what, due_at }));
  if (notifications.length === 0) return;
  await ledger.db
    .insertInto('notification')
    .values(notifications)
    .onConflict((conflict) => conflict.columns(['alert_id', 'channel', 'what']).doNothing())
    .execute();
}

/** Longer than any wait before another try. What is due later was put off by a clock that was set back since. */
const LATEST_DUE_MS = 3 * 24 * 3_600_000;

async function claimDue(ledger: Ledger, { name }: NotifiedChannel, claimMs: number) {
  const { bootId } = ledger.clock;
  const nowMono = ledger.clock.monotonicMs();
  const nowMs = ledger.clock.nowMs();
  const rows = await all(
    ledger,
    alertRows()
      .innerJoin('notification as t', 't.alert_id', 'a.alert_id')
      .select(['t.notification_id as notificationId', 't.what', 't.tries'])
      .where('t.channel', '=', name)
      .where('t.sent_at', 'is', null)
      .where(({ or, eb }) =>
        or([eb('t.due_at', '<=', isoFromMs(nowMs)), eb('t.due_at', '>', isoFromMs(nowMs + LATEST_DUE_MS))]),
      )
      // A claim of another boot is that of a dead process.
      .where(({ or, eb }) =>
        or([
          eb('t.claimed_boot', 'is', null),
          eb('t.claimed_boot', '<>', bootId),
          eb('t.claimed_until_mono_ms', '<=', nowMono),
        ]),
      )
      .orderBy('t.notification_id'),
  );
  const ids = rows.map(({ notificationId }) => notificationId);
  await ledger.db
    .updateTable('notification')
    .set({ claimed_boot: bootId, claimed_until_mono_ms: nowMono + claimMs })
    .where(isAmong('notification_id', ids))
    .execute();
  return rows.map(({ notificationId, what, tries, ...row }) => ({
    notificationId,
    channel: name,
    what,
    tries,
    alert: alertOf(row),
  }));
}

export type NotificationEnd =
  | { readonly kind: 'sent' }
  /** A sentence of our own, without what a server said. `retryAt`: ISO time before which it isn't tried again. */
  | { readonly kind: 'failed'; readonly error: string; readonly retryAt: string }
  /** Nothing was tried, or the try was cancelled: it is due as before. */
  | { readonly kind: 'released' }
  /** It isn't sent any more, and neither is one of the alert's end. */
  | { readonly kind: 'needless' };

/** Records how claimed notifications went, and releases those that were not sent. */
export async function recordNotification(
  ledger: Ledger,
  notificationIds: readonly number[],
  end: NotificationEnd,
): Promise<void> {
  const at = isoFromMs(ledger.clock.nowMs());
  const isEnded = sql<boolean>`${isAmong('notification_id', notificationIds)} and sent_at is null`;
  if (end.kind === 'needless') {
    await ledger.db.deleteFrom('notification').where(isEnded).execute();
    return;
  }
  const how =
    end.kind === 'sent'
      ? { sent_at: at }
      : end.kind === 'released'
        ? {}
        : {
            failed_at: sql<string>`coalesce(failed_at, ${at})`,
            tries: sql<number>`tries + 1`,
            error: end.error,
            due_at: end.retryAt,
          };
  await ledger.db
    .updateTable('notification')
    .set({ claimed_boot: null, claimed_until_mono_ms: null, ...how })
    .where(isEnded)
    .execute();
}
