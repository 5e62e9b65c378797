import { expect, it } from 'vitest';
import { inVirtualTime } from '../../bench/virtual-timers.js';
import { systemClock } from '../../src/domain/clock.js';

it('a sleep of the clock passes in virtual time', async () => {
  const clock = systemClock();
  const tookMs = await inVirtualTime(async () => {
    const startMs = clock.nowMs();
    await clock.sleep(3_600_000);
    return clock.nowMs() - startMs;
  });
  expect(tookMs).toBe(3_600_000);
});
