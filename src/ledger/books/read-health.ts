import { mapSeries } from '../../domain/process/series.js';
import { outagesIn, workedUntil } from '../attempts/outages.js';
import { arrivalTimes } from '../drops/arrived-files.js';
import { remoteInboxes } from '../drops/note-inbox.js';
import { refusedBySource } from '../drops/refused/refused-drops.js';
import { readJobs } from '../leases/jobs.js';
import { lastEnd } from '../leases/runs.js';
import { knownServices } from '../leases/services.js';
import { clientRef } from '../permits/quota.js';
import { quotaTaken } from '../permits/quota-use.js';
import { type Ledger, reading } from '../store/query.js';
import { countDue } from '../submissions/waiting.js';
import { unbalanced } from './balance/imbalances.js';
import { failingChannels, openAlerts } from './kept-alerts.js';
import { readState } from './state/read-state.js';
import { queuesWaiting } from './submission-counts.js';

/** What the ledger knows of whether all is healthy. */
export type LedgerHealthFacts = Awaited<ReturnType<typeof readHealth>>;

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
export async function readHealth(ledger: Ledger, question: HealthQuestion) {
  return reading(ledger, async (ledger) => ({
    /** ISO time at which the ledger was made. */
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
      pausedForMs: (await quotaTaken(ledger, clientRef(clientId))).pausedForMs,
      /** Rows that were due by the deadline of the question; 0 without one. */
      due: missed === null ? 0 : await countDue(ledger, name, missed),
    })),
    /** Environments outside the question that have rows waiting. */
    stranded: await queuesWaiting(
      ledger,
      question.environments.map(({ name }) => name),
    ),
    failing: await failingChannels(ledger),
    /** ISO times at which files came in lately, by source. */
    arrivals: new Map(
      await mapSeries(
        question.expecting,
        async (source) => [source, await arrivalTimes(ledger, source)] as const,
      ),
    ),
    /** Those that are open: they say since when what has no other time is known. */
    alerts: await openAlerts(ledger),
    remoteInboxes: await remoteInboxes(ledger),
    /** The file system of each source's inbox when a file was last imported from it. */
    inboxes: new Map(
      (await ledger.db.selectFrom('inbox').selectAll().execute()).map(({ source, file_system }) => [
        source,
        file_system,
      ]),
    ),
  }));
}
