import { sql } from 'kysely';
import { causesOfSources } from '../../../domain/alerts/source-causes.js';
import { isoFromMs, msFromIso } from '../../../domain/clock.js';
import { DISPOSITIONS } from '../../../domain/row.js';
import { isAmong, itemsOf, textItem } from '../../store/dialect.js';
import { all, type Ledger, query } from '../../store/query.js';
import { OPEN_STATES, published } from '../../submissions/open-items.js';
import { ANSWER_COUNTS, answeredRequests } from '../requests.js';
import { causesIn } from '../rows/attention.js';

const DAY_MS = 24 * 3_600_000;

/** The causes of rows that need attention, by source; see `causesOfSources`. */
export async function causesBySource(ledger: Ledger) {
  const causes = await causesIn(ledger, {});
  const dropIds = new Set(causes.flatMap(({ drops }) => drops.map(({ drop }) => drop)));
  const drops = query.selectFrom('drop_file').select(['drop_id as dropId', 'source']);
  const listed = await all(ledger, drops.where(isAmong('drop_id', [...dropIds])));
  return causesOfSources(causes, new Map(listed.map(({ dropId, source }) => [dropId, source])));
}

/** For each source with published drops: the data rows of its last day of drops, and those that need attention now. */
export async function sharesBySource(ledger: Ledger) {
  const latest = await ledger.db
    .selectFrom('drop_file')
    .select(['source', sql<string>`max(published_at)`.as('at')])
    .where('state', '=', sql.lit('published'))
    .groupBy('source')
    .execute();
  const days = latest.map(({ source, at }) => [source, isoFromMs(msFromIso(at) - DAY_MS)]);
  const attention = sql.join(OPEN_STATES.map((state) => sql.lit(state)));
  const shares = sql<{ readonly source: string; readonly rows: number; readonly attention: number }>`
    select d.source, coalesce(sum(${ROWS_OF_DATA}), 0) as rows, coalesce(sum((
      select sum(n.count) from counter n where n.drop_id = d.drop_id and n.state in (${attention}))), 0) as attention
    from ${itemsOf(days)} join drop_file d on d.source = ${textItem(0)} and d.published_at > ${textItem(1)}
    where d.state = 'published' group by d.source`;
  return all(ledger, shares);
}

const ROWS_OF_DATA = sql`d.rows_read - d.non_data - d.blank`;

/** The maximum number of latest requests to count: they take about a hundred milliseconds. */
const MAX_REQUESTS = 150_000;

export type SentInHour = Awaited<ReturnType<typeof sentSince>>[number];

/** Counts requests since an ISO time, hour by hour (`from`: its beginning); an hour without any is absent. */
export async function sentSince(ledger: Ledger, sinceIso: string) {
  const latest = sql<number>`(select max(attempt_id) from attempt)`;
  const counted = answeredRequests()
    .select([sql<string>`substr(a.started_at, 1, 13)`.as('hour'), ...ANSWER_COUNTS])
    .where('a.attempt_id', '>', sql<number>`${latest} - ${sql.lit(MAX_REQUESTS)}`)
    .where('a.started_at', '>=', sinceIso)
    .groupBy('hour')
    .orderBy('hour');
  return (await all(ledger, counted)).map(({ hour, ...sent }) => ({ from: `${hour}:00:00.000Z`, ...sent }));
}

/** The totals of each source with published drops, and its unresolved invalid rows. */
export async function sourcesIn(ledger: Ledger) {
  const totals = await ledger.db
    .selectFrom('drop_file')
    .select(['source', sql<number>`count(*)`.as('drops'), ...dispositionTotals])
    .where('state', '=', sql.lit('published'))
    .groupBy('source')
    .execute();
  const invalid = published()
    .select(['d.source', sql<number>`sum(n.count)`.as('count')])
    .where('n.state', '=', sql.lit('invalid'))
    .groupBy('d.source');
  const open = await all(ledger, invalid);
  return totals.map(({ source, drops, ...dispositions }) => ({
    source,
    drops,
    dispositions,
    invalidOpen: open.find((one) => one.source === source)?.count ?? 0,
  }));
}

const dispositionTotals = DISPOSITIONS.map((name) =>
  sql<number>`coalesce(sum(${sql.ref(name.replace('-', '_'))}), 0)`.as(name),
);
