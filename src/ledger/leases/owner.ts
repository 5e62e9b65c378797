import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { isUnknownBoot, machineBoot } from '../../domain/clock.js';
import type { Ledger } from '../store/query.js';

/** A process that can hold a lease. */
export interface Owner {
  /** Unique for each execution, so that a process that reuses a pid is not taken for its predecessor. */
  readonly id: string;
  readonly pid: number;
  /** When the process started, in the kernel's own units; null where the system doesn't say. */
  readonly pidStarted: string | null;
  readonly host: string;
}

/** This process as an owner of leases. */
export function thisProcess(): Owner {
  return { id: randomUUID(), pid: process.pid, pidStarted: startOf(process.pid), host: hostname() };
}

/** True for a ledger that processes of several machines use: each time in it is the database's. */
export function isShared({ file }: Pick<Ledger, 'file'>): boolean {
  return file === null;
}

/**
 * True only when the process is certainly gone: of this host and boot, with no process of that pid and start; for a ledger in a
 * file, which is used from one machine, also of an earlier boot. In doubt it is false, and the last heartbeat decides.
 * @param boot the machine's boot in which it ran. @param here the name of this host.
 */
export function isGone(ledger: Ledger, holder: Omit<Owner, 'id'>, boot: string, here: string): boolean {
  const own = ledger.local.bootId;
  const isKnown = !isUnknownBoot(boot) && !isUnknownBoot(own);
  if (machineBoot(boot) !== machineBoot(own)) {
    if (isShared(ledger)) return false;
    if (isKnown) return true;
  }
  // Another host name on the same boot is another container: its pids are not ours to look at.
  if (holder.host !== here) return false;
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    return (error as { code?: string }).code === 'ESRCH';
  }
  return holder.pidStarted !== null && startOf(holder.pid) !== holder.pidStarted;
}

function startOf(pid: number): string | null {
  try {
    // Field 22; the name in field 2 may hold spaces and parentheses, so count from the last parenthesis.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null;
  }
}
