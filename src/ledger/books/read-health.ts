import type { WaitingQueue } from '../../documents/report.js';
import type { FailingChannel } from '../../documents/status.js';
import type { Alert } from '../../domain/alerts/alert.js';
import type { JobFacts } from '../../domain/process/job.js';
import { mapSeries } from '../../domain/process/series.js';
import { type Outage, outagesIn, workedUntil } from '../attempts/outages.js';
import { arrivalTimes } from '../drops/arrival-times.js';
import { refusedDrops } from '../drops/refused/refused-drops.js';
import { type RemoteInbox, remoteInboxes } from '../drops/remote/remote-looks.js';
import { readJobs } from '../leases/jobs.js';
import { lastEnd } from '../leases/runs.js';
import { type KnownService, knownServices } from '../leases/services.js';
import { clientRef } from '../permits/quota.js';
import { quotaInUse } from '../permits/quota-use.js';
import { type Ledger, reading } from '../store/query.js';
import { countDue } from '../submissions/waiting/waiting-since.js';
import { type Unbalanced, unbalanced } from './balance/unbalanced.js';
import { failingChannels, openAlerts } from './kept-alerts.js';
import { queuesWaiting } from './queues.js';
import { readState, type WorkUnderWay } from './state/read-state.js';

/** What the ledger knows of whether all is healthy. */
export interface LedgerHealthFacts {
  /** ISO time at which the ledger was made. */
  readonly since: string;
  readonly work: WorkUnderWay;
  /** The latest sign of life first. */
  readonly services: readonly KnownService[];
  readonly latestRun: Awaited<ReturnType<typeof lastEnd>>;
  /** In the order of the question. */
  readonly jobs: readonly JobFacts[];
  readonly unbalanced: Unbalanced | null;
  /** Open refused files by source, with when the first of them came in, and the codes of the refusals. */
  readonly refused: readonly {
    readonly source: string;
    readonly files: number;
    readonly since: string;
    readonly codes: readonly string[];
  }[];
  readonly outages: readonly (Outage & { readonly workedUntil: string | null })[];
  /** In the order of the question. */
  readonly environments: readonly {
    readonly environment: string;
    readonly pausedForMs: number;
    /** Rows that were due by the deadline of the question; 0 without one. */
    readonly due: number;
  }[];
  /** Environments outside the question that have rows waiting. */
  readonly stranded: readonly WaitingQueue[];
  readonly failing: readonly FailingChannel[];
  /** ISO times at which files came in lately, by source. */
  readonly arrivals: ReadonlyMap<string, readonly string[]>;
  /** The alerts that are open: they say since when what has no other time is known. */
  readonly alerts: readonly Alert[];
  /** The file system of each source's inbox when a file was last imported from it. */
  readonly inboxes: ReadonlyMap<string, string>;
  readonly remoteInboxes: readonly RemoteInbox[];
}

/** The names whose health is read. */
export interface HealthQuestion {
  readonly environments: readonly {
    readonly name: string;
    readonly clientId: string;
    /** A deadline whose rows are to be counted; null: none is missed. */
    readonly missed: string | null;
  }[];
  readonly jobs: readonly string[];
  /** Sources whose files are expected by a time. */
  readonly expecting: readonly string[];
}

/** Reads what decides whether all is healthy, from indexes alone. */
export async function readHealth(ledger: Ledger, question: HealthQuestion): Promise<LedgerHealthFacts> {
  return reading(ledger, async (ledger) => ({
    since: (await ledger.db.selectFrom('ledger').select('created_at as at').executeTakeFirst())?.at ?? '',
    work: (await readState(ledger, ['work'])).work,
    services: await knownServices(ledger),
    latestRun: await lastEnd(ledger),
    jobs: await readJobs(ledger, question.jobs),
    unbalanced: await unbalanced(ledger),
    refused: await refusedBySource(ledger),
    outages: await mapSeries(await outagesIn(ledger, {}), async (outage) => ({
      ...outage,
      workedUntil: await workedUntil(ledger, outage),
    })),
    environments: await mapSeries(question.environments, async ({ name, clientId, missed }) => ({
      environment: name,
      pausedForMs: (await quotaInUse(ledger, clientRef(clientId))).pausedForMs,
      due: missed === null ? 0 : await countDue(ledger, name, missed),
    })),
    stranded: await queuesWaiting(
      ledger,
      question.environments.map(({ name }) => name),
    ),
    failing: await failingChannels(ledger),
    arrivals: new Map(
      await mapSeries(
        question.expecting,
        async (source) => [source, await arrivalTimes(ledger, source)] as const,
      ),
    ),
    alerts: await openAlerts(ledger),
    remoteInboxes: await remoteInboxes(ledger),
    inboxes: new Map(
      (await ledger.db.selectFrom('inbox').selectAll().execute()).map(({ source, file_system }) => [
        source,
        file_system,
      ]),
    ),
  }));
}

async function refusedBySource(ledger: Ledger): Promise<LedgerHealthFacts['refused']> {
  const open = await refusedDrops(ledger);
  return [...new Set(open.map(({ source }) => source))].map((source) => {
    const own = open.filter((drop) => drop.source === source);
    return {
      source,
      files: own.length,
      since: own.map(({ takenAt }) => takenAt).sort()[0] ?? '',
      codes: [...new Set(own.map(({ code }) => code))].sort(),
    };
  });
}
