import { sql } from 'kysely';
import { isoFromMs } from '../../domain/clock.js';
import { errorsOf } from '../../domain/operator-error.js';
import type { RunEnd, RunTrigger } from '../../domain/process/run.js';
import { mapSeries } from '../../domain/process/series.js';
import { updateRows } from '../store/by-key.js';
import { all, boundLimit, count, first, inserted, type Ledger, query, reading } from '../store/query.js';
import { type Owner, processOf } from './owner.js';

/** Opens a run, whose number marks all its entries in the ledger. */
export async function beginRun(
  ledger: Ledger,
  trigger: RunTrigger,
  owner: Owner,
  version: string,
): Promise<number> {
  const started_at = isoFromMs(ledger.clock.nowMs());
  const run = query.insertInto('run').values({ trigger, version, started_at, ...processOf(ledger, owner) });
  return (await inserted(ledger, run.returning('run_id as id'))).id;
}

/** Closes a run. A run whose process died stays open until a later one adopts it. */
export async function endRun(ledger: Ledger, runId: number, end: RunEnd): Promise<void> {
  const ended = { ended_at: isoFromMs(ledger.clock.nowMs()), ending: end };
  await updateRows(ledger, 'run', { run_id: runId, ended_at: null }, ended);
}

export type RunFacts = NonNullable<Awaited<ReturnType<typeof runFacts>>>;

/**
 * Reads a run with the version of Registrar that ran; null: there is no such run. `adoptedBy`: the later run whose
 * report covers this one; null: its own report does.
 */
export async function runFacts(ledger: Ledger, runId: number) {
  const run = runSummaries.select(['version', 'adopted_by as adoptedBy']).where('run_id', '=', runId);
  return (await first(ledger, run)) ?? null;
}

/** How and when the latest ended run ended; null: none has. */
export async function lastEnd(ledger: Ledger) {
  const ended = runSummaries.where('ended_at', 'is not', null).orderBy('run_id', 'desc');
  const { end, endedAt: at } = (await first(ledger, ended.limit(sql.lit(1)))) ?? { end: null, endedAt: null };
  return end === null || at === null ? null : { end, at };
}

/** The latest runs, newest first. */
export async function lastRuns(ledger: Ledger, count: number) {
  return all(ledger, runSummaries.orderBy('run_id', 'desc').limit(boundLimit(count)));
}

const runSummaries = query
  .selectFrom('run')
  .select(['run_id as runId', 'trigger', 'started_at as startedAt', 'ended_at as endedAt', 'ending as end']);

/** A page of the list of runs. A null doesn't filter. */
export interface RunListQuery {
  readonly trigger: RunTrigger | null;
  /** `open`: it is running, or its process died and no later run has adopted it. */
  readonly end: RunEnd | 'open' | null;
  /** The run after which the page starts; null: the first page. */
  readonly after: number | null;
  readonly limit: number;
}

/** The maximum number of requests to count for each run: counting more would make the list slow. */
const MAX_REQUESTS = 5_000;

/**
 * Lists runs, the latest first, a page at a time, each with its imported files and rows and its requests;
 * `areAllCounted` is false if it has more requests than are counted. `total`: how many runs match; `next`: the run
 * after which the next page starts; null: this is the last page.
 */
export async function listRuns(ledger: Ledger, { trigger, end, after, limit }: RunListQuery) {
  const ended = end === null ? sql`true` : end === 'open' ? sql`ending is null` : sql`ending = ${end}`;
  const matches = sql<boolean>`${trigger === null ? sql`true` : sql`"trigger" = ${trigger}`} and ${ended}`;
  return reading(ledger, async (ledger) => {
    const page = runSummaries.where(matches).where('run_id', '<', after ?? Number.MAX_SAFE_INTEGER);
    const runs = await all(ledger, page.orderBy('run_id', 'desc').limit(boundLimit(limit + 1)));
    const shown = await mapSeries(runs.slice(0, limit), async (run) => {
      const { requests, ...imported } = await countsOfRun(ledger, run.runId, MAX_REQUESTS + 1);
      const areAllCounted = requests <= MAX_REQUESTS;
      return { ...run, ...imported, requests: Math.min(requests, MAX_REQUESTS), areAllCounted };
    });
    return {
      rows: shown,
      total: await count(ledger, query.selectFrom('run').where(matches)),
      next: runs.length > limit ? (shown.at(-1)?.runId ?? null) : null,
    };
  });
}

/** Counts the files that a run imported, their rows, and up to `limit` of its requests; reads only indexes. */
export async function countsOfRun(ledger: Ledger, runId: number, limit = Number.MAX_SAFE_INTEGER) {
  const own = query
    .selectFrom('attempt')
    .select('run_id')
    .where('run_id', '=', runId)
    .limit(boundLimit(limit));
  return {
    ...(await importedBy(ledger, runId)),
    requests: await count(ledger, query.selectFrom(own.as('own'))),
  };
}

/** Counts the files that a run imported, and their rows. */
export async function importedBy(ledger: Ledger, runId: number) {
  return ledger.db
    .selectFrom('drop_file')
    .select([sql<number>`count(*)`.as('files'), sql<number>`coalesce(sum(rows_read), 0)`.as('rows')])
    .where('run_id', '=', runId)
    .executeTakeFirstOrThrow();
}

/** Throws OperatorError where there is no such run. @param operation as in OperatorError. */
export async function requireRun(ledger: Ledger, runId: number, operation: string): Promise<void> {
  if ((await runFacts(ledger, runId)) !== null) return;
  const latest = await latestRun(ledger);
  const hint = latest === null ? 'No run has started yet.' : `The latest is run ${latest}.`;
  throw errorsOf(operation)(String(runId), `there is no run ${runId}`, hint, { reason: 'not-found' });
}

/** The number of the latest run; null: there is none yet. */
export async function latestRun(ledger: Ledger): Promise<number | null> {
  return (await lastRuns(ledger, 1))[0]?.runId ?? null;
}

/** Condition: the column has the number of this run, or of a run that it adopted. @param runId undefined: any run. */
export function isInRun(column: string, runId: number | undefined) {
  return runId === undefined ? sql<boolean>`true` : sql<boolean>`${sql.ref(column)} in ${runsOf(runId)}`;
}

/** The numbers of the run and of the runs that it adopted. */
export function runsOf(runId: number) {
  return sql`(select run_id from run where run_id = ${runId} or adopted_by = ${runId})`;
}
