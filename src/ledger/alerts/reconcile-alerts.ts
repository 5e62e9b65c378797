import { sql } from 'kysely';
import {
  type Alert,
  type AlertKey,
  type AlertKind,
  type Condition,
  closesAtMs,
  isSameAlert,
  type ToldEvent,
} from '../../domain/alerts/alert.js';
import { isoFromMs } from '../../domain/clock.js';
import { isOutageCode, outageOperation } from '../../domain/health/judge-delivery.js';
import { mapSeries } from '../../domain/process/series.js';
import { latestEnd } from '../attempts/outages.js';
import { alertOf, alertRows, openAlerts } from '../books/kept-alerts.js';
import { all, change, type Ledger, query, writing } from '../store/query.js';

/** What is found now, and who is to be told of it. */
export interface Reconciliation {
  readonly conditions: readonly Condition[];
  /** What nothing is known of now: its alerts stay as they are. */
  readonly unknown: readonly Pick<AlertKey, 'kind' | 'subject'>[];
  readonly channels: readonly ToldChannel[];
  /** An alert closes once its condition has not been found for so long. */
  readonly recoverAfterMs: number;
  /** Nobody else tells for so long what is returned. */
  readonly claimMs: number;
}

/** A channel, and what it tells, as the settings have it now. */
export interface ToldChannel {
  readonly name: string;
  readonly kinds: readonly AlertKind[];
}

/** A telling that the caller has claimed; `tries`: how often it failed. */
export type DueTelling = Awaited<ReturnType<typeof claimDue>>[number];

/** Opens and closes alerts as what is found now asks for, and claims what each channel is to tell by now (`due`). */
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
      await keepTellings(ledger, 'opened', ofOthers, channel);
      await keepTellings(ledger, 'recovered', await toldOf(ledger, recovered, channel.name), channel);
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
  await forgetOpenings(
    ledger,
    ended.filter(({ kind }) => kind === 'channel'),
  );
  return ended.filter(({ closedAt }) => closedAt !== null);
}

/** That a channel failed is of no use to the others once it works again; who was not told of it is told of no end either. */
async function forgetOpenings(ledger: Ledger, alerts: readonly Alert[]): Promise<void> {
  if (alerts.length === 0) return;
  await ledger.db
    .deleteFrom('telling')
    .where('what', '=', 'opened')
    .where('told_at', 'is', null)
    .where(
      'alert_id',
      'in',
      alerts.map(({ alertId }) => alertId),
    )
    .execute();
}

async function endOf(ledger: Ledger, { kind, subject, code, lastSeenAt }: Alert): Promise<string> {
  if (kind !== 'environment' || !isOutageCode(code)) return lastSeenAt;
  return (await latestEnd(ledger, subject, outageOperation(code))) ?? lastSeenAt;
}

/** A channel that was, or will be, told of the beginning is told of the end too. */
async function toldOf(ledger: Ledger, ended: readonly Alert[], channel: string): Promise<readonly Alert[]> {
  if (ended.length === 0) return [];
  const told = await ledger.db
    .selectFrom('telling')
    .select('alert_id as alertId')
    .where('channel', '=', channel)
    .where('what', '=', 'opened')
    .where(
      'alert_id',
      'in',
      ended.map(({ alertId }) => alertId),
    )
    .execute();
  return ended.filter((alert) => told.some(({ alertId }) => alertId === alert.alertId));
}

async function keepTellings(
  ledger: Ledger,
  what: ToldEvent,
  alerts: readonly Alert[],
  { name: channel, kinds }: ToldChannel,
): Promise<void> {
  const due_at = isoFromMs(ledger.clock.nowMs());
  const tellings = alerts
    .filter(({ kind }) => kinds.includes(kind))
    .map(({ alertId }) => ({ alert_id: alertId, channel, what, due_at }));
  if (tellings.length === 0) return;
  await ledger.db
    .insertInto('telling')
    .values(tellings)
    .onConflict((conflict) => conflict.columns(['alert_id', 'channel', 'what']).doNothing())
    .execute();
}

/** Longer than any wait before another try. What is due later was put off by a clock that was set back since. */
const LATEST_DUE_MS = 3 * 24 * 3_600_000;

async function claimDue(ledger: Ledger, { name }: ToldChannel, claimMs: number) {
  const { bootId } = ledger.clock;
  const nowMono = ledger.clock.monotonicMs();
  const nowMs = ledger.clock.nowMs();
  const rows = await all(
    ledger,
    alertRows()
      .innerJoin('telling as t', 't.alert_id', 'a.alert_id')
      .select(['t.telling_id as tellingId', 't.what', 't.tries'])
      .where('t.channel', '=', name)
      .where('t.told_at', 'is', null)
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
      .orderBy('t.telling_id'),
  );
  const due = rows.map(({ tellingId, what, tries, ...row }) => ({
    tellingId,
    channel: name,
    what,
    tries,
    alert: alertOf(row),
  }));
  for (const { tellingId } of due) {
    await ledger.db
      .updateTable('telling')
      .set({ claimed_boot: bootId, claimed_until_mono_ms: nowMono + claimMs })
      .where('telling_id', '=', tellingId)
      .execute();
  }
  return due;
}

export type TellingEnd =
  | { readonly kind: 'told' }
  /** A sentence of our own, without what a server said. `retryAt`: ISO time before which it isn't tried again. */
  | { readonly kind: 'failed'; readonly error: string; readonly retryAt: string }
  /** Nothing was tried, or it was given up: it is due as before. */
  | { readonly kind: 'put-back' }
  /** It is not to be told any more, and the end of its alert isn't either. */
  | { readonly kind: 'needless' };

/** Records how claimed tellings went, and gives them back where they were not told. */
export async function recordTelling(
  ledger: Ledger,
  tellingIds: readonly number[],
  end: TellingEnd,
): Promise<void> {
  if (tellingIds.length === 0) return;
  const at = isoFromMs(ledger.clock.nowMs());
  const given = { claimed_boot: null, claimed_until_mono_ms: null };
  const ended = query
    .updateTable('telling')
    .where('telling_id', 'in', tellingIds)
    .where('told_at', 'is', null);
  if (end.kind === 'told') await change(ledger, ended.set({ ...given, told_at: at }));
  else if (end.kind === 'put-back') await change(ledger, ended.set(given));
  else if (end.kind === 'needless') {
    await ledger.db
      .deleteFrom('telling')
      .where('telling_id', 'in', tellingIds)
      .where('told_at', 'is', null)
      .execute();
  } else {
    await change(
      ledger,
      ended.set({
        ...given,
        failed_at: sql<string>`coalesce(failed_at, ${at})`,
        tries: sql<number>`tries + 1`,
        error: end.error,
        due_at: end.retryAt,
      }),
    );
  }
}
