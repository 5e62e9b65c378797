import { hostname } from 'node:os';
import type { Holder } from '../../documents/report.js';
import { failpoint } from '../../domain/process/failpoint.js';
import { isLocked } from '../../domain/process/io-hints.js';
import { filterSeries } from '../../domain/process/series.js';
import { all, change, first, type Ledger, query, writing, writingIn } from '../store/query.js';
import type { Tables } from '../store/schema.js';
import { isGone, isShared, type Owner } from './owner.js';
import { isRerun } from './runs.js';

/**
 * The leases: one stager, one pusher per environment, one process per job of the service, one that fetches the files of a source. There is one stager for all sources,
 * because a row that repeats a key can be judged only once the row that has the key counts or is withdrawn.
 */
export type LeaseName = 'stage' | `push:${string}` | `job:${string}` | `fetch:${string}` | RunLease;

/** In a ledger of several machines a run has a lease of its own, by which the others see that it goes on. */
type RunLease = `run:${number}`;

/** A lease held by this process. */
export interface Lease {
  readonly name: LeaseName;
  readonly owner: Owner;
  /** `keepLease` moves its end forward with each heartbeat. */
  readonly fence: Fence;
}

/** The fence of a lease: it stops an owner that has lost the lease. */
export interface Fence {
  /** Higher than the number of every earlier owner. */
  readonly number: number;
  /**
   * The time until which no other process can have taken the lease from a living owner, in milliseconds of this process's own
   * monotonic clock, counted from before the ledger was asked. It is known in advance, so that the check at the last moment before a request's first byte needs no query.
   */
  untilMs: number;
}

/** How long a lease outlives its last heartbeat: several heartbeats, and longer than any commit. */
const LEASE_MS = 30_000;

/** How often an owner shows that it lives. */
const HEARTBEAT_MS = 5_000;

/**
 * Takes a lease that is free, expired, or whose owner is certainly gone; otherwise says who holds it.
 */
export async function takeLease(
  ledger: Ledger,
  name: LeaseName,
  owner: Owner,
  runId: number | null,
): Promise<Lease | Holder> {
  const fromMs = ledger.local.monotonicMs();
  return writing(ledger, async (ledger) => {
    const now = ledger.clock.monotonicMs();
    const current = await leaseNamed(ledger, name);
    if (current && current.owner !== null && !isFree(ledger, current, now, owner)) {
      return holderOf(ledger, current);
    }
    const fence = (current?.fence ?? 0) + 1;
    const held = {
      fence,
      owner: owner.id,
      pid: owner.pid,
      pid_started: owner.pidStarted,
      host: owner.host,
      boot: ledger.local.bootId,
      run_id: runId,
      heartbeat_mono_ms: now,
      expires_mono_ms: now + LEASE_MS,
    };
    await ledger.db
      .insertInto('lease')
      .values({ name, ...held })
      .onConflict((conflict) => conflict.column('name').doUpdateSet(held))
      .execute();
    if (current) unreleased.delete(leaseKey(current.owner, name, current.fence));
    return { name, owner, fence: { number: fence, untilMs: fromMs + LEASE_MS } };
  });
}

/** True when `takeLease` returned the lease and not its holder. */
export function isLease(taken: Lease | Holder): taken is Lease {
  return 'fence' in taken;
}

/** Extends the lease; false when it has gone to another owner meanwhile. */
async function renewLease(ledger: Ledger, lease: Lease): Promise<boolean> {
  const fromMs = ledger.local.monotonicMs();
  const renewed = await writingIn(ledger, lease.name, async (ledger) => {
    const now = ledger.clock.monotonicMs();
    const held = { heartbeat_mono_ms: now, expires_mono_ms: now + LEASE_MS };
    return change(ledger, whileHeld(lease).set(held));
  });
  if (renewed === 1) lease.fence.untilMs = fromMs + LEASE_MS;
  return renewed === 1;
}

/** An update of the lease as long as it is this owner's. */
function whileHeld({ name, owner, fence }: Lease) {
  const lease = query.updateTable('lease').where('name', '=', name);
  return lease.where('owner', '=', owner.id).where('fence', '=', fence.number);
}

/** True while the lease is this owner's. Call it inside the transaction that relies on it. */
export async function holdsLease(ledger: Ledger, { name, owner, fence }: Lease): Promise<boolean> {
  const current = await leaseNamed(ledger, name);
  return current?.owner === owner.id && current.fence === fence.number;
}

function leaseNamed(ledger: Ledger, name: LeaseName) {
  return ledger.db.selectFrom('lease').selectAll().where('name', '=', name).executeTakeFirst();
}

/**
 * Renews the lease every few seconds until `over` is aborted; aborts it itself when the lease is lost, or can't be renewed (a
 * full disk).
 * @returns the error of a renewal that failed, null otherwise; it never rejects.
 */
async function keepLease(ledger: Ledger, lease: Lease, over: AbortController): Promise<unknown> {
  while (!over.signal.aborted) {
    await ledger.clock.sleep(HEARTBEAT_MS, over.signal);
    if (over.signal.aborted) break;
    try {
      if (!(await renewLease(ledger, lease))) over.abort();
    } catch (error) {
      over.abort();
      return error;
    }
  }
  return null;
}

/** Runs `work` while the lease is renewed, and then releases the lease; throws the first error of either. */
export async function withLease<T>(
  ledger: Ledger,
  lease: Lease,
  work: (over: AbortController) => Promise<T>,
): Promise<T> {
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
    await tryToRelease(ledger, lease, error);
    throw error;
  }
}

/** Leases that are renewed while some work runs. */
export interface KeptLeases<Names extends readonly LeaseName[] = readonly LeaseName[]> {
  /** One for each name. */
  readonly leases: { readonly [Index in keyof Names]: Lease };
  /** Aborted once one of them has gone to another owner. */
  readonly lost: AbortSignal;
  /** True while all of them still belong to this owner. */
  areHeld(): Promise<boolean>;
}

/** A lease of another owner that prevents the work. */
export interface InTheWay {
  readonly name: LeaseName;
  readonly holder: Holder;
}

/**
 * Runs `work` while all of the leases are renewed. They are taken one after the other, and released at the end. Where one can't
 * be taken, it returns the holder, and nothing was done.
 */
export async function withLeases<const Names extends readonly LeaseName[], T>(
  ledger: Ledger,
  names: Names,
  owner: Owner,
  runId: number | null,
  work: (kept: KeptLeases<Names>) => Promise<T>,
): Promise<{ readonly done: T } | InTheWay> {
  const under = async (taken: readonly Lease[], lost: AbortSignal): Promise<{ done: T } | InTheWay> => {
    const name = names[taken.length];
    if (name === undefined) {
      const areHeld = async () =>
        (await filterSeries(taken, (one) => holdsLease(ledger, one))).length === taken.length;
      // One was taken for each name.
      const leases = taken as KeptLeases<Names>['leases'];
      return { done: await work({ leases, lost, areHeld }) };
    }
    const lease = await takeLease(ledger, name, owner, runId);
    if (!isLease(lease)) return { name, holder: lease };
    return withLease(ledger, lease, async (over) =>
      under([...taken, lease], AbortSignal.any([lost, over.signal])),
    );
  };
  return under([], new AbortController().signal);
}

/** Releases the lease; does nothing when it has gone to another owner. */
export async function releaseLease(ledger: Ledger, lease: Lease): Promise<void> {
  await all(ledger, whileHeld(lease).set(FREE_LEASE));
}

/** What a lease is without an owner. Its number goes on. */
export const FREE_LEASE = { owner: null, expires_mono_ms: null, heartbeat_mono_ms: null } as const;

/**
 * Leases that this process no longer uses and could not release, because of a lock or a full disk. Here they are free, and the
 * next one to need them need not wait; elsewhere they expire.
 */
const unreleased = new Set<string>();

function leaseKey(owner: string | null, name: string, fence: number): string {
  return `${owner} ${name} ${fence}`;
}

/** After an error. A lock has been waited for already: another wait would only delay the report of it. */
async function tryToRelease(ledger: Ledger, lease: Lease, cause: unknown): Promise<void> {
  try {
    if (isLocked(cause)) throw cause;
    await releaseLease(ledger, lease);
  } catch {
    // The error that led here is the one to report.
    unreleased.add(leaseKey(lease.owner.id, lease.name, lease.fence.number));
  }
}

/** The present holder of the lease; null while the lease is free. */
export async function leaseHolder(ledger: Ledger, name: LeaseName): Promise<Holder | null> {
  const current = await leaseNamed(ledger, name);
  return current && isHeld(ledger, current) ? holderOf(ledger, current) : null;
}

function isHeld(ledger: Ledger, current: Tables['lease']): boolean {
  return (
    current.owner !== null &&
    !isFree(ledger, current, ledger.clock.monotonicMs(), { host: current.host ?? '' })
  );
}

/**
 * The leases that a process holds, or held when it died, by name. `isAlive` is false where the owner is gone, or has missed
 * heartbeats for so long that another process may take the lease.
 * @param of those of runs, or all others.
 */
export async function heldLeases(ledger: Ledger, of: 'runs' | 'work') {
  const held = await ledger.db
    .selectFrom('lease')
    .selectAll()
    .where('owner', 'is not', null)
    .where('name', of === 'runs' ? 'like' : 'not like', 'run:%')
    .orderBy('name')
    .execute();
  return held.map((lease) => ({
    name: lease.name as LeaseName,
    pid: lease.pid ?? 0,
    isAlive: isHeld(ledger, lease),
  }));
}

async function holderOf(ledger: Ledger, { pid, host, run_id: runId }: Tables['lease']): Promise<Holder> {
  return { pid: pid ?? 0, host: host ?? '', runId, takesAll: !(await isRerun(ledger, runId)) };
}

/** True while some process pushes: then long writers must let it through. */
export async function isAnyonePushing(ledger: Ledger): Promise<boolean> {
  return (await first(ledger, pushLeases(ledger))) !== undefined;
}

/** The same for processes other than this one, which may hold those leases itself so that no process pushes. */
export async function isAnotherPushing(ledger: Ledger): Promise<boolean> {
  const others = pushLeases(ledger).where(({ or, eb }) =>
    or([eb('pid', '<>', process.pid), eb('host', '<>', hostname())]),
  );
  return (await first(ledger, others)) !== undefined;
}

function pushLeases(ledger: Ledger) {
  return query
    .selectFrom('lease')
    .select('name')
    .where('name', 'like', 'push:%')
    .where('owner', 'is not', null)
    .where('expires_mono_ms', '>', ledger.clock.monotonicMs());
}

function isFree(ledger: Ledger, current: Tables['lease'], now: number, here: { host: string }): boolean {
  if (unreleased.has(leaseKey(current.owner, current.name, current.fence))) return true;
  const boot = current.boot ?? '';
  const holder = { pid: current.pid ?? 0, pidStarted: current.pid_started, host: current.host ?? '' };
  if (isGone(ledger, holder, boot, here.host)) return true;
  // Of a file, times of another boot can't be compared; a process of this host's earlier boot is gone, as decided above.
  return (isShared(ledger) || boot === ledger.local.bootId) && (current.expires_mono_ms ?? 0) <= now;
}
