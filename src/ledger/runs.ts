import { sql } from 'kysely';
import { isoFromMs } from '../domain/clock.js';
import type { RunEnd, RunTrigger } from '../domain/run.js';
import { isGone, type Owner } from './owner.js';
import { all, change, first, type Ledger, query, writing } from './query.js';

/** Opens the record of one execution; everything it does carries the id. */
export function beginRun(ledger: Ledger, trigger: RunTrigger, owner: Owner, version: string): number {
  return change(
    ledger,
    query.insertInto('run').values({
      trigger,
      version,
      pid: owner.pid,
      pid_started: owner.pidStarted,
      host: owner.host,
      boot: ledger.clock.bootId,
      adopted_by: null,
      started_at: isoFromMs(ledger.clock.nowMs()),
      ended_at: null,
      end: null,
    }),
  ).id;
}

/**
 * Closes the runs whose process certainly died, and makes `runId` answer for them and for those that an error ended:
 * what they left behind appears in its report and its exit code, since nobody else would tell. Returns how many.
 */
export function adoptDeadRuns(ledger: Ledger, runId: number, here: Owner): number {
  let adopted = 0;
  const open = all(
    ledger,
    query
      .selectFrom('run')
      .selectAll()
      .where('run_id', '<', runId)
      .where(sql<boolean>`ended_at is null or (end = 'error' and adopted_by is null)`),
  );
  for (const run of open) {
    const holder = { pid: run.pid, pidStarted: run.pid_started, host: run.host };
    if (run.ended_at === null && !isGone(holder, run.boot, { host: here.host, boot: ledger.clock.bootId }))
      continue;
    adopted += 1;
    writing(ledger, () => {
      endRun(ledger, run.run_id, 'died');
      change(
        ledger,
        query
          .updateTable('run')
          .set({ adopted_by: runId })
          .where(sql<boolean>`run_id = ${run.run_id} or adopted_by = ${run.run_id}`),
      );
    });
  }
  return adopted;
}

/** Closes it. A run whose process died stays open until a later one adopts it. */
export function endRun(ledger: Ledger, runId: number, end: RunEnd): void {
  change(
    ledger,
    query
      .updateTable('run')
      .set({ ended_at: isoFromMs(ledger.clock.nowMs()), end })
      .where('run_id', '=', runId)
      .where('ended_at', 'is', null),
  );
}

/** One run as people see it. */
export interface RunSummary {
  readonly runId: number;
  readonly trigger: RunTrigger;
  readonly startedAt: string;
  readonly endedAt: string | null;
  readonly end: RunEnd | null;
}

/** The latest runs, newest first. */
export function lastRuns(ledger: Ledger, count: number): RunSummary[] {
  return all(
    ledger,
    query
      .selectFrom('run')
      .select(['run_id as runId', 'trigger', 'started_at as startedAt', 'ended_at as endedAt', 'end'])
      .orderBy('run_id', 'desc')
      .limit(count),
  );
}

/** What a run has done: files it took in, their rows, requests it made. */
export interface RunCounts {
  readonly files: number;
  readonly rows: number;
  readonly requests: number;
}

/** Counted off indexes that hold nothing else, so that a run of a million requests is no matter. */
export function countsOfRun(ledger: Ledger, runId: number): RunCounts {
  const drops = first(
    ledger,
    query
      .selectFrom('drop')
      .select([sql<number>`count(*)`.as('files'), sql<number>`coalesce(sum(rows_read), 0)`.as('rows')])
      .where('run_id', '=', runId),
  );
  const attempts = first(
    ledger,
    query.selectFrom('attempt').select(sql<number>`count(*)`.as('requests')).where('run_id', '=', runId),
  );
  return { files: drops?.files ?? 0, rows: drops?.rows ?? 0, requests: attempts?.requests ?? 0 };
}

/** True for a run that delivers what a rerun chose and nothing else. */
export function isRerun(ledger: Ledger, runId: number | null): boolean {
  if (runId === null) return false;
  const run = first(ledger, query.selectFrom('run').select('trigger').where('run_id', '=', runId));
  return run?.trigger === 'rerun';
}

/** When the run began; null when there is no such run. */
export function runStartedAt(ledger: Ledger, runId: number): string | null {
  const run = first(ledger, query.selectFrom('run').select('started_at').where('run_id', '=', runId));
  return run?.started_at ?? null;
}

/** The number of the latest run; null before the first. */
export function latestRun(ledger: Ledger): number | null {
  return first(ledger, query.selectFrom('run').select(sql<number | null>`max(run_id)`.as('id')))?.id ?? null;
}
