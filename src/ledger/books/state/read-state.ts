import { sql } from 'kysely';
import { causesOfSources } from '../../../domain/alerts/source-causes.js';
import { isoFromMs, msFromIso } from '../../../domain/clock.js';
import { mapSeries } from '../../../domain/process/series.js';
import { DISPOSITIONS } from '../../../domain/row.js';
import { lastSignIns, latestNotes } from '../../access/audit-log.js';
import { outagesIn, outagesOpen, workedUntil } from '../../attempts/outages.js';
import { openDecisions } from '../../decisions/decision-log.js';
import { arrivalTimes } from '../../drops/arrived-files.js';
import { unfinishedDrops } from '../../drops/drops.js';
import { containedDrops, remoteInboxes } from '../../drops/record-inbox.js';
import { refusedBySource, refusedDrops } from '../../drops/refused/refused-drops.js';
import { openResults } from '../../drops/results.js';
import { readJobs } from '../../leases/jobs.js';
import { heldLeases, leaseHolder } from '../../leases/leases.js';
import { countsOfRun, lastEnd, lastRuns } from '../../leases/runs.js';
import { knownServices } from '../../leases/services.js';
import { clientRef, quotaUse } from '../../permits/quota.js';
import { rowOf } from '../../store/by-key.js';
import { isAmong, itemsOf, textItem } from '../../store/dialect.js';
import { ledgerVersions } from '../../store/ledger-facts.js';
import { all, count, first, type Ledger, query, reading } from '../../store/query.js';
import { OPEN_STATES, published } from '../../submissions/open-items.js';
import { restoredAt } from '../../submissions/staging/revisions.js';
import { countByEnvironment, countDue, waitingSince } from '../../submissions/waiting.js';
import { unbalanced, unbalancedDrops } from '../balance/imbalances.js';
import { keptAlerts } from '../kept-alerts.js';
import { sentOverTime } from '../read-page.js';
import { causesIn } from '../rows/attention.js';
import { countOpen, queuesWaiting, submissionCounts } from '../submission-counts.js';
import { unknownByEnvironment } from '../unknown-learners.js';

const RUNS = 5;

/** Each part of the present state of the work. */
const PARTS = {
  work: readWork,
  /** Counts by environment, state and cause. */
  submissions: submissionCounts,
  /** The requested environments, in the same order. */
  environments: async (ledger, { environments }) => {
    const waiting = await countByEnvironment(ledger, 'waiting');
    return mapSeries(environments, async ({ name, clientId, missed = null }) => {
      return {
        environment: name,
        pushedBy: await leaseHolder(ledger, `push:${name}`),
        waiting: waiting.find((one) => one.environment === name)?.count ?? 0,
        waitingSince: await waitingSince(ledger, name),
        /** True where the last run found it down. */
        isDown: (await outagesOpen(ledger, name)).includes(null),
        quota: await quotaUse(ledger, clientRef(clientId)),
        /** The rows that were due by the deadline that it has missed. */
        due: missed === null ? 0 : await countDue(ledger, name, missed),
      };
    });
  },
  /** The queues of all other environments with waiting rows. */
  stranded: async (ledger, { environments }) => {
    const names = environments.map(({ name }) => name);
    return (await queuesWaiting(ledger)).filter(({ environment }) => !names.includes(environment));
  },
  /** The open outages; `workedUntil`: when the environment or operation last answered; null: never. */
  outages: async (ledger) => {
    const outages = await outagesIn(ledger, {});
    return mapSeries(outages, async (one) => ({ ...one, workedUntil: await workedUntil(ledger, one) }));
  },
  /** The causes of rows that need attention, the largest count first. */
  causes: async (ledger) => causesIn(ledger, {}),
  openRows: countOpen,
  /** The same by source, for alerts. */
  sourceCauses: causesBySource,
  unknownLearners: async (ledger, { environments }) => {
    const rechecks = new Map(environments.map(({ name, rechecks }) => [name, rechecks]));
    return unknownByEnvironment(ledger, (name) => rechecks.get(name) ?? 0);
  },
  /** The open refused files, the latest first. Their names are personal. */
  refusedFiles: refusedDrops,
  refusedBySource,
  sources: sourcesIn,
  shares: sharesBySource,
  /** The ISO time of the latest arrival of each source, including repeated files. */
  arrivals: async (ledger) =>
    ledger.db
      .selectFrom('arrival as a')
      .innerJoin('drop_file as d', 'd.drop_id', 'a.drop_id')
      .select(['d.source', sql<string>`max(a.arrived_at)`.as('at')])
      .groupBy('d.source')
      .execute(),
  arrivalTimes: async (ledger, { sources }) => {
    const times = await mapSeries(sources, async (one) => [one, await arrivalTimes(ledger, one)] as const);
    return new Map(times);
  },
  services: knownServices,
  jobs: async (ledger, { jobs }) => readJobs(ledger, jobs),
  latestRun: lastEnd,
  /** The number of requests without an answer yet. */
  openAttempts: async (ledger) => count(ledger, query.selectFrom('attempt_open')),
  /** Counts of first answers, and of requests that ended without one. */
  answers: async (ledger) =>
    ledger.db.selectFrom('answer_counter').selectAll().orderBy('environment').orderBy('outcome').execute(),
  /** The latest requests since the ISO time, hour by hour (`at`: its beginning); an hour without any is absent. */
  sent: async (ledger, { since }) => {
    const latest = sql`(select max(attempt_id) from attempt) - ${sql.lit(MAX_REQUESTS)}`;
    const isRecent = sql<boolean>`a.attempt_id > ${latest} and a.started_at >= ${since}`;
    return sentOverTime(ledger, isRecent, 'hour');
  },
  /** The latest runs, newest first. */
  runs: async (ledger) => {
    const runs = await lastRuns(ledger, RUNS);
    return mapSeries(runs, async (run) => ({ ...run, ...(await countsOfRun(ledger, run.runId)) }));
  },
  alerts: keptAlerts,
  /** To whom each cause is assigned, by its code; without those that are not. */
  assignments: async (ledger) => (await latestNotes(ledger, 'assign')).filter(({ value }) => value !== ''),
  /** When each person signed in last, by name: ISO times. */
  signIns: lastSignIns,
  unbalanced,
  unbalancedDrops,
  remoteInboxes,
  /** The results of files that their senders don't have yet, by drop. */
  results: openResults,
  /** The file system of each source's inbox when a file was last imported from it. */
  fileSystems: async (ledger) => {
    const inboxes = await ledger.db.selectFrom('inbox').selectAll().execute();
    return new Map(inboxes.map(({ source, file_system }) => [source, file_system]));
  },
  containers: containedDrops,
  versions: ledgerVersions,
  /** The ISO time at which the ledger was created. */
  createdAt: async (ledger) => (await rowOf(ledger, 'ledger', { ledger_id: 1 }))?.created_at ?? '',
} satisfies Record<string, (ledger: Ledger, question: Required<StateQuestion>) => Promise<unknown>>;

export type PresentState = {
  readonly [P in keyof typeof PARTS]: Awaited<ReturnType<(typeof PARTS)[P]>>;
};

export type StatePart = keyof PresentState;

/** The subjects of some parts; absent: none. */
interface StateQuestion {
  readonly environments?: readonly ReadEnvironment[];
  /** The sources whose arrival times to read. */
  readonly sources?: readonly string[];
  readonly jobs?: readonly string[];
  /** The ISO time since which to count requests. */
  readonly since?: string;
}

export interface ReadEnvironment {
  readonly name: string;
  /** The client id whose quota it uses. */
  readonly clientId: string;
  /** How often it rechecks an unknown learner. */
  readonly rechecks: number;
  /** The missed deadline whose rows to count, as ISO time; null or absent: none was missed. */
  readonly missed?: string | null;
}

/**
 * Reads parts of the present state, from one snapshot. Delivery, imports, decisions, status, health, metrics, alerts
 * and the pages all use it, so that they agree on what work is left.
 */
export async function readState<P extends StatePart>(
  ledger: Ledger,
  parts: readonly P[],
  question: StateQuestion = {},
): Promise<Pick<PresentState, P>> {
  const subjects = { environments: [], sources: [], jobs: [], since: '', ...question };
  return reading(ledger, async (ledger) => {
    const read = await mapSeries(parts, async (part) => [part, await PARTS[part](ledger, subjects)] as const);
    return Object.fromEntries(read) as unknown as Pick<PresentState, P>;
  });
}

/** Work in progress, and unfinished work of processes that died. */
export type WorkUnderWay = Awaited<ReturnType<typeof readWork>>;

async function readWork(ledger: Ledger) {
  const newest = query.selectFrom('run').select(sql<string | null>`max(started_at)`.as('at'));
  const leases = await heldLeases(ledger);
  const isSent = (environment: string) =>
    leases.some(({ name, isAlive }) => isAlive && name === `push:${environment}`);
  return {
    leases,
    /** Half staged drops: their process died, or stages them now. */
    staging: await unfinishedDrops(ledger),
    /** Unfinished decisions, oldest first. */
    decisions: await openDecisions(ledger),
    /** The environments with waiting rows of published drops. */
    waiting: (await countByEnvironment(ledger, 'waiting')).map(({ environment }) => environment),
    /** Environments with rows that were being sent when their process died: the next push there settles them. */
    abandoned: (await countByEnvironment(ledger, 'sending'))
      .filter(({ environment }) => !isSent(environment))
      .map(({ environment, count }) => ({ environment, rows: count })),
    restoredAt: await restoredAt(ledger),
    /** The start of the latest run; null: there is none. In the future where the clock was set back. */
    newestRunAt: (await first(ledger, newest))?.at ?? null,
  };
}

const DAY_MS = 24 * 3_600_000;

/** The causes of rows that need attention, by source; see `causesOfSources`. */
async function causesBySource(ledger: Ledger) {
  const causes = await causesIn(ledger, {});
  const dropIds = new Set(causes.flatMap(({ drops }) => drops.map(({ drop }) => drop)));
  const drops = query.selectFrom('drop_file').select(['drop_id as dropId', 'source']);
  const listed = await all(ledger, drops.where(isAmong('drop_id', [...dropIds])));
  return causesOfSources(causes, new Map(listed.map(({ dropId, source }) => [dropId, source])));
}

/** For each source with published drops: the data rows of its last day of drops, and those that need attention now. */
async function sharesBySource(ledger: Ledger) {
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

/** The totals of each source with published drops, and its unresolved invalid rows. */
async function sourcesIn(ledger: Ledger) {
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
