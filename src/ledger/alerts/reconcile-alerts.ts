import { sql } from 'kysely';
import {
  type Alert,
  type AlertKey,
  type AlertKind,
  alertName,
  type Condition,
  closesAtMs,
  isSameAlert,
  type NotificationEvent,
} from '../../domain/alerts/alert.js';
import { isoFromMs } from '../../domain/clock.js';
import { isOutageCode, outageOperation } from '../../domain/health/health.js';
import { mapSeries } from '../../domain/process/series.js';
import { latestEnd } from '../attempts/outages.js';
import { alertOf, alertRows, mutesNow, openAlerts } from '../books/kept-alerts.js';
import { importedBy } from '../leases/runs.js';
import { isAmong } from '../store/dialect.js';
import { all, first, type Ledger, query, writing } from '../store/query.js';

export interface Reconciliation {
  readonly conditions: readonly Condition[];
  /** Subjects that couldn't be checked: their alerts are unchanged. */
  readonly unknown: readonly Pick<AlertKey, 'kind' | 'subject'>[];
  readonly channels: readonly NotifiedChannel[];
  /** An alert closes once its condition has been absent for so long. */
  readonly recoverAfterMs: number;
  /** For so long, no other process claims the returned notifications. */
  readonly claimMs: number;
}

/** A channel and the kinds of alerts that it sends, by the present settings. */
export interface NotifiedChannel {
  readonly name: string;
  readonly kinds: readonly AlertKind[];
}

/** A notification that the caller has claimed; `tries`: how often it failed. */
export type DueNotification = Awaited<ReturnType<typeof claimDue>>[number];

/**
 * Opens and closes alerts by the present conditions, and claims the due notifications of each channel (`due`). The start
 * of a muted alert is sent once it isn't muted any more; its end is sent where its start was.
 */
export async function reconcileAlerts(ledger: Ledger, input: Reconciliation) {
  return writing(ledger, async (ledger) => {
    const before = await openAlerts(ledger);
    for (const condition of input.conditions) await recordCondition(ledger, condition);
    const recovered = await closeThoseOver(ledger, before, input);
    const open = await openAlerts(ledger);
    const mutes = await mutesNow(ledger);
    const mutedOf = (alerts: readonly Alert[]) =>
      alerts.filter((alert) => mutes.has(alertName(alert))).map(({ alertId }) => alertId);
    await dropUnsent(ledger, mutedOf(recovered));
    const muted = mutedOf(open);
    const runs = input.channels.some(({ kinds }) => kinds.includes('run')) ? await addEndedRuns(ledger) : [];
    const due: DueNotification[] = [];
    for (const channel of input.channels) {
      const ofOthers = open.filter(
        (alert) =>
          !muted.includes(alert.alertId) &&
          (alert.kind !== 'channel' || (alert.subject !== channel.name && alert.overAt === null)),
      );
      await recordNotifications(ledger, 'opened', [...runs, ...ofOthers], channel);
      await recordNotifications(ledger, 'recovered', await sentOf(ledger, recovered, channel.name), channel);
      due.push(...(await claimDue(ledger, channel.name, input.claimMs, muted)));
    }
    const opened = open.filter(({ alertId }) => !before.some((earlier) => earlier.alertId === alertId));
    return { opened, recovered, due };
  });
}

/** Opens an alert, or notes that it is still found. */
async function recordCondition(ledger: Ledger, { kind, subject, code, facts }: Condition): Promise<void> {
  const now = isoFromMs(ledger.clock.nowMs());
  const observed = { last_seen_at: now, over_at: null, facts: JSON.stringify(facts) };
  await ledger.db
    .insertInto('alert')
    .values({ kind, subject, code, opened_at: now, closed_at: null, ...observed })
    .onConflict((open) =>
      open.columns(['kind', 'subject', 'code']).where('closed_at', 'is', null).doUpdateSet(observed),
    )
    .execute();
}

/** Records an alert, which is over, for each run that has ended since the first one that was noticed; first, for the latest run. */
async function addEndedRuns(ledger: Ledger) {
  const runs = query.selectFrom('alert').where('kind', '=', 'run');
  const noticed = await first(
    ledger,
    runs.select(sql<number | null>`min(cast(subject as integer))`.as('first')),
  );
  const since = noticed?.first ?? null;
  const ended = await ledger.db
    .selectFrom('run as r')
    .select(['r.run_id', 'r.trigger', 'r.ending', 'r.ended_at'])
    .where('r.run_id', '>', since ?? 0)
    .where('r.ended_at', '>', isoFromMs(ledger.clock.nowMs() - RECENT_RUNS_MS))
    .where(sql<boolean>`not exists (
      select 1 from alert a where a.kind = 'run' and a.subject = cast(r.run_id as text))`)
    .orderBy('r.run_id', 'desc')
    .limit(since === null ? 1 : MAX_RUNS)
    .execute();
  return mapSeries(ended.reverse(), async ({ run_id: runId, trigger, ending, ended_at: at }) => {
    const facts = JSON.stringify({ trigger, ...(await importedBy(ledger, runId)) });
    const times = { opened_at: at ?? '', last_seen_at: at ?? '', over_at: at, closed_at: at };
    return ledger.db
      .insertInto('alert')
      .values({ kind: 'run', subject: String(runId), code: ending ?? '', facts, ...times })
      .returning(['alert_id as alertId', 'kind'])
      .executeTakeFirstOrThrow();
  });
}

/** A process that died after its run had ended is soon followed by another one. */
const RECENT_RUNS_MS = 24 * 3_600_000;
const MAX_RUNS = 1_000;

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
  const ended = await mapSeries(missing, async (alert) => {
    const overAt = alert.overAt ?? (await endOf(ledger, alert));
    const closedAt = nowMs >= closesAtMs(alert, recoverAfterMs) ? isoFromMs(nowMs) : null;
    const update = ledger.db.updateTable('alert').where('alert_id', '=', alert.alertId);
    await update.set({ over_at: overAt, closed_at: closedAt }).execute();
    return { ...alert, overAt, closedAt };
  });
  // Once a channel works again, the unsent notifications of its failure are needless, and those of its recovery too.
  const channels = ended.filter(({ kind }) => kind === 'channel').map(({ alertId }) => alertId);
  await dropUnsent(ledger, channels);
  return ended.filter(({ closedAt }) => closedAt !== null);
}

/** Deletes the notifications of these alerts' beginning that were not sent and that no process is sending. */
async function dropUnsent(ledger: Ledger, alertIds: readonly number[]): Promise<void> {
  await ledger.db
    .deleteFrom('notification')
    .where('what', '=', 'opened')
    .where('sent_at', 'is', null)
    .where(isUnclaimed(ledger))
    .where(isAmong('alert_id', alertIds))
    .execute();
}

/** Condition: no process is sending the notification. The process of a claim with another boot id has ended. */
function isUnclaimed({ clock }: Ledger) {
  return sql<boolean>`(claimed_boot is null or claimed_boot <> ${clock.bootId}
    or claimed_until_mono_ms <= ${clock.monotonicMs()})`;
}

async function endOf(ledger: Ledger, { kind, subject, code, lastSeenAt }: Alert): Promise<string> {
  if (kind !== 'environment' || !isOutageCode(code)) return lastSeenAt;
  return (await latestEnd(ledger, subject, outageOperation(code))) ?? lastSeenAt;
}

/** The alerts that the channel was notified of: it is also notified of their recovery. */
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

async function recordNotifications(
  ledger: Ledger,
  what: NotificationEvent,
  alerts: readonly Pick<Alert, 'alertId' | 'kind'>[],
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

/** Longer than any wait before a retry: what is due later was scheduled before the clock was set back. */
const LATEST_DUE_MS = 3 * 24 * 3_600_000;

/** @param muted the alerts of which no beginning is sent now. */
async function claimDue(ledger: Ledger, channel: string, claimMs: number, muted: readonly number[]) {
  const { clock } = ledger;
  const nowMs = clock.nowMs();
  const rows = await all(
    ledger,
    alertRows()
      .innerJoin('notification as t', 't.alert_id', 'a.alert_id')
      .select(['t.notification_id as notificationId', 't.what', 't.tries'])
      .where('t.channel', '=', channel)
      .where('t.sent_at', 'is', null)
      .where(({ or, eb }) =>
        or([eb('t.due_at', '<=', isoFromMs(nowMs)), eb('t.due_at', '>', isoFromMs(nowMs + LATEST_DUE_MS))]),
      )
      .where(isUnclaimed(ledger))
      .where(sql<boolean>`not (t.what = 'opened' and ${isAmong('a.alert_id', muted)})`)
      .orderBy('t.notification_id'),
  );
  const ids = rows.map(({ notificationId }) => notificationId);
  await ledger.db
    .updateTable('notification')
    .set({ claimed_boot: clock.bootId, claimed_until_mono_ms: clock.monotonicMs() + claimMs })
    .where(isAmong('notification_id', ids))
    .execute();
  return rows.map(({ notificationId, what, tries, ...row }) => {
    return { notificationId, channel, what, tries, alert: alertOf(row) };
  });
}

export type NotificationEnd =
  | { readonly kind: 'sent' }
  /** `error`: Registrar's own sentence, without the server's text. `retryAt`: ISO time of the next try. */
  | { readonly kind: 'failed'; readonly error: string; readonly retryAt: string }
  /** It was not tried, or the try was cancelled: it is still due. */
  | { readonly kind: 'released' }
  /** Neither it nor the notification of the alert's end is sent. */
  | { readonly kind: 'needless' };

/** Records the results of claimed notifications, and releases those that were not sent. */
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
  let update = ledger.db
    .updateTable('notification')
    .set({ claimed_boot: null, claimed_until_mono_ms: null })
    .where(isEnded);
  if (end.kind === 'sent') update = update.set({ sent_at: at });
  if (end.kind === 'failed') {
    update = update.set({
      failed_at: sql<string>`coalesce(failed_at, ${at})`,
      tries: sql<number>`tries + 1`,
      error: end.error,
      due_at: end.retryAt,
    });
  }
  await update.execute();
}
