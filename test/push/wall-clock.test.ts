import { describe, expect, it } from 'vitest';
import { parseFaults } from '../../src/sandbox/faults.js';
import type { Completion } from '../support/prepared-completion.js';
import { pushBench } from '../support/push-bench.js';
import { statsOf } from '../support/sandbox-stats.js';
import { stage, states } from '../support/staged-ledger.js';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** Requests in a minute: few, so that few rows need more than one. */
const QUOTA = 10;

/** Times at which requests are sent, until every row is accepted. */
async function pushed(wallAheadMs: (elapsedMs: number) => number, faults: string) {
  const bench = pushBench({
    wallAheadMs,
    environment: {
      quota: { requests: QUOTA, per: '1m' },
      retry: { tries: 5, first: '10s', longest: '20s' },
    },
    sandbox: { faults: parseFaults(faults) },
  });
  const rows: Completion[] = Array.from({ length: QUOTA + 4 }, (_, n) => ({
    user: `learner${n}@example.org`,
  }));
  await stage(bench.ledger, rows);
  expect(await bench.push()).toEqual({ kind: 'drained' });
  expect(new Set(await states(bench.ledger))).toEqual(new Set(['accepted']));
  expect(statsOf(bench.platform).overQuota).toBe(0);
  expect(statsOf(bench.platform).mostInAnyWindow).toBeLessThanOrEqual(QUOTA);
  return bench.sentAtMs();
}

/** The times with a right clock, made once for all tests. */
const usual = new Map<string, ReturnType<typeof pushed>>();

function usually(faults: string): ReturnType<typeof pushed> {
  const times = usual.get(faults) ?? pushed(() => 0, faults);
  usual.set(faults, times);
  return times;
}

describe('a wall clock that is set while rows are sent', () => {
  it.each([
    { how: 'a day ahead', ahead: (ms: number) => (ms > MINUTE_MS / 2 ? DAY_MS : 0) },
    { how: 'a day back', ahead: (ms: number) => (ms > MINUTE_MS / 2 ? -DAY_MS : 0) },
    { how: 'to and fro every ten seconds', ahead: (ms: number) => (Math.floor(ms / 10_000) % 3) * DAY_MS },
    { how: 'back a little all the time', ahead: (ms: number) => -ms / 2 },
  ])('$how: every request leaves when it would have', async ({ ahead }) => {
    expect(await pushed(ahead, '')).toEqual(await usually(''));
  });

  it.each([
    { how: 'half an hour back', byMs: -30 * MINUTE_MS },
    { how: 'two minutes back', byMs: -2 * MINUTE_MS },
    { how: 'a day back', byMs: -DAY_MS },
    { how: 'half an hour ahead', byMs: 30 * MINUTE_MS },
  ])('$how: no row that waits for its next try waits longer for it', async ({ byMs }) => {
    const faults = `server-error@${QUOTA + 1}x6`;
    const asUsual = await usually(faults);
    const firstFaultMs = asUsual[QUOTA] ?? 0;
    const times = await pushed((ms) => (ms > firstFaultMs + 5_000 ? byMs : 0), faults);
    expect(times).toHaveLength(asUsual.length);
    expect(times.at(-1)).toBeLessThanOrEqual((asUsual.at(-1) ?? 0) + 6_000);
  });
});
