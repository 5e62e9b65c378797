import { type RawBuilder, sql } from 'kysely';
import { precisionFor, type Timeline, timelineOf } from '../../domain/environment/timeline.js';
import type { ReportSelection } from '../drops/report-selection.js';
import { runFacts } from '../leases/runs.js';
import { ledgerVersions } from '../store/ledger-facts.js';
import { all, type Ledger, reading } from '../store/query.js';
import { ANSWER_COUNTS, answeredRequests, attemptIn } from './requests.js';

/**
 * Reads what a report's page shows in addition to the report: its run (null: the selection has none), and the requests
 * over time (null: there were none).
 */
export async function readPage(ledger: Ledger, selection: ReportSelection) {
  return reading(ledger, async (ledger) => ({
    run: selection.runId === undefined ? null : await runFacts(ledger, selection.runId),
    timeline: await timelineIn(ledger, selection),
    versions: await ledgerVersions(ledger),
  }));
}

async function timelineIn(ledger: Ledger, selection: ReportSelection): Promise<Timeline | null> {
  const span = await sentBetween(ledger, selection);
  if (span === null) return null;
  const { first, last } = span;
  const sent = await sentOverTime(ledger, attemptIn(selection), precisionFor(first, last));
  return timelineOf(sent, first, last);
}

/** The precision of times, as the number of equal characters at the beginning of their ISO texts. */
const PRECISION = { second: 19, minute: 16, hour: 13, day: 10 } as const;

/** Completes an ISO time that was cut. */
const CUT_OFF = '0000-01-01T00:00:00.000Z';

/** When the first and the last request of the selection were sent; null: there were none. */
export async function sentBetween(ledger: Ledger, selection: ReportSelection) {
  const span = await ledger.db
    .selectFrom('attempt as a')
    .select([
      sql<string | null>`min(a.started_at)`.as('first'),
      sql<string | null>`max(a.started_at)`.as('last'),
    ])
    .where(attemptIn(selection))
    .executeTakeFirst();
  return span?.first && span.last ? { first: span.first, last: span.last } : null;
}

/**
 * Counts the requests that match a condition on `attempt as a` by the time when they were sent, oldest first; `at`: ISO time, cut
 * to the precision. The first answer to each request counts, whenever it came, so that the outcomes add up to the requests.
 */
export async function sentOverTime(
  ledger: Ledger,
  condition: RawBuilder<boolean>,
  precision: keyof typeof PRECISION,
) {
  const length = PRECISION[precision];
  const counted = answeredRequests()
    .select([sql<string>`substr(a.started_at, 1, ${sql.lit(length)})`.as('time'), ...ANSWER_COUNTS])
    .where(condition)
    .groupBy(sql`1`)
    .orderBy(sql`1`);
  const counts = await all(ledger, counted);
  return counts.map(({ time, ...count }) => ({ at: time + CUT_OFF.slice(length), ...count }));
}
