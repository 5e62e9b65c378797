import { sql } from 'kysely';
import { mapSeries } from '../../../domain/process/series.js';
import { lastSignIns, latestNotes } from '../../access/audit-log.js';
import { outagesIn, outagesOpen, workedUntil } from '../../attempts/outages.js';
import { openDecisions } from '../../decisions/decision-log.js';
import { arrivalTimes } from '../../drops/arrived-files.js';
import { containedDrops } from '../../drops/contained-files.js';
import { unfinishedDrops } from '../../drops/drops.js';
import { remoteInboxes } from '../../drops/record-inbox.js';
import { refusedBySource, refusedDrops } from '../../drops/refused/refused-drops.js';
import { openResults } from '../../drops/results.js';
import { readJobs } from '../../leases/jobs.js';
import { heldLeases, leaseHolder } from '../../leases/leases.js';
import { countsOfRun, lastEnd, lastRuns } from '../../leases/runs.js';
import { knownServices } from '../../leases/services.js';
import { clientRef } from '../../permits/quota.js';
import { quotaUse } from '../../permits/quota-use.js';
import { rowOf } from '../../store/by-key.js';
import { ledgerVersions } from '../../store/ledger-facts.js';
import { count, first, type Ledger, query, reading } from '../../store/query.js';
import { restoredAt } from '../../submissions/staging/revisions.js';
import { countByEnvironment, countDue, waitingSince } from '../../submissions/waiting.js';
import { unbalanced, unbalancedDrops } from '../balance/imbalances.js';
import { keptAlerts } from '../kept-alerts.js';
import { causesIn } from '../rows/attention.js';
import { countOpen, queuesWaiting, submissionCounts } from '../submission-counts.js';
import { unknownByEnvironment } from '../unknown-learners.js';
import { causesBySource, sentSince, sharesBySource, sourcesIn } from './watched.js';

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
      const { freeAfterMs, pausedForMs } = await quotaUse(ledger, clientRef(clientId));
      return {
        environment: name,
        pushedBy: await leaseHolder(ledger, `push:${name}`),
        waiting: waiting.find((one) => one.environment === name)?.count ?? 0,
        waitingSince: await waitingSince(ledger, name),
        /** True where the last run found it down. */
        isDown: (await outagesOpen(ledger, name)).includes(null),
        quota: { permits: freeAfterMs.length, pausedForMs },
        /** The rows that were due by the deadline that it has missed. */
        due: missed === null ? 0 : await countDue(ledger, name, missed),
      };
    });
  },
  /** The queues of all other environments with waiting rows. */
  stranded: async (ledger, { environments }) => {
    const names = environments.map(({ name }) => name);
    return queuesWaiting(ledger, names);
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
  arrivals: latestArrivals,
  /** The ISO times of recent arrivals, by source. */
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
  sent: async (ledger, { since }) => sentSince(ledger, since),
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
  /** All containers with their drops. */
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
  const leases = await heldLeases(ledger, 'work');
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

/** The ISO time of the latest arrival of each source, including repeated files. */
async function latestArrivals(ledger: Ledger) {
  return ledger.db
    .selectFrom('arrival as a')
    .innerJoin('drop_file as d', 'd.drop_id', 'a.drop_id')
    .select(['d.source', sql<string>`max(a.arrived_at)`.as('at')])
    .groupBy('d.source')
    .execute();
}
