import { describe, expect, it } from 'vitest';
import { quotaTrial } from '../support/quota-trial.js';
import { LATENCIES, leastUse } from '../support/quota-use.js';
import { QUOTA_WINDOWS, type QuotaWindow } from '../support/quota-windows.js';
import { sampled } from '../support/samples.js';

const WINDOWS = Object.keys(QUOTA_WINDOWS) as QuotaWindow[];

/** Twenty instead of seventy a minute: as many minutes with fewer rows. */
const SIZE = { requests: 20, fills: 1 };

/** Nearest, farthest and most uneven: a burst meets the same rules as an even pace, so not each latency again. */
const FOR_BURSTS = LATENCIES.filter(({ name }) => ['5 ms', '3000 ms', '5-3000 ms'].includes(name));

describe.each(WINDOWS)('whatever the latency, a %s window refuses nothing', (window) => {
  it.each(sampled(LATENCIES))('at an even pace, and the quota is used: $name', async (latency) => {
    const { refused, share } = await quotaTrial({ window, latency, pace: 'even', ...SIZE });
    expect(refused).toBe(0);
    expect(share).toBeGreaterThanOrEqual(leastUse(latency));
  });

  it.each(sampled(FOR_BURSTS))('in bursts, and the quota is used: $name', async (latency) => {
    const { refused, share } = await quotaTrial({ window, latency, pace: 'burst', ...SIZE });
    expect(refused).toBe(0);
    expect(share).toBeGreaterThanOrEqual(leastUse(latency));
  });
});
