import { inTurn } from '../../domain/process/in-turn.js';
import { type Outage, outagesIn } from '../attempts/outages.js';
import { type RefusedDrop, refusedDrops } from '../drops/refused/refused-drops.js';
import { countsOfRun, lastRuns, type RunCounts, type RunSummary } from '../leases/runs.js';
import { clientRef } from '../permits/quota.js';
import { type QuotaUse, quotaInUse } from '../permits/quota-use.js';
import { type Ledger, reading } from '../store/query.js';
import { type KeptAlerts, keptAlerts } from './kept-alerts.js';
import { queueFor, queuesWaiting, type WaitingQueue } from './queues.js';
import { readWork, type WorkUnderWay } from './read-work.js';
import { type CauseCount, causesIn } from './rows/attention.js';
import { type UnknownIn, unknownByEnvironment } from './unknown-learners.js';

/** The present state of the work. */
export interface LedgerStatus extends WorkUnderWay {
  /** The environments that were asked about, in that order. */
  readonly environments: readonly (WaitingQueue & { readonly quota: QuotaUse })[];
  /** The queues of all other environments with waiting rows. */
  readonly stranded: readonly WaitingQueue[];
  /** The outages that last. */
  readonly outages: readonly Outage[];
  /** Why rows need a person, most rows first. */
  readonly causes: readonly CauseCount[];
  readonly unknownLearners: readonly UnknownIn[];
  /** Files that were set aside and are not closed, the latest first. */
  readonly setAside: readonly RefusedDrop[];
  /** The latest ones, newest first. */
  readonly runs: readonly (RunSummary & RunCounts)[];
  readonly alerts: KeptAlerts;
}

/** An environment as a status asks about it. */
export interface StatusOf {
  readonly name: string;
  /** Whose quota it uses. */
  readonly clientId: string;
  /** How often it rechecks a learner whom the platform doesn't know. */
  readonly rechecks: number;
}

/** How many runs are shown. */
const RUNS = 5;

/** Reads the present state: waiting rows, work under way or left undone, rows that need a person, the latest runs, and alerts. */
export async function readStatus(ledger: Ledger, environments: readonly StatusOf[]): Promise<LedgerStatus> {
  return reading(ledger, async (ledger) => {
    const rechecks = new Map(environments.map(({ name, rechecks }) => [name, rechecks]));
    return {
      ...(await readWork(ledger)),
      environments: await inTurn(environments, async ({ name, clientId }) => ({
        ...(await queueFor(ledger, name)),
        quota: await quotaInUse(ledger, clientRef(clientId)),
      })),
      stranded: await queuesWaiting(ledger, [...rechecks.keys()]),
      outages: await outagesIn(ledger, {}),
      causes: await causesIn(ledger, {}),
      unknownLearners: await unknownByEnvironment(ledger, (name) => rechecks.get(name) ?? 0),
      setAside: await refusedDrops(ledger),
      runs: await inTurn(await lastRuns(ledger, RUNS), async (run) => ({
        ...run,
        ...(await countsOfRun(ledger, run.runId)),
      })),
      alerts: await keptAlerts(ledger),
    };
  });
}
