import { sql } from 'kysely';
import { isoFromMs } from '../../domain/clock.js';
import type { PlacedFault } from '../../domain/environment/fault.js';
import { filterInTurn, inTurn } from '../../domain/process/in-turn.js';
import { publishedIn, type ReportSelection, runsOf } from '../books/books.js';
import { all, change, type Ledger, query, writing } from '../store/query.js';
import { countWaiting } from '../submissions/queue.js';
import { setReported } from './reported-outages.js';

/** Why an environment can't be used as a whole, or one of its operations. */
export interface OutageCause {
  /** null: all of the environment. */
  readonly operation: string | null;
  readonly fault: PlacedFault;
}

/** An environment, or an operation of it, that can't be used or couldn't. */
export interface Outage extends OutageCause {
  readonly outageId: number;
  readonly environment: string;
  /** When the first run found it so, less what it had waited for an answer by then. */
  readonly since: string;
  /** null while it lasts. */
  readonly endedAt: string | null;
  /** How many runs have found it so. */
  readonly runs: number;
  /** When the last of them did, or the run of the selection. `fault` is what that one found. */
  readonly lastAt: string;
  /** Rows that wait for it now. */
  readonly waiting: number;
  /** When a report with files last told of it as it is; null when none has. */
  readonly reportedAt: string | null;
}

/**
 * Keeps what a push that couldn't deliver has found: an outage that lasts goes on, with the time of its beginning. Where
 * it is operations alone, the environment as a whole is usable again, and the rows wait on from when it wasn't.
 */
export async function keepOutages(
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
      const known = open.find((one) => one.operation === operation);
      const outageId =
        known?.outageId ??
        (
          await change(
            ledger,
            query
              .insertInto('outage')
              .values({ environment, operation, since_at: since, reported_at: null, ended_at: null }),
          )
        ).id;
      if (known && known.code !== fault.code) await setReported(ledger, outageId, null);
      await keepCause(ledger, outageId, runId, fault);
    }
    const over = await filterInTurn(
      open,
      async ({ operation }) =>
        !causes.some((cause) => cause.operation === operation) &&
        (operation === null || (await countWaiting(ledger, environment, { operation })) === 0),
    );
    for (const { outageId } of over) await end(ledger, outageId);
  });
}

async function keepCause(ledger: Ledger, outageId: number, runId: number, fault: PlacedFault): Promise<void> {
  const { code, said, host, address } = fault;
  const found = { at: isoFromMs(ledger.clock.nowMs()), code, said, host, address };
  await change(
    ledger,
    query
      .insertInto('outage_run')
      .values({ outage_id: outageId, run_id: runId, ...found })
      .onConflict((conflict) => conflict.columns(['outage_id', 'run_id']).doUpdateSet(found)),
  );
}

/** Names of what of the environment can't be used as far as is known; null stands for all of it. */
export async function outagesOpen(ledger: Ledger, environment: string): Promise<(string | null)[]> {
  return (await openOf(ledger, environment)).map(({ operation }) => operation);
}

/**
 * Ends the outage of an environment as a whole, and that of an operation which was answered.
 * @param operation null: those of all operations.
 * @returns false when there was none.
 */
export async function endOutages(
  ledger: Ledger,
  environment: string,
  operation: string | null,
): Promise<boolean> {
  const over = query
    .updateTable('outage')
    .set({ ended_at: isoFromMs(ledger.clock.nowMs()) })
    .where('environment', '=', environment)
    .where('ended_at', 'is', null);
  const ended = await change(
    ledger,
    operation === null
      ? over
      : over.where(({ or, eb }) => or([eb('operation', 'is', null), eb('operation', '=', operation)])),
  );
  return ended.changes > 0;
}

/**
 * Outages that the selection is about, the oldest first: of a run those that it found or that its rows wait for, of anything
 * else those that last and that its rows wait for; of a span or of all there is, all that last.
 */
export async function outagesIn(ledger: Ledger, selection: ReportSelection): Promise<Outage[]> {
  const lasting = sql<boolean>`o.ended_at is null`;
  const runs = selection.runId === undefined ? null : runsOf(selection.runId);
  const ofRun = runs === null ? sql<boolean>`true` : sql<boolean>`d.run_id in ${runs}`;
  const waitedFor = sql<boolean>`exists (
    select 1 from submission s join drop_file d on d.drop_id = s.drop_id
    where s.environment_id = (select e.environment_id from environment e where e.name = o.environment) and s.state = 'waiting'
      and (o.operation is null or s.shape_id in (select h.shape_id from shape h where h.operation = o.operation)) and ${publishedIn({ ...selection, runId: undefined })}
      and ${ofRun})`;
  // A span is looked at today: what can't be used now was no better in it because its rows are older.
  const isAll =
    selection.runId === undefined && selection.source === undefined && selection.fileName === undefined;
  const found =
    runs === null
      ? sql<boolean>`false`
      : sql<boolean>`exists (select 1 from outage_run x where x.outage_id = o.outage_id and x.run_id in ${runs})`;
  const concerned = isAll ? lasting : sql<boolean>`(${found} or (${lasting} and ${waitedFor}))`;
  const latest =
    runs === null
      ? sql<number>`(select max(run_id) from outage_run x where x.outage_id = o.outage_id)`
      : sql<number>`coalesce(
          (select max(run_id) from outage_run x where x.outage_id = o.outage_id and x.run_id in ${runs}),
          (select max(run_id) from outage_run x where x.outage_id = o.outage_id))`;
  return inTurn(
    await all(
      ledger,
      query
        .selectFrom('outage as o')
        .innerJoin('outage_run as r', (join) =>
          join.onRef('r.outage_id', '=', 'o.outage_id').on('r.run_id', '=', latest),
        )
        .select([
          'o.outage_id as outageId',
          'o.environment',
          'o.operation',
          'o.since_at as since',
          'o.ended_at as endedAt',
          'o.reported_at as reportedAt',
          'r.at as lastAt',
          'r.code',
          'r.said',
          'r.host',
          'r.address',
          sql<number>`(select count(*) from outage_run x where x.outage_id = o.outage_id)`.as('runs'),
        ])
        .where(concerned)
        .orderBy('o.since_at')
        .orderBy('o.outage_id'),
    ),
    async ({ code, said, host, address, ...outage }) => ({
      ...outage,
      fault: { code, said, host, address },
      waiting: await countWaiting(ledger, outage.environment, { operation: outage.operation }),
    }),
  );
}

interface OpenOutage {
  readonly outageId: number;
  readonly operation: string | null;
  readonly since: string;
  readonly code: PlacedFault['code'];
}

async function openOf(ledger: Ledger, environment: string): Promise<OpenOutage[]> {
  return all(
    ledger,
    query
      .selectFrom('outage as o')
      .select([
        'o.outage_id as outageId',
        'o.operation',
        'o.since_at as since',
        sql<PlacedFault['code']>`(select code from outage_run r where r.outage_id = o.outage_id
          order by run_id desc limit 1)`.as('code'),
      ])
      .where('o.environment', '=', environment)
      .where('o.ended_at', 'is', null),
  );
}

async function end(ledger: Ledger, outageId: number): Promise<void> {
  const at = isoFromMs(ledger.clock.nowMs());
  await change(ledger, query.updateTable('outage').set({ ended_at: at }).where('outage_id', '=', outageId));
}
