import { sql } from 'kysely';
import type { CauseCount, Holder, WaitingQueue } from '../../../documents/report.js';
import type { CountedRun } from '../../../documents/run.js';
import type { RefusedDrop } from '../../../documents/status.js';
import type { OutcomeKind } from '../../../domain/outcome.js';
import { mapSeries } from '../../../domain/process/series.js';
import { type Outage, outagesIn, outagesOpen } from '../../attempts/outages.js';
import { openDecisions, type RecordedDecision } from '../../decisions/decision-log.js';
import { type UnfinishedDrop, unfinishedDrops } from '../../drops/drops.js';
import { openRefusalsBySource, refusedDrops } from '../../drops/refused/refused-drops.js';
import { type RemoteInbox, remoteInboxes } from '../../drops/remote/remote-looks.js';
import { type HeldLease, heldLeases } from '../../leases/held-leases.js';
import { leaseHolder } from '../../leases/leases.js';
import { type ListedRun, listRuns } from '../../leases/run-list.js';
import { countsOfRun, lastRuns } from '../../leases/runs.js';
import { clientRef } from '../../permits/quota.js';
import { type QuotaUse, quotaInUse } from '../../permits/quota-use.js';
import { type LedgerVersions, ledgerVersions } from '../../store/ledger-facts.js';
import { type Ledger, reading } from '../../store/query.js';
import { restoredAt } from '../../submissions/staging/restored.js';
import { countByEnvironment } from '../../submissions/waiting/waiting-count.js';
import { waitingSince } from '../../submissions/waiting/waiting-since.js';
import { type UnbalancedDrop, unbalancedDrops } from '../balance/unbalanced.js';
import { type KeptAlerts, keptAlerts } from '../kept-alerts.js';
import { queuesWaiting } from '../queues.js';
import { causesIn } from '../rows/attention.js';
import { type SubmissionCount, submissionCounts } from '../submission-counts.js';
import { type UnknownIn, unknownByEnvironment } from '../unknown-learners.js';
import { type SentInMinute, sentSince } from './sent-since.js';
import { type SourceFigures, sourcesIn } from './source-figures.js';
import { causesBySource, type SourceCause, type SourceShare, sharesBySource, sizesOf } from './watched.js';

/** The present state of the work, part by part. */
export interface PresentState {
  /** Work under way, and work that was left unfinished. */
  readonly work: WorkUnderWay;
  /** Submissions by environment, state and cause. */
  readonly submissions: readonly SubmissionCount[];
  /** The environments that were asked about, in that order. */
  readonly environments: readonly EnvironmentState[];
  /** The queues of all other environments with waiting rows. */
  readonly stranded: readonly WaitingQueue[];
  /** The outages that last. */
  readonly outages: readonly Outage[];
  /** Why rows need a person, most rows first. */
  readonly causes: readonly CauseCount[];
  /** The same for each source, as alerts tell of it. */
  readonly sourceCauses: readonly SourceCause[];
  readonly unknownLearners: readonly UnknownIn[];
  /** Files that were set aside and are not closed, the latest first. Their names may name a person. */
  readonly setAside: readonly RefusedDrop[];
  /** How many of them each source has. */
  readonly setAsideBySource: readonly { readonly source: string; readonly files: number }[];
  /** Sources that have published drops, by name. */
  readonly sources: readonly SourceFigures[];
  /** For each source with published drops: the rows of its last day of drops. */
  readonly shares: readonly SourceShare[];
  /** Rows of data of the latest published files of the sources that were asked about, the newest first. */
  readonly sizes: readonly { readonly source: string; readonly rows: readonly number[] }[];
  /** The latest ISO time at which a file of a source came in, repeated ones included. */
  readonly arrivals: readonly { readonly source: string; readonly at: string }[];
  /** Requests that have left and are not answered yet. */
  readonly openAttempts: number;
  /** First answers, and requests that ended without one. */
  readonly answers: readonly {
    readonly environment: string;
    readonly outcome: OutcomeKind;
    readonly count: number;
  }[];
  /** Requests since the time that was asked for, minute by minute; a minute without any is left out. */
  readonly sent: readonly SentInMinute[];
  /** The latest runs, newest first. */
  readonly runs: readonly CountedRun[];
  /** The same, with requests counted up to some thousands. */
  readonly listedRuns: readonly ListedRun[];
  readonly alerts: KeptAlerts;
  /** Published drops whose control totals differ from the rows that were read; none is as it should be. */
  readonly unbalancedDrops: readonly UnbalancedDrop[];
  readonly versions: LedgerVersions;
  /** What is known of remote inboxes, by source. */
  readonly remoteInboxes: readonly RemoteInbox[];
}

/** Work under way, and work that was left unfinished: the process died or was killed, or the work never ended. */
export interface WorkUnderWay {
  /** The leases that a process holds, or held when it died. */
  readonly leases: readonly HeldLease[];
  /** The half-staged drop: its process died, or a process is staging it now; null: there is none. */
  readonly staging: readonly UnfinishedDrop[];
  /** Decisions that are not carried out to their end, oldest first. */
  readonly decisions: readonly RecordedDecision[];
  /** Names of the environments that have rows of published drops waiting. */
  readonly waiting: readonly string[];
  /** Rows that were being sent when their process died, by environment: the next push there settles them. */
  readonly abandoned: readonly { readonly environment: string; readonly rows: number }[];
  /** ISO time of a restore that is not finished yet; null: there is none. */
  readonly restoredAt: string | null;
  /** The latest ISO time at which any run began; null before the first. Later than now where the clock was set back. */
  readonly newestRunAt: string | null;
}

/** The delivery to one environment. */
export interface EnvironmentState extends WaitingQueue {
  /** See `waitingSince`. */
  readonly waitingSince: string | null;
  /** As the last run found it. */
  readonly isDown: boolean;
  readonly quota: QuotaUse;
}

/** The name of a part. */
export type StatePart = keyof PresentState;

/** What some parts are about; left out: nothing. */
export interface StateQuestion {
  readonly environments?: readonly AskedEnvironment[];
  /** Sources whose sizes are asked for. */
  readonly sources?: readonly string[];
  /** ISO time since which requests are counted. */
  readonly since?: string;
}

/** An environment that is asked about. */
export interface AskedEnvironment {
  readonly name: string;
  /** Whose quota it uses. */
  readonly clientId: string;
  /** How often it rechecks a learner whom the platform doesn't know. */
  readonly rechecks: number;
}

/**
 * Reads parts of the present state, all at one moment. Delivery, intake, decisions, status, health, metrics, alerts and the pages all
 * go by it, so that no work is left that one of them takes for done.
 */
export async function readState<P extends StatePart>(
  ledger: Ledger,
  parts: readonly P[],
  question: StateQuestion = {},
): Promise<Pick<PresentState, P>> {
  const asked = { environments: [], sources: [], since: '', ...question };
  return reading(ledger, async (ledger) => {
    const read = await mapSeries(parts, async (part) => [part, await PARTS[part](ledger, asked)] as const);
    return Object.fromEntries(read) as unknown as Pick<PresentState, P>;
  });
}

/** How many runs are read. */
const RUNS = 5;

const PARTS: {
  readonly [P in StatePart]: (ledger: Ledger, asked: Required<StateQuestion>) => Promise<PresentState[P]>;
} = {
  work: readWork,
  submissions: submissionCounts,
  environments: async (ledger, { environments }) => {
    const waiting = await countByEnvironment(ledger, 'waiting');
    return mapSeries(environments, async (asked) => ({
      ...(await environmentState(ledger, asked)),
      waiting: waiting.find(({ environment }) => environment === asked.name)?.count ?? 0,
    }));
  },
  stranded: async (ledger, { environments }) =>
    queuesWaiting(
      ledger,
      environments.map(({ name }) => name),
    ),
  outages: async (ledger) => outagesIn(ledger, {}),
  causes: async (ledger) => causesIn(ledger, {}),
  sourceCauses: causesBySource,
  unknownLearners: async (ledger, { environments }) => {
    const rechecks = new Map(environments.map(({ name, rechecks }) => [name, rechecks]));
    return unknownByEnvironment(ledger, (name) => rechecks.get(name) ?? 0);
  },
  setAside: refusedDrops,
  setAsideBySource: openRefusalsBySource,
  sources: sourcesIn,
  shares: sharesBySource,
  sizes: async (ledger, { sources }) =>
    mapSeries(sources, async (source) => ({ source, rows: await sizesOf(ledger, source) })),
  arrivals: latestArrivals,
  openAttempts: countOpenAttempts,
  answers: async (ledger) =>
    ledger.db.selectFrom('answer_counter').selectAll().orderBy('environment').orderBy('outcome').execute(),
  sent: async (ledger, { since }) => sentSince(ledger, since),
  runs: async (ledger) =>
    mapSeries(await lastRuns(ledger, RUNS), async (run) => ({
      ...run,
      ...(await countsOfRun(ledger, run.runId)),
    })),
  listedRuns: async (ledger) =>
    (await listRuns(ledger, { trigger: null, end: null, isDescending: true, after: null, most: RUNS })).rows,
  alerts: keptAlerts,
  unbalancedDrops,
  remoteInboxes,
  versions: ledgerVersions,
};

async function readWork(ledger: Ledger): Promise<WorkUnderWay> {
  const newest = await ledger.db
    .selectFrom('run')
    .select(sql<string | null>`max(started_at)`.as('at'))
    .executeTakeFirst();
  const leases = await heldLeases(ledger);
  const isSent = (environment: string) =>
    leases.some(({ name, isAlive }) => isAlive && name === `push:${environment}`);
  return {
    leases,
    staging: await unfinishedDrops(ledger),
    decisions: await openDecisions(ledger),
    waiting: (await countByEnvironment(ledger, 'waiting')).map(({ environment }) => environment),
    abandoned: (await countByEnvironment(ledger, 'sending'))
      .filter(({ environment }) => !isSent(environment))
      .map(({ environment, count }) => ({ environment, rows: count })),
    restoredAt: await restoredAt(ledger),
    newestRunAt: newest?.at ?? null,
  };
}

async function environmentState(
  ledger: Ledger,
  { name, clientId }: AskedEnvironment,
): Promise<Omit<EnvironmentState, 'waiting'>> {
  const pushedBy: Holder | null = await leaseHolder(ledger, `push:${name}`);
  return {
    environment: name,
    pushedBy,
    waitingSince: await waitingSince(ledger, name),
    isDown: (await outagesOpen(ledger, name)).includes(null),
    quota: await quotaInUse(ledger, clientRef(clientId)),
  };
}

async function latestArrivals(ledger: Ledger): Promise<PresentState['arrivals']> {
  return ledger.db
    .selectFrom('arrival as a')
    .innerJoin('drop_file as d', 'd.drop_id', 'a.drop_id')
    .select(['d.source', sql<string>`max(a.arrived_at)`.as('at')])
    .groupBy('d.source')
    .execute();
}

async function countOpenAttempts(ledger: Ledger): Promise<number> {
  const counted = await ledger.db
    .selectFrom('attempt_open')
    .select(sql<number>`count(*)`.as('count'))
    .executeTakeFirst();
  return counted?.count ?? 0;
}
