import { sql } from 'kysely';
import { inTurn } from '../../../domain/process/in-turn.js';
import type { RunEnd, RunTrigger } from '../../../domain/process/run.js';
import type { RunCounts, RunSummary } from '../../leases/runs.js';
import { all, first, type Ledger, query, reading } from '../../store/query.js';

/** A run of a list. */
export interface ListedRun extends RunSummary, RunCounts {
  /** False: it made more requests than were counted. */
  readonly areAllCounted: boolean;
}

/** Which runs are listed. A null doesn't narrow. */
export interface RunsAsked {
  readonly trigger: RunTrigger | null;
  /** `open`: those that have not ended. */
  readonly end: RunEnd | 'open' | null;
  readonly isDescending: boolean;
  /** From 1. */
  readonly page: number;
  readonly limit: number;
}

/** Counting more requests of each run takes longer than a list may. */
const MOST_REQUESTS = 5_000;

/** Lists runs with what they did, one page of them. */
export async function runPage(
  ledger: Ledger,
  { trigger, end, isDescending, page, limit }: RunsAsked,
): Promise<{ readonly runs: readonly ListedRun[]; readonly total: number }> {
  return reading(ledger, async (ledger) => {
    const fitting = query
      .selectFrom('run')
      .where(sql<boolean>`${trigger === null ? sql`true` : sql`trigger = ${trigger}`}`)
      .where(
        sql<boolean>`${end === null ? sql`true` : end === 'open' ? sql`ending is null` : sql`ending = ${end}`}`,
      );
    const counted = await first(ledger, fitting.select(sql<number>`count(*)`.as('count')));
    const runs = await all(
      ledger,
      fitting
        .select(['run_id as runId', 'trigger', 'started_at as startedAt', 'ended_at as endedAt'])
        .select('ending as end')
        .orderBy('run_id', isDescending ? 'desc' : 'asc')
        .limit(sql<number>`${limit} + 0`)
        .offset(sql<number>`${(page - 1) * limit} + 0`),
    );
    return {
      runs: await inTurn(runs, async (run) => ({ ...run, ...(await countsUpTo(ledger, run.runId)) })),
      total: counted?.count ?? 0,
    };
  });
}

async function countsUpTo(ledger: Ledger, runId: number) {
  const found = await first(
    ledger,
    query.selectNoFrom([
      sql<number>`(select count(*) from drop_file where run_id = ${runId})`.as('files'),
      sql<number>`(select coalesce(sum(rows_read), 0) from drop_file where run_id = ${runId})`.as('rows'),
      sql<number>`(select count(*) from (select 1 from attempt where run_id = ${runId}
        limit ${MOST_REQUESTS + 1} + 0))`.as('requests'),
    ]),
  );
  const { files = 0, rows = 0, requests = 0 } = found ?? {};
  return {
    files,
    rows,
    requests: Math.min(requests, MOST_REQUESTS),
    areAllCounted: requests <= MOST_REQUESTS,
  };
}

/** All facts about one run but its rows. */
export interface RunFacts extends RunSummary, RunCounts {
  /** The Registrar that ran. */
  readonly version: string;
  readonly host: string;
  readonly pid: number;
  /** The later run whose report covers this one, which died; null: none does. */
  readonly adoptedBy: number | null;
  /** Earlier runs that its report covers. */
  readonly adopted: readonly number[];
  /** Requests by environment. */
  readonly environments: readonly { readonly environment: string; readonly requests: number }[];
  readonly previous: number | null;
  readonly next: number | null;
}

/** Reads all facts about one run but its rows; null where there is none of this number. */
export async function readRun(ledger: Ledger, runId: number): Promise<RunFacts | null> {
  return reading(ledger, async (ledger) => {
    const run = await first(
      ledger,
      query
        .selectFrom('run')
        .select(['run_id as runId', 'trigger', 'started_at as startedAt', 'ended_at as endedAt'])
        .select(['ending as end', 'version', 'host', 'pid', 'adopted_by as adoptedBy'])
        .select([
          sql<number | null>`(select max(o.run_id) from run o where o.run_id < ${runId})`.as('previous'),
          sql<number | null>`(select min(o.run_id) from run o where o.run_id > ${runId})`.as('next'),
        ])
        .where('run_id', '=', runId),
    );
    if (run === undefined) return null;
    const adopted = await all(
      ledger,
      query.selectFrom('run').select('run_id as id').where('adopted_by', '=', runId).orderBy('run_id'),
    );
    const environments = await all(
      ledger,
      query
        .selectFrom('attempt')
        .select(['environment', sql<number>`count(*)`.as('requests')])
        .where('run_id', '=', runId)
        .groupBy('environment'),
    );
    const { files, rows } = await countsUpTo(ledger, runId);
    return {
      ...run,
      files,
      rows,
      requests: environments.reduce((sum, { requests }) => sum + requests, 0),
      adopted: adopted.map(({ id }) => id),
      environments,
    };
  });
}
