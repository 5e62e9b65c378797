import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';

/** Tests and simulations pass a clock that they move by hand. */
export interface Clock {
  /** Wall-clock time in milliseconds since 1970-01-01T00:00Z. For labels people read; never for measuring. */
  nowMs(): number;
  /** Since the machine booted: the same for all processes of this boot, unmoved by changes of the wall clock. */
  monotonicMs(): number;
  /** Monotonic times of two different ids can't be compared. */
  readonly bootId: string;
  /** Resolves after `ms` milliseconds, or earlier when `signal` aborts; it never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export function systemClock(): Clock {
  return {
    nowMs: () => Date.now(),
    monotonicMs: () => Number(process.hrtime.bigint() / 1_000_000n),
    bootId: thisBoot(),
    sleep,
  };
}

/** A moment as ISO-8601 in UTC with milliseconds, the form of every `*_at` column and of `completed-at`. */
export function isoFromMs(ms: number): string {
  return new Date(ms).toISOString();
}

export function dateFromMs(ms: number): Date {
  return new Date(ms);
}

/** The moment that a day (`2026-03-02`, its first in UTC) or a time with its zone names, as `isoFromMs`; null: none. */
export function isoMoment(text: string): string | null {
  if (!/^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/.test(text)) return null;
  const ms = msFromIso(text);
  return Number.isNaN(ms) ? null : isoFromMs(ms);
}

/** The moment an ISO-8601 text with a zone names, in milliseconds since 1970; NaN when it names none. */
export function msFromIso(text: string): number {
  return Date.parse(text);
}

/** True when the system didn't name the boot, so that its id says nothing about other processes. */
export function isUnknownBoot(bootId: string): boolean {
  return bootId.startsWith(UNKNOWN_BOOT);
}

const UNKNOWN_BOOT = 'process-';

/** Longest delay a Node timer takes: a longer one would fire at once. */
const LONGEST_TIMER_MS = 2_147_483_647;

async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  if (ms > 0) await setTimeout(Math.min(ms, LONGEST_TIMER_MS), undefined, { signal }).catch(() => {});
}

/** null where the system has no such file or link. */
type SystemWords = (path: string) => string | null;

/** Where no system names the boot it is this process's own. In a time namespace the namespace is part of it. */
export function thisBoot(words: SystemWords = systemWords): string {
  const machine = words('/proc/sys/kernel/random/boot_id') ?? bootOfMac() ?? `${UNKNOWN_BOOT}${randomUUID()}`;
  const namespace = words('/proc/self/ns/time');
  return namespace === null || namespace === FIRST_TIME_NAMESPACE ? machine : `${machine} ${namespace}`;
}

/** Two ids with the same machine boot: one machine that has not restarted between them. */
export function machineBoot(bootId: string): string {
  return bootId.split(' ', 1)[0] ?? bootId;
}

/** The kernel's own number of the namespace that it starts with. */
const FIRST_TIME_NAMESPACE = 'time:[4026531834]';

function systemWords(path: string): string | null {
  try {
    return path.includes('/ns/') ? readlinkSync(path) : readFileSync(path, 'utf8').trim();
  } catch {
    return null;
  }
}

function bootOfMac(): string | null {
  try {
    return execFileSync('sysctl', ['-n', 'kern.bootsessionuuid'], { encoding: 'utf8' }).trim();
  } catch {
    return null;
  }
}
