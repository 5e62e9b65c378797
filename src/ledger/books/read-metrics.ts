import { sql } from 'kysely';
import type { AlertKind } from '../../domain/alerts/alert.js';
import type { OutcomeKind } from '../../domain/outcome.js';
import { inTurn } from '../../domain/process/in-turn.js';
import type { Disposition } from '../../domain/row.js';
import { outagesOpen } from '../attempts/outages.js';
import { openDecisions } from '../decisions/decision-log.js';
import { openRefusalsBySource } from '../drops/refused/refused-drops.js';
import { leaseHolder } from '../leases/leases.js';
import { clientRef } from '../permits/quota.js';
import { quotaInUse } from '../permits/quota-use.js';
import { type LedgerVersions, ledgerVersions } from '../store/ledger-facts.js';
import { all, first, type Ledger, query, reading } from '../store/query.js';
import { waitingSince } from '../submissions/waiting/waiting-since.js';
import { openAlerts } from './kept-alerts.js';
import { published, type SubmissionCount, submissionCounts } from './submission-counts.js';

/** The present state of the work, in numbers that any ledger gives within milliseconds. */
export interface LedgerMetrics {
  readonly submissions: readonly SubmissionCount[];
  /** The environments that were asked about, in that order. */
  readonly environments: readonly EnvironmentMetrics[];
  /** Sources that have published drops, by name. */
  readonly sources: readonly SourceMetrics[];
  /** Open set-aside files. */
  readonly setAside: readonly { readonly source: string; readonly files: number }[];
  /** Decisions that are not carried out to their end. */
  readonly openDecisions: number;
  /** The kind of each alert that is open. */
  readonly openAlerts: readonly AlertKind[];
  /** Requests that have left and are not answered yet. */
  readonly openAttempts: number;
  /** First answers, and requests that ended without one. */
  readonly attempts: readonly {
    readonly environment: string;
    readonly outcome: OutcomeKind;
    readonly count: number;
  }[];
  /** The latest ISO time at which a file of a source came in, repeated ones included. */
  readonly arrivals: readonly { readonly source: string; readonly at: string }[];
  readonly versions: LedgerVersions;
}

/** The delivery to one environment. */
export interface EnvironmentMetrics {
  readonly environment: string;
  /** See `waitingSince`. */
  readonly waitingSince: string | null;
  readonly isDelivering: boolean;
  /** As the last run found it. */
  readonly isDown: boolean;
  /** Permits of its client id that are taken. */
  readonly permits: number;
  readonly pausedForMs: number;
}

/** What came in from one source. */
export interface SourceMetrics {
  readonly source: string;
  readonly drops: number;
  readonly dispositions: Readonly<Record<Disposition, number>>;
  /** Invalid rows that nobody has corrected or dismissed. */
  readonly invalidOpen: number;
}

/** An environment as metrics ask about it. */
export interface MetricsOf {
  readonly name: string;
  /** Whose quota it uses. */
  readonly clientId: string;
}

/**
 * Reads the present state in numbers, from indexes alone, so that it may be asked every few seconds while a million rows are
 * delivered.
 */
export async function readMetrics(
  ledger: Ledger,
  environments: readonly MetricsOf[],
): Promise<LedgerMetrics> {
  return reading(ledger, async (ledger) => ({
    submissions: await submissionCounts(ledger),
    environments: await inTurn(environments, async ({ name, clientId }) => ({
      environment: name,
      waitingSince: await waitingSince(ledger, name),
      isDelivering: (await leaseHolder(ledger, `push:${name}`)) !== null,
      isDown: (await outagesOpen(ledger, name)).includes(null),
      ...(await quotaInUse(ledger, clientRef(clientId))),
    })),
    sources: await sourcesIn(ledger),
    setAside: await openRefusalsBySource(ledger),
    openDecisions: (await openDecisions(ledger)).length,
    openAlerts: (await openAlerts(ledger)).map(({ kind }) => kind),
    openAttempts: await countOpenAttempts(ledger),
    attempts: await all(
      ledger,
      query.selectFrom('answer_counter').selectAll().orderBy('environment').orderBy('outcome'),
    ),
    arrivals: await latestArrivals(ledger),
    versions: ledgerVersions(ledger),
  }));
}

async function sourcesIn(ledger: Ledger): Promise<SourceMetrics[]> {
  const sum = (column: string) => sql<number>`sum(${sql.ref(column)})`;
  const found = await all(
    ledger,
    query
      .selectFrom('drop_file')
      .select([
        'source',
        sql<number>`count(*)`.as('drops'),
        sum('staged').as('staged'),
        sum('duplicate').as('duplicate'),
        sum('amended').as('amended'),
        sum('invalid').as('invalid'),
        sum('skipped').as('skipped'),
        sum('non_data').as('non-data'),
        sum('blank').as('blank'),
      ])
      .where('state', '=', sql.lit('published'))
      .groupBy('source'),
  );
  const open = await invalidBySource(ledger);
  return found.map(({ source, drops, ...dispositions }) => ({
    source,
    drops,
    dispositions,
    invalidOpen: open.get(source) ?? 0,
  }));
}

async function invalidBySource(ledger: Ledger): Promise<ReadonlyMap<string, number>> {
  const found = await all(
    ledger,
    published()
      .select(['d.source', sql<number>`sum(n.count)`.as('count')])
      .where('n.state', '=', sql.lit('invalid'))
      .groupBy('d.source'),
  );
  return new Map(found.map(({ source, count }) => [source, count]));
}

async function countOpenAttempts(ledger: Ledger): Promise<number> {
  const counted = await first(
    ledger,
    query.selectFrom('attempt_open').select(sql<number>`count(*)`.as('count')),
  );
  return counted?.count ?? 0;
}

async function latestArrivals(ledger: Ledger): Promise<LedgerMetrics['arrivals']> {
  return all(
    ledger,
    query
      .selectFrom('arrival as a')
      .innerJoin('drop_file as d', 'd.drop_id', 'a.drop_id')
      .select(['d.source', sql<string>`max(a.arrived_at)`.as('at')])
      .groupBy('d.source'),
  );
}
