import { sql } from 'kysely';
import { isoFromMs } from '../../domain/clock.js';
import type { PlacedFault } from '../../domain/environment/fault.js';
import { mapSeries } from '../../domain/process/series.js';
import { publishedIn, type ReportSelection } from '../drops/report-selection.js';
import { isInRun } from '../leases/runs.js';
import { putRow } from '../store/by-key.js';
import { change, first, inserted, type Ledger, query, writing } from '../store/query.js';
import { countWaiting } from '../submissions/waiting.js';

export interface OutageCause {
  /** null: the whole environment. */
  readonly operation: string | null;
  readonly fault: PlacedFault;
}

/** A period in which an environment, or one of its operations, can't be used. */
export type Outage = Awaited<ReturnType<typeof outagesIn>>[number];

/**
 * Records the outages that a push has found. A continuing outage keeps its start time. Where only single operations
 * can't be used, the outage of the whole environment ends, and theirs have its start time.
 */
export async function recordOutages(
  ledger: Ledger,
  runId: number,
  environment: string,
  causes: readonly OutageCause[],
  sinceMs: number,
): Promise<void> {
  await writing(ledger, async (ledger) => {
    const open = await openOf(ledger, environment);
    const isWhole = causes.some(({ operation }) => operation === null);
    const before = open.filter(({ operation }) => isWhole || operation === null).map(({ since }) => since);
    const since = [isoFromMs(sinceMs), ...before].sort()[0] ?? '';
    for (const { operation, fault } of causes) {
      const outage = open.find((one) => one.operation === operation);
      const begun = { environment, operation, since_at: since, ended_at: null };
      const beginning = query.insertInto('outage').values(begun).returning('outage_id as id');
      const outageId = outage?.outageId ?? (await inserted(ledger, beginning)).id;
      const cause = { at: isoFromMs(ledger.clock.nowMs()), ...fault };
      await putRow(ledger, 'outage_run', { outage_id: outageId, run_id: runId }, cause);
    }
    for (const { outageId, operation } of open) {
      if (causes.some((cause) => cause.operation === operation)) continue;
      if (operation !== null && (await countWaiting(ledger, environment, { operation })) > 0) continue;
      await change(ledger, ending(ledger).where('outage_id', '=', outageId));
    }
  });
}

/** The operations of the environment with an open outage; null represents the whole environment. */
export async function outagesOpen(ledger: Ledger, environment: string): Promise<(string | null)[]> {
  return (await openOf(ledger, environment)).map(({ operation }) => operation);
}

/** Ends the outage of the whole environment and of the operation; null: of all. @returns false: there was none. */
export async function endOutages(ledger: Ledger, environment: string, operation: string | null) {
  const over = ending(ledger).where('environment', '=', environment);
  const ended = await change(
    ledger,
    operation === null
      ? over
      : over.where(({ or, eb }) => or([eb('operation', 'is', null), eb('operation', '=', operation)])),
  );
  return ended > 0;
}

/** When the latest outage of an environment or of an operation ended; null: it continues, or there was none. */
export async function latestEnd(ledger: Ledger, environment: string, operation: string | null) {
  const latest = await ledger.db
    .selectFrom('outage')
    .select('ended_at as endedAt')
    .where('environment', '=', environment)
    .where('operation', 'is', operation)
    .orderBy('outage_id', 'desc')
    .limit(sql.lit(1))
    .executeTakeFirst();
  return latest?.endedAt ?? null;
}

/** When the environment, or one of its operations, last answered before an outage; null: never. */
export async function workedUntil(ledger: Ledger, { outageId, environment, operation, since }: Outage) {
  const answered = query
    .selectFrom('attempt as a')
    .innerJoin('response as r', 'r.attempt_id', 'a.attempt_id')
    .select('r.received_at as at')
    .where('a.environment', '=', environment)
    // With the index of runs, which skips other environments and all later attempts.
    .where('a.run_id', '<=', sql<number>`(select min(run_id) from outage_run where outage_id = ${outageId})`)
    .where('r.outcome', 'in', ['accepted', 'rejected'])
    .where('r.received_at', '<=', since)
    .orderBy('a.run_id', 'desc')
    .orderBy('a.attempt_id', 'desc')
    .limit(sql.lit(1));
  const latest = await first(
    ledger,
    operation === null ? answered : answered.where('a.operation', '=', operation),
  );
  return latest?.at ?? null;
}

/**
 * The outages that concern the selection, the oldest first. For a run: those that it found, and open ones that its
 * rows wait for. For a source or a file: open ones that its rows wait for. For a period or everything: all open ones.
 * `since`: when the first run found it, minus the time that it had already waited for an answer; `endedAt`: null: it
 * is open; `runs`: how many runs found it; `lastAt`, `fault`: when and what the last of them found, or the run of the
 * selection; `waiting`: the rows that wait for it now.
 */
export async function outagesIn(ledger: Ledger, selection: ReportSelection) {
  const { runId, source, fileName } = selection;
  const lasting = sql<boolean>`o.ended_at is null`;
  const waitedFor = sql<boolean>`exists (
    select 1 from submission s join drop_file d on d.drop_id = s.drop_id
    where s.environment_id = (select e.environment_id from environment e where e.name = o.environment) and s.state = 'waiting'
      and (o.operation is null or s.operation_id in (select n.operation_id from operation n where n.name = o.operation))
      and ${publishedIn(selection)})`;
  const latestOf = (runId: number | undefined) => sql<number>`(
    select max(run_id) from outage_run x where x.outage_id = o.outage_id and ${isInRun('x.run_id', runId)})`;
  const hasCauseInRun = runId === undefined ? sql`false` : sql`${latestOf(runId)} is not null`;
  // A report of a period is read today: it also shows the outages of today, although its rows are older.
  const isAll = runId === undefined && source === undefined && fileName === undefined;
  const concerned = isAll ? lasting : sql<boolean>`(${hasCauseInRun} or (${lasting} and ${waitedFor}))`;
  const latest = sql<number>`coalesce(${latestOf(runId)}, ${latestOf(undefined)})`;
  return mapSeries(
    await ledger.db
      .selectFrom('outage as o')
      .innerJoin('outage_run as r', (join) =>
        join.onRef('r.outage_id', '=', 'o.outage_id').on('r.run_id', '=', latest),
      )
      .select(['o.outage_id as outageId', 'o.environment', 'o.operation', 'o.since_at as since'])
      .select(['o.ended_at as endedAt', 'r.at as lastAt', 'r.code', 'r.message', 'r.host', 'r.address'])
      .select(sql<number>`(select count(*) from outage_run x where x.outage_id = o.outage_id)`.as('runs'))
      .where(concerned)
      .orderBy('o.since_at')
      .orderBy('o.outage_id')
      .execute(),
    async ({ code, message, host, address, ...outage }) => ({
      ...outage,
      fault: { code, message, host, address } satisfies PlacedFault,
      waiting: await countWaiting(ledger, outage.environment, { operation: outage.operation }),
    }),
  );
}

async function openOf(ledger: Ledger, environment: string) {
  return ledger.db
    .selectFrom('outage as o')
    .select(['o.outage_id as outageId', 'o.operation', 'o.since_at as since'])
    .where('o.environment', '=', environment)
    .where('o.ended_at', 'is', null)
    .execute();
}

function ending(ledger: Ledger) {
  const ended_at = isoFromMs(ledger.clock.nowMs());
  return query.updateTable('outage').set({ ended_at }).where('ended_at', 'is', null);
}

/** Ends the outages of all other environments: they are no longer in registrar.yaml, and no run will use them. */
export async function endOutagesBeside(ledger: Ledger, environments: readonly string[]): Promise<void> {
  await change(ledger, ending(ledger).where('environment', 'not in', environments));
}
