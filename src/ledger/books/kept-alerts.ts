import { sql } from 'kysely';
import type { FailingChannel } from '../../documents/status.js';
import { type Alert, alertName } from '../../domain/alerts/alert.js';
import { isoFromMs } from '../../domain/clock.js';
import { latestNotes } from '../access/audit-log.js';
import { all, type Ledger, query } from '../store/query.js';

const MAX_NOTIFICATIONS = 20;

/** The open alerts, the latest notifications, and the failing channels, also those not in registrar.yaml. */
export async function keptAlerts(ledger: Ledger) {
  const mutes = await mutesNow(ledger);
  return {
    /** `muted`: why notifications of it wait, until when, and who muted it. */
    open: (await openAlerts(ledger)).map((one) => ({ ...one, muted: mutes.get(alertName(one)) ?? null })),
    /** Newest first. Not due before `dueAt`; `sentAt`: null: not sent yet; `failedAt`: null: it has not failed. */
    notifications: await ledger.db
      .selectFrom('notification as t')
      .innerJoin('alert as a', 'a.alert_id', 't.alert_id')
      .select(['a.alert_id as alertId', 'a.kind', 'a.subject', 'a.code', 't.channel', 't.what', 't.tries'])
      .select(['t.due_at as dueAt', 't.sent_at as sentAt', 't.failed_at as failedAt', 't.error'])
      .orderBy('t.notification_id', 'desc')
      .limit(sql.lit(MAX_NOTIFICATIONS))
      .execute(),
    failing: await failingChannels(ledger),
  };
}

/** The alerts whose notifications wait for a time that is still to come, by `alertName`. */
export async function mutesNow(ledger: Ledger) {
  const now = isoFromMs(ledger.clock.nowMs());
  const mutes = (await latestNotes(ledger, 'mute')).filter(({ value }) => value > now);
  return new Map(
    mutes.map(({ subject, value, about, who }) => [subject, { until: value, because: about, who }]),
  );
}

export async function openAlerts(ledger: Ledger): Promise<Alert[]> {
  const rows = await all(ledger, alertRows().where('a.closed_at', 'is', null).orderBy('a.alert_id'));
  return rows.map(alertOf);
}

/** A query of alerts, with the columns that `alertOf` reads. */
export function alertRows() {
  return query
    .selectFrom('alert as a')
    .select(['a.alert_id as alertId', 'a.kind', 'a.subject', 'a.code', 'a.opened_at as openedAt'])
    .select(['a.last_seen_at as lastSeenAt', 'a.over_at as overAt', 'a.closed_at as closedAt', 'a.facts']);
}

/** Parses the row of an alert. The kind of the alert decides the type of its facts. */
export function alertOf<Row extends { readonly facts: string }>({ facts, ...row }: Row): Alert {
  return { ...row, facts: JSON.parse(facts) } as unknown as Alert;
}

/** The channels with a failed notification that is still unsent. */
async function failingChannels(ledger: Ledger): Promise<FailingChannel[]> {
  return ledger.db
    .selectFrom('notification as t')
    .select([
      't.channel',
      sql<string>`min(t.failed_at)`.as('since'),
      sql<number>`max(t.tries)`.as('tries'),
      sql<string>`(select x.error from notification x where x.channel = t.channel and x.sent_at is null
          order by x.tries desc, x.notification_id limit 1)`.as('error'),
    ])
    .where('t.sent_at', 'is', null)
    .where('t.failed_at', 'is not', null)
    .groupBy('t.channel')
    .orderBy('t.channel')
    .execute();
}
