import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { isUnknownBoot, machineBoot } from '../../domain/clock.js';
import type { Ledger } from '../store/query.js';
import type { Tables } from '../store/schema.js';

/** A process that can hold a lease. */
export interface Owner {
  /** Unique for each execution, which distinguishes a process from an earlier one with the same pid. */
  readonly id: string;
  readonly pid: number;
  /** When the process started, in the kernel's units; null: unknown. */
  readonly pidStarted: string | null;
  readonly host: string;
}

export function thisProcess(): Owner {
  ownStart ??= startOf(process.pid);
  return { id: randomUUID(), pid: process.pid, pidStarted: ownStart, host: hostname() };
}

/** Read once: it takes longer than all else about an owner, and stays the same. */
let ownStart: string | null = null;

export type ProcessColumns = Pick<Tables['lease'], 'pid' | 'pid_started' | 'host' | 'boot'>;

/** What these columns say of an owner of this machine. */
export function processOf({ local }: Ledger, { pid, pidStarted, host }: Owner) {
  return { pid, pid_started: pidStarted, host, boot: local.bootId };
}

/** True for a ledger that processes of several machines may use: its times are the database's. */
export function isShared({ file }: Pick<Ledger, 'file'>): boolean {
  return file === null;
}

/**
 * True only if the process is certainly gone: it ran on this host in this boot, and no process has its pid and start; or, for a
 * ledger in a file, which only one machine uses, it ran in an earlier boot. False in doubt: then the last heartbeat decides.
 * @param here the name of this host.
 */
export function isGone(ledger: Ledger, columns: ProcessColumns, here: string | null): boolean {
  const own = ledger.local.bootId;
  const boot = columns.boot ?? '';
  const isKnown = !isUnknownBoot(boot) && !isUnknownBoot(own);
  if (machineBoot(boot) !== machineBoot(own)) {
    if (isShared(ledger)) return false;
    if (isKnown) return true;
  }
  // Another host name in the same boot is another container, whose pids can't be checked from here.
  const { pid, pid_started: pidStarted, host } = columns;
  if (host !== here || pid === null) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as { code?: string }).code === 'ESRCH';
  }
  return pidStarted !== null && startOf(pid) !== pidStarted;
}

function startOf(pid: number): string | null {
  try {
    // Field 22; the name in field 2 may contain spaces and parentheses, so count from the last parenthesis.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null;
  }
}
