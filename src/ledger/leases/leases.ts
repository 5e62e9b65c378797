import { hostname } from 'node:os';
import { sql } from 'kysely';
import type { Holder } from '../../documents/report.js';
import { failpoint } from '../../domain/process/failpoint.js';
import { isLocked } from '../../domain/process/io-hints.js';
import { putRow, updateRows } from '../store/by-key.js';
import { all, first, type Ledger, preparedQuery, query, writing, writingIn } from '../store/query.js';
import type { Tables } from '../store/schema.js';
import { isGone, isShared, type Owner, processOf } from './owner.js';
import { endRun, runFacts } from './runs.js';

/**
 * The leases: one for staging, one per environment for its push, one per job of the service, one per source for fetching its
 * files. Staging has one lease for all sources, because a row that repeats a key can be judged only once the first row with the
 * key counts or is withdrawn. In a ledger of several machines, a run has a lease, which shows the others that it is alive.
 */
export type LeaseName =
  | 'stage'
  | `push:${string}`
  | `job:${string}`
  | `${'fetch' | 'result'}:${string}`
  | `run:${number}`;

/** A lease held by this process. */
export interface Lease {
  readonly name: LeaseName;
  readonly owner: Owner;
  /** Stops an owner that has lost the lease. */
  readonly fence: {
    /** Higher than the number of every earlier owner. */
    readonly number: number;
    /**
     * The time of this process's monotonic clock until which no other process can take the lease from a living owner,
     * counted from before the query of the ledger: the check right before a request's first byte needs no query.
     */
    untilMs: number;
  };
}

/** How long a lease is valid after its last heartbeat: several heartbeats, and longer than any transaction. */
const LEASE_MS = 30_000;

/** How often an owner renews its lease. */
const HEARTBEAT_MS = 5_000;

/** Takes a lease that is free, expired, or whose owner is certainly gone; otherwise returns its holder. */
export async function takeLease(ledger: Ledger, name: LeaseName, owner: Owner, runId: number | null) {
  const fromMs = ledger.local.monotonicMs();
  return writing(ledger, async (ledger) => {
    const current = await leaseNamed(ledger, name);
    if (current && isHeld(ledger, current, owner.host)) return holderOf(ledger, current);
    const fence = (current?.fence ?? 0) + 1;
    const held = { owner: owner.id, ...processOf(ledger, owner), fence, run_id: runId };
    await putRow(ledger, 'lease', { name }, { ...held, ...heartbeatNow(ledger) });
    return { name, owner, fence: { number: fence, untilMs: fromMs + LEASE_MS } };
  });
}

/** True where `takeLease` returned the lease, not its holder. */
export function isLease(taken: Lease | Holder): taken is Lease {
  return 'fence' in taken;
}

function heartbeatNow({ clock }: Ledger) {
  const now = clock.monotonicMs();
  return { heartbeat_mono_ms: now, expires_mono_ms: now + LEASE_MS };
}

/** The key of the lease's row, which has it only while this owner has the lease. */
function whileHeld({ name, owner, fence }: Lease) {
  return { name, owner: owner.id, fence: fence.number };
}

/** True while this owner has the lease. Call it inside the transaction that relies on it. */
export async function holdsLease(ledger: Ledger, { name, owner, fence }: Lease): Promise<boolean> {
  const current = await leaseNamed(ledger, name);
  return current?.owner === owner.id && current.fence === fence.number;
}

function leaseNamed(ledger: Ledger, name: LeaseName) {
  return first(ledger, LEASE_NAMED({ name }));
}

const LEASE_NAMED = preparedQuery(({ name }: { readonly name: string }) =>
  query.selectFrom('lease').selectAll().where('name', '=', name),
);

/**
 * Renews the lease every few seconds until `over` is aborted; aborts it when the lease is lost or can't be renewed (a
 * full disk). Never rejects: returns the error of a failed renewal; null: none.
 */
async function keepLease(ledger: Ledger, lease: Lease, over: AbortController): Promise<unknown> {
  while (!over.signal.aborted) {
    await ledger.clock.sleep(HEARTBEAT_MS, over.signal);
    if (over.signal.aborted) break;
    const fromMs = ledger.local.monotonicMs();
    try {
      const renewed = await writingIn(ledger, lease.name, (ledger) =>
        updateRows(ledger, 'lease', whileHeld(lease), heartbeatNow(ledger)),
      );
      if (renewed === 1) lease.fence.untilMs = fromMs + LEASE_MS;
      else over.abort();
    } catch (error) {
      over.abort();
      return error;
    }
  }
  return null;
}

/** Runs `work` while the lease is renewed, and then releases the lease; throws the first error of either. */
async function withLease<T>(ledger: Ledger, lease: Lease, work: (over: AbortController) => Promise<T>) {
  const over = new AbortController();
  const heartbeat = keepLease(ledger, lease, over);
  try {
    const result = await work(over);
    over.abort();
    const broken = await heartbeat;
    if (broken !== null) throw broken;
    await releaseLease(ledger, lease);
    failpoint('lease-released');
    return result;
  } catch (error) {
    over.abort();
    await heartbeat;
    // Report the original error: a lease that a lock or a full disk keeps from being released expires.
    if (!isLocked(error)) await releaseLease(ledger, lease).catch(() => {});
    throw error;
  }
}

/** Leases that are renewed while some work runs, one for each name. */
export interface HeldLeases<Names extends readonly LeaseName[] = readonly LeaseName[]> {
  readonly leases: { readonly [Index in keyof Names]: Lease };
  /** Aborted once another owner has one of them. */
  readonly lost: AbortSignal;
}

/** A lease of another owner that blocks the work. */
export interface BlockingLease {
  readonly name: LeaseName;
  readonly holder: Holder;
}

/**
 * Runs `work` under several leases, which are renewed meanwhile. They are taken one after another, and released at
 * the end. Where one can't be taken, returns its holder without running `work`.
 */
export async function withLeases<const Names extends readonly LeaseName[], T>(
  ledger: Ledger,
  names: Names,
  owner: Owner,
  runId: number | null,
  work: (held: HeldLeases<Names>) => Promise<T>,
): Promise<{ readonly done: T } | BlockingLease> {
  const acquire = async (
    taken: readonly Lease[],
    lost: AbortSignal,
  ): Promise<{ done: T } | BlockingLease> => {
    const name = names[taken.length];
    if (name === undefined) {
      // `taken` has a lease for each name.
      const leases = taken as HeldLeases<Names>['leases'];
      return { done: await work({ leases, lost }) };
    }
    const lease = await takeLease(ledger, name, owner, runId);
    if (!isLease(lease)) return { name, holder: lease };
    return withLease(ledger, lease, (over) =>
      acquire([...taken, lease], AbortSignal.any([lost, over.signal])),
    );
  };
  return acquire([], new AbortController().signal);
}

/** Releases the lease; does nothing if another owner has it. */
export async function releaseLease(ledger: Ledger, lease: Lease): Promise<void> {
  await updateRows(ledger, 'lease', whileHeld(lease), FREE_LEASE);
}

/** The columns of a free lease. Its fence keeps its number. */
export const FREE_LEASE = { owner: null, expires_mono_ms: null, heartbeat_mono_ms: null } as const;

/** The present holder of the lease; null: the lease is free. */
export async function leaseHolder(ledger: Ledger, name: LeaseName): Promise<Holder | null> {
  const current = await leaseNamed(ledger, name);
  return current && isHeld(ledger, current, current.host) ? holderOf(ledger, current) : null;
}

/**
 * The leases that have an owner, without those of runs. `isAlive` is false where the owner is gone, or has missed
 * heartbeats for so long that another process may take the lease.
 */
export async function heldLeases(ledger: Ledger) {
  const held = await ledger.db
    .selectFrom('lease')
    .selectAll()
    .where('owner', 'is not', null)
    .where('name', 'not like', 'run:%')
    .orderBy('name')
    .execute();
  return held.map((lease) => ({
    name: lease.name as LeaseName,
    pid: lease.pid ?? 0,
    isAlive: isHeld(ledger, lease, lease.host),
  }));
}

async function holderOf(ledger: Ledger, { pid, host, run_id: runId }: Tables['lease']): Promise<Holder> {
  const run = runId === null ? null : await runFacts(ledger, runId);
  return { pid: pid ?? 0, host: host ?? '', runId, takesAll: run?.trigger !== 'rerun' };
}

/** True while a process pushes: long writers must leave room for it. */
export async function isPushRunning(ledger: Ledger): Promise<boolean> {
  return (await first(ledger, pushLeases(ledger))) !== undefined;
}

/** The same for other processes: this one may hold push leases to prevent pushes. */
export async function isOtherPushRunning(ledger: Ledger): Promise<boolean> {
  const isOther = sql<boolean>`(pid <> ${process.pid} or host <> ${hostname()})`;
  return (await first(ledger, pushLeases(ledger).where(isOther))) !== undefined;
}

function pushLeases(ledger: Ledger) {
  return query
    .selectFrom('lease')
    .select('name')
    .where('name', 'like', 'push:%')
    .where('owner', 'is not', null)
    .where('expires_mono_ms', '>', ledger.clock.monotonicMs());
}

/** True while the owner of a lease may live. @param here the name of the host that checks. */
function isHeld(ledger: Ledger, current: Tables['lease'], here: string | null): boolean {
  if (current.owner === null || isGone(ledger, current, here)) return false;
  // In a file, times of another boot can't be compared; `isGone` has covered processes of this host's earlier boots.
  const isComparable = isShared(ledger) || current.boot === ledger.local.bootId;
  const now = ledger.clock.monotonicMs();
  return !isComparable || (current.expires_mono_ms ?? 0) > now;
}

/**
 * Takes the lease of a run in a ledger of several machines, whose heartbeat shows that the run is alive; null for a
 * file, where the process shows it. Call it in the transaction that begins the run.
 */
export async function leaseOfRun(ledger: Ledger, runId: number, owner: Owner): Promise<Lease | null> {
  if (!isShared(ledger)) return null;
  const lease = await takeLease(ledger, `run:${runId}`, owner, runId);
  return isLease(lease) ? lease : null;
}

/** Runs the work of a run while its lease is renewed. @param lease from `leaseOfRun`. */
export async function whileAlive<T>(ledger: Ledger, lease: Lease | null, work: () => Promise<T>): Promise<T> {
  if (lease === null) return work();
  try {
    return await withLease(ledger, lease, work);
  } finally {
    await ledger.db.deleteFrom('lease').where('name', '=', lease.name).execute();
  }
}

/**
 * Closes the runs whose process certainly died, or whose heartbeat from another machine has stopped. `runId` adopts
 * them and the runs that ended with an error: its report covers their unfinished work, which no other run would report.
 * @returns the number of adopted runs.
 */
export async function adoptDeadRuns(ledger: Ledger, runId: number, here: Owner): Promise<number> {
  let adopted = 0;
  const isOpen = sql<boolean>`ended_at is null or (ending = 'error' and adopted_by is null)`;
  const open = await all(
    ledger,
    query.selectFrom('run').selectAll().where('run_id', '<', runId).where(isOpen),
  );
  for (const run of open) {
    const isSilent = isShared(ledger) && (await leaseHolder(ledger, `run:${run.run_id}`)) === null;
    if (run.ended_at === null && !isGone(ledger, run, here.host) && !isSilent) continue;
    adopted += 1;
    await writing(ledger, async (ledger) => {
      await endRun(ledger, run.run_id, 'died');
      await ledger.db
        .updateTable('run')
        .set({ adopted_by: runId })
        .where(sql<boolean>`run_id = ${run.run_id} or adopted_by = ${run.run_id}`)
        .execute();
      await ledger.db.deleteFrom('lease').where('name', '=', `run:${run.run_id}`).execute();
    });
  }
  return adopted;
}

/** How long to leave the lock free: SQLite has no queue, and a waiting process tries every 10 ms. */
export const YIELD_MS = 30;

/** Where no other process pushes: the shortest timer, during which this process does its other work. */
const MIN_YIELD_MS = 1;

/** Runs one transaction after another, and yields to other work after each. */
export async function* paged<Page>(ledger: Ledger, transactions: AsyncIterable<Page>): AsyncGenerator<Page> {
  for await (const page of transactions) {
    await yieldToWriters(ledger);
    yield page;
  }
}

/** Yields, between two transactions, to another process's push and to this one's heartbeats and answers. */
export async function yieldToWriters(ledger: Ledger): Promise<void> {
  failpoint('page-committed');
  // By the ledger's clock, so that simulated time doesn't advance meanwhile.
  await ledger.clock.sleep((await isOtherPushRunning(ledger)) ? YIELD_MS : MIN_YIELD_MS);
}
