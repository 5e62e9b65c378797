import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { QUOTA_METERS, QUOTA_WINDOWS, type QuotaWindow } from '../support/quota-windows.js';
import { drive, START_MS } from './sandbox-driver.js';

const KINDS = Object.keys(QUOTA_WINDOWS) as QuotaWindow[];

/** Three requests a minute. */
const SMALL = { requests: 3, perMs: 60_000 };

/** One request: seconds since a full minute, whether it is allowed, what remains, the second at which permits come back. */
type Step = readonly [atS: number, answer: 'allowed' | 'refused', remaining: number, resetS: number];

describe.each<[QuotaWindow, string, readonly Step[]]>([
  [
    'fixed',
    'opens a period at a request, and the next at the first request after its end',
    [
      [10, 'allowed', 2, 70],
      [40, 'allowed', 1, 70],
      [69, 'allowed', 0, 70],
      [69.999, 'refused', 0, 70],
      [70, 'allowed', 2, 130],
      [200, 'allowed', 2, 260],
    ],
  ],
  [
    'aligned',
    'opens a period at each full minute, so that two fills can lie close together',
    [
      [58, 'allowed', 2, 60],
      [59, 'allowed', 1, 60],
      [59, 'allowed', 0, 60],
      [59.999, 'refused', 0, 60],
      [60, 'allowed', 2, 120],
      [61, 'allowed', 1, 120],
    ],
  ],
  [
    'sliding',
    'counts what was allowed in the last minute, and a request leaves it to the millisecond',
    [
      [0, 'allowed', 2, 60],
      [20, 'allowed', 1, 60],
      [40, 'allowed', 0, 60],
      [59.999, 'refused', 0, 60],
      [60, 'allowed', 0, 80],
      [79.999, 'refused', 0, 80],
      [80, 'allowed', 0, 100],
      [161, 'allowed', 2, 221],
    ],
  ],
  [
    'bucket',
    'is full at first and gets a permit back every twenty seconds, never more than three',
    [
      [0, 'allowed', 2, 20],
      [0, 'allowed', 1, 20],
      [0, 'allowed', 0, 20],
      [19.999, 'refused', 0, 20],
      [20, 'allowed', 0, 40],
      [50, 'allowed', 0, 60],
      [59.999, 'refused', 0, 60],
      [60, 'allowed', 0, 80],
      [500, 'allowed', 2, 520],
    ],
  ],
])('a %s window', (window, rule, steps) => {
  it(rule, () => {
    const meter = QUOTA_METERS[window](SMALL);
    const results = steps.map(([atS]) => {
      const { exceeded, remaining, resetMs } = meter(START_MS + atS * 1000);
      return [atS, exceeded ? 'refused' : 'allowed', remaining, (resetMs - START_MS) / 1000];
    });
    expect(results).toEqual(steps);
  });
});

it.each(KINDS)('what a %s window refuses takes nothing away', (window) => {
  const [polled, spared] = [SMALL, SMALL].map(QUOTA_METERS[window]);
  for (const meter of [polled, spared]) for (let n = 0; n < 3; n += 1) meter?.(START_MS);
  for (let n = 0; n < 50; n += 1) expect(polled?.(START_MS + 1000 + n).exceeded).toBe(true);
  expect(polled?.(START_MS + 60_000)).toEqual(spared?.(START_MS + 60_000));
});

it.each(KINDS)('a %s window allows the request at the moment it has named, and none before', (window) => {
  const gaps = fc.array(fc.integer({ min: 0, max: 5_000 }), { minLength: 10, maxLength: 40 });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 9 }), gaps, (requests, gapsMs) => {
      // A prime, so that a place of the bucket never takes whole milliseconds.
      const quota = { requests, perMs: 10_007 };
      const meter = QUOTA_METERS[window](quota);
      const allowedMs: number[] = [];
      let nowMs = START_MS;
      for (const gapMs of gapsMs) {
        nowMs += gapMs;
        const count = meter(nowMs);
        if (count.exceeded) {
          if (count.resetMs - 1 > nowMs) expect(meter(count.resetMs - 1).exceeded).toBe(true);
          nowMs = count.resetMs;
          expect(meter(nowMs).exceeded).toBe(false);
        }
        allowedMs.push(nowMs);
      }
      // What a period can see at most: twice the quota where two fills meet, or where a full bucket goes on being filled.
      const most = window === 'sliding' ? requests : 2 * requests - (window === 'bucket' ? 1 : 0);
      expect(mostWithin(allowedMs, quota.perMs)).toBeLessThanOrEqual(most);
    }),
  );
});

it.each<[QuotaWindow, string, string]>([
  ['fixed', '60', '2025-03-01T08:01:00.0000000Z'],
  ['aligned', '60', '2025-03-01T08:01:00.0000000Z'],
  ['sliding', '60', '2025-03-01T08:01:00.0000000Z'],
  // A third of a minute, rounded.
  ['bucket', '20', '2025-03-01T08:00:20.0000000Z'],
])('the platform answers by a %s window, with Retry-After %s', (window, retryAfter, reset) => {
  const driver = drive({ quota: { ...SMALL, meter: QUOTA_METERS[window] } });
  const answers = [driver.complete(), driver.complete(), driver.complete(), driver.complete()];
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 429]);
  expect(answers[0]?.headers).toMatchObject({ 'x-rate-limit-remaining': '2', 'x-rate-limit-reset': reset });
  expect(answers[3]?.headers['retry-after']).toBe(retryAfter);
});

function mostWithin(timesMs: readonly number[], perMs: number): number {
  return Math.max(
    0,
    ...timesMs.map((from) => timesMs.filter((at) => at >= from && at < from + perMs).length),
  );
}
