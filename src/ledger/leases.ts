import { hostname } from 'node:os';
import { failpoint } from '../domain/failpoint.js';
import { isGone, type Owner } from './owner.js';
import { change, first, type Ledger, query, writing } from './query.js';

/** Leases there are: one stager per workspace, one pusher per environment. */
export type LeaseName = 'stage' | `push:${string}`;

/** A lease held by this process. */
export interface Lease {
  readonly name: LeaseName;
  readonly owner: Owner;
  /** Higher than that of every earlier owner. */
  readonly token: number;
}

/** Who holds a lease that couldn't be had. */
export interface Holder {
  readonly pid: number;
  readonly host: string;
  readonly runId: number | null;
}

/** How long a lease outlives its last heartbeat: several heartbeats, and longer than any commit. */
const LEASE_MS = 30_000;

/** How often an owner shows that it lives. */
const HEARTBEAT_MS = 5_000;

/**
 * Takes a lease that is free, expired, or whose owner is certainly gone; otherwise says who holds it.
 */
export function takeLease(
  ledger: Ledger,
  name: LeaseName,
  owner: Owner,
  runId: number | null,
): Lease | Holder {
  return writing(ledger, () => {
    const now = ledger.clock.monotonicMs();
    const current = first(ledger, query.selectFrom('lease').selectAll().where('name', '=', name));
    if (current && current.owner !== null && !isFree(ledger, current, now, owner)) {
      return { pid: current.pid ?? 0, host: current.host ?? '', runId: current.run_id };
    }
    const token = (current?.token ?? 0) + 1;
    const held = {
      token,
      owner: owner.id,
      pid: owner.pid,
      pid_started: owner.pidStarted,
      host: owner.host,
      boot: ledger.clock.bootId,
      run_id: runId,
      heartbeat_mono_ms: now,
      expires_mono_ms: now + LEASE_MS,
    };
    change(
      ledger,
      query
        .insertInto('lease')
        .values({ name, ...held })
        .onConflict((conflict) => conflict.column('name').doUpdateSet(held)),
    );
    return { name, owner, token };
  });
}

/** True when `takeLease` gave the lease and not its holder. */
export function isLease(taken: Lease | Holder): taken is Lease {
  return 'token' in taken;
}

/** The lease of this name that this very process holds, whoever in it took it; null: it holds none. */
export function leaseHeldHere(ledger: Ledger, name: LeaseName, here: Owner): Lease | null {
  const current = first(ledger, query.selectFrom('lease').selectAll().where('name', '=', name));
  if (!current || current.owner === null || current.boot !== ledger.clock.bootId) return null;
  const { pid, pid_started: pidStarted, host, owner: id, token } = current;
  if (pid !== here.pid || pidStarted !== here.pidStarted || host !== here.host) return null;
  return { name, owner: { ...here, id }, token };
}

/** Puts the expiry off; false when the lease has gone to another owner meanwhile. */
function renewLease(ledger: Ledger, lease: Lease): boolean {
  const now = ledger.clock.monotonicMs();
  const renewed = change(
    ledger,
    query
      .updateTable('lease')
      .set({ heartbeat_mono_ms: now, expires_mono_ms: now + LEASE_MS })
      .where('name', '=', lease.name)
      .where('owner', '=', lease.owner.id)
      .where('token', '=', lease.token),
  );
  return renewed.changes === 1;
}

/** True while the lease is this owner's. Call it inside the transaction that relies on it. */
export function holdsLease(ledger: Ledger, lease: Lease): boolean {
  const current = first(
    ledger,
    query.selectFrom('lease').select(['owner', 'token']).where('name', '=', lease.name),
  );
  return current?.owner === lease.owner.id && current.token === lease.token;
}

/**
 * Shows every few seconds that the owner lives, until `over` is aborted; aborts it itself when the lease is lost, or
 * can't be renewed (a full disk).
 * @returns the error of a renewal that failed, null otherwise; it never rejects.
 */
async function keepLease(ledger: Ledger, lease: Lease, over: AbortController): Promise<unknown> {
  while (!over.signal.aborted) {
    await ledger.clock.sleep(HEARTBEAT_MS, over.signal);
    if (over.signal.aborted) break;
    try {
      if (!renewLease(ledger, lease)) over.abort();
    } catch (error) {
      over.abort();
      return error;
    }
  }
  return null;
}

/** Runs `work` while the lease is kept, and gives it back; what broke first is what is thrown. */
export async function underLease<T>(
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
    releaseLease(ledger, lease);
    failpoint('lease-released');
    return result;
  } catch (error) {
    over.abort();
    await heartbeat;
    tryToRelease(ledger, lease);
    throw error;
  }
}

/** Somebody else's lease that stands in the way. */
export interface InTheWay {
  readonly name: LeaseName;
  readonly holder: Holder;
}

/**
 * Runs `work` while all of the leases are kept, taken one after the other, and gives them back; or says who holds the first
 * that can't be had, and nothing was done.
 * @param work its signal is aborted once one of them is lost.
 */
export async function underLeases<T>(
  ledger: Ledger,
  names: readonly LeaseName[],
  owner: Owner,
  runId: number | null,
  work: (lost: AbortSignal) => Promise<T>,
): Promise<{ readonly done: T } | InTheWay> {
  const under = async (
    left: readonly LeaseName[],
    signals: readonly AbortSignal[],
  ): Promise<{ done: T } | InTheWay> => {
    const [name, ...others] = left;
    if (name === undefined) return { done: await work(AbortSignal.any([...signals])) };
    const lease = takeLease(ledger, name, owner, runId);
    if (!isLease(lease)) return { name, holder: lease };
    return underLease(ledger, lease, (over) => under(others, [...signals, over.signal]));
  };
  return under(names, []);
}

/** Gives the lease back; nothing happens when it is another's by now. */
export function releaseLease(ledger: Ledger, lease: Lease): void {
  change(
    ledger,
    query
      .updateTable('lease')
      .set({ owner: null, expires_mono_ms: null, heartbeat_mono_ms: null })
      .where('name', '=', lease.name)
      .where('owner', '=', lease.owner.id)
      .where('token', '=', lease.token),
  );
}

/** On the way out with an error: a lease that can't be given back expires by itself. */
function tryToRelease(ledger: Ledger, lease: Lease): void {
  try {
    releaseLease(ledger, lease);
  } catch {
    // The error that led here is the one to tell.
  }
}

/** Who holds the lease now; null when nobody does. */
export function leaseHolder(ledger: Ledger, name: LeaseName): Holder | null {
  const current = first(ledger, query.selectFrom('lease').selectAll().where('name', '=', name));
  if (!current || current.owner === null) return null;
  const here = { host: current.host ?? '', boot: ledger.clock.bootId };
  if (isFree(ledger, current, ledger.clock.monotonicMs(), here)) return null;
  return { pid: current.pid ?? 0, host: current.host ?? '', runId: current.run_id };
}

/** True while some process pushes: then long writers must leave it room. */
export function isAnyonePushing(ledger: Ledger): boolean {
  return first(ledger, pushLeases(ledger)) !== undefined;
}

/** The same of processes other than this one, which may hold those leases so that nobody pushes. */
export function isAnotherPushing(ledger: Ledger): boolean {
  const others = pushLeases(ledger).where(({ or, eb }) =>
    or([eb('pid', '<>', process.pid), eb('host', '<>', hostname())]),
  );
  return first(ledger, others) !== undefined;
}

function pushLeases(ledger: Ledger) {
  return query
    .selectFrom('lease')
    .select('name')
    .where('name', 'like', 'push:%')
    .where('owner', 'is not', null)
    .where('expires_mono_ms', '>', ledger.clock.monotonicMs());
}

function isFree(
  ledger: Ledger,
  current: {
    pid: number | null;
    pid_started: string | null;
    host: string | null;
    boot: string | null;
    expires_mono_ms: number | null;
  },
  now: number,
  here: { host: string },
): boolean {
  const boot = current.boot ?? '';
  const holder = { pid: current.pid ?? 0, pidStarted: current.pid_started, host: current.host ?? '' };
  if (isGone(holder, boot, { host: here.host, boot: ledger.clock.bootId })) return true;
  // Times of another boot can't be compared; a process of this host's earlier boot is gone, as decided above.
  return boot === ledger.clock.bootId && (current.expires_mono_ms ?? 0) <= now;
}
