import { expect } from 'vitest';
import { noticesIn } from '../../src/ledger/attempts/notices.js';
import type { PushResult } from '../../src/push/push-environment.js';
import type { ScheduledFault } from '../../src/sandbox/faults.js';
import { lives } from '../support/ledger-trace.js';
import type { Completion } from '../support/prepared-completion.js';
import { type PushBench, pushBench } from '../support/push-bench.js';
import { QUOTA_METERS } from '../support/quota-windows.js';
import { statsOf } from '../support/sandbox-stats.js';
import { stage, states, submission } from '../support/staged-ledger.js';

// What is tried once beside the other tests of pushing, and at other latencies, faults and stalls in the longer suite.

export const MINUTE_MS = 60_000;

/** A quota that few rows use up, where what is meant holds for any. */
export const SMALL = 10;
export const SMALL_QUOTA = { requests: SMALL, per: '1m' };

/** Completions of as many learners. */
export const completions = (count: number, overrides: Completion = {}): Completion[] =>
  Array.from({ length: count }, (_, n) => ({ user: `learner${n}@example.org`, ...overrides }));

export async function quotaIsUsedAt(latencyMs: number): Promise<void> {
  const bench = pushBench({ latencyMs, environment: { quota: SMALL_QUOTA } });
  await stage(bench.ledger, completions(2 * SMALL + 5));
  expect(await bench.push()).toEqual({ kind: 'drained' });
  const times = bench.sentAtMs();
  const perMinute = (times.length - 1) / ((times.at(-1) ?? 0) / MINUTE_MS);
  expect(perMinute).toBeGreaterThanOrEqual((SMALL * 60) / (60.5 + latencyMs / 1000));
  expect(statsOf(bench.platform)).toMatchObject({ overQuota: 0, repeatedWrites: 0 });
  expect(statsOf(bench.platform).mostInAnyWindow).toBeLessThanOrEqual(SMALL);
}

/** A push to a platform that answers 429 but for each request that is to have another fault. */
export async function throttledPush(
  bench: PushBench,
  isOther: (request: number) => boolean,
  other: ScheduledFault,
): Promise<PushResult> {
  const schedule = Array.from({ length: 30 }, (_, n): ScheduledFault => {
    const at = n + 1;
    return isOther(at) ? { ...other, at } : { kind: 'throttle', at, retryAfterS: 20 };
  });
  bench.platform.setFaults({ schedule });
  await stage(bench.ledger, completions(6));
  return bench.push();
}

export async function isNotAbandonedAt(kind: 'refusal' | 'server-error' | 'drop-after'): Promise<void> {
  const bench = pushBench({ environment: { outage: '10s' } });
  const result = await throttledPush(bench, (request) => request % 3 === 0, { kind });
  expect(result).not.toMatchObject({ reason: expect.stringMatching('every request with 429') });
  expect(bench.sentAtMs().length).toBeGreaterThan(6);
}

export const noticed = async (bench: PushBench) =>
  (await noticesIn(bench.ledger, {})).map(({ notice }) => notice);

export async function nothingIsNoticedAt(latencyMs: number): Promise<void> {
  const bench = pushBench({
    latencyMs,
    environment: { pace: 'burst', quota: SMALL_QUOTA },
    sandbox: { quota: { requests: SMALL, perMs: MINUTE_MS } },
  });
  await stage(bench.ledger, completions(2 * SMALL + 5));
  await bench.push();
  expect(await noticed(bench)).toEqual([]);
}

/** Runs as cron begins them, and how often each row was sent. */
export async function runsOf(bench: PushBench, runs: number): Promise<number[]> {
  for (let run = 0; run < runs; run += 1) {
    await bench.push();
    await bench.clock.sleep(15 * MINUTE_MS);
  }
  return (await lives(bench.ledger)).map(({ attempts }) => attempts.length);
}

export async function isSentWithinOneBound(fault: ScheduledFault): Promise<void> {
  const bench = pushBench({ environment: { resends: 3 }, sandbox: { faults: { schedule: [fault] } } });
  await stage(bench.ledger, completions(3));
  expect(await runsOf(bench, 15)).toEqual(Array(3).fill(4));
  expect(new Set(await states(bench.ledger))).toEqual(new Set(['in-doubt']));
  expect(await submission(bench.ledger, 1)).toMatchObject({ tries: 0, resends: 3, repeats: 3 });
}

export type Pace = 'even' | 'burst';

export async function stalledFor(seconds: number, pace: Pace): Promise<void> {
  const bench = pushBench({
    environment: { outage: '20m', pace, quota: { requests: 20, per: '1m' } },
    sandbox: { quota: { requests: 20, perMs: MINUTE_MS, meter: QUOTA_METERS.sliding } },
    stall: { at: 5, ms: seconds * 1_000 },
  });
  await stage(bench.ledger, completions(25));
  expect(await bench.push()).toEqual({ kind: 'drained' });
  expect(statsOf(bench.platform)).toMatchObject({ overQuota: 0, byStatus: { 201: expect.any(Number) } });
  expect(statsOf(bench.platform).mostInAnyWindow).toBeLessThanOrEqual(20);
  expect(new Set(await states(bench.ledger))).toEqual(new Set(['accepted']));
}
