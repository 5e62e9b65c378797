import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';

/**
 * Where every part of Registrar gets its time from. Tests and simulations pass one that they move by hand.
 */
export interface Clock {
  /** Wall-clock time in milliseconds since 1970-01-01T00:00Z. For labels people read; never for measuring. */
  nowMs(): number;
  /**
   * Milliseconds since the machine booted, the same for all processes of this boot and unmoved by changes of
   * the wall clock. Comparable only between values with the same `bootId`.
   */
  monotonicMs(): number;
  /** Names this boot. Two different ids mean that their monotonic times say nothing about each other. */
  readonly bootId: string;
  /** Resolves after `ms` milliseconds, or earlier when `signal` aborts; it never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** The machine's own clock. */
export function systemClock(): Clock {
  return {
    nowMs: () => Date.now(),
    monotonicMs: () => Number(process.hrtime.bigint() / 1_000_000n),
    bootId: readBootId(),
    sleep,
  };
}

/** A moment as ISO-8601 in UTC with milliseconds, the form of every `*_at` column and of `completed-at`. */
export function isoFromMs(ms: number): string {
  return new Date(ms).toISOString();
}

/** A moment as libraries want it. */
export function dateFromMs(ms: number): Date {
  return new Date(ms);
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

function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted || ms <= 0) return resolve();
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, Math.min(ms, LONGEST_TIMER_MS));
    signal?.addEventListener('abort', done, { once: true });
  });
}

/**
 * Linux and macOS name the boot; where neither answers, the id is this process's own, so that times written by
 * other processes count as unknown, which is the safe side.
 */
function readBootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    try {
      return execFileSync('sysctl', ['-n', 'kern.bootsessionuuid'], { encoding: 'utf8' }).trim();
    } catch {
      return `${UNKNOWN_BOOT}${randomUUID()}`;
    }
  }
}
