import { expect, it } from 'vitest';
import { slotsBetween } from '../../src/report/status/slots.js';
import { DAILY, expectEachSlotOnce, HOURLY, IN_THE_GAP, ZONES } from './each-slot-once.js';

it('two services that crash, stop and have their clocks set run each slot exactly once over two clock changes', async () => {
  // In 2027 they are a week apart.
  const start = Date.parse('2027-03-27T00:00:00Z');
  const { crashes, steps, slots } = await expectEachSlotOnce(start, Date.parse('2027-04-05T00:00:00Z'));
  expect(crashes).toBeGreaterThan(1);
  expect(steps).toBeGreaterThan(0);
  expect(slots).toBeGreaterThan(200);
});

it.each(ZONES)('a day in %s has one time of each daily line, and its hours are all there', (timeZone) => {
  const dayIn = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' });
  for (const cron of [DAILY, IN_THE_GAP]) {
    const days = slotsBetween(
      { cron, timeZone },
      Date.parse('2026-01-01T00:00:00Z'),
      Date.parse('2027-01-01T00:00:00Z'),
      1e6,
    ).map((ms) => dayIn.format(ms));
    expect(days).toHaveLength(365);
    expect(new Set(days).size).toBe(365);
  }
  const hours = slotsBetween(
    { cron: HOURLY, timeZone },
    Date.parse('2026-01-01T00:00:00Z'),
    Date.parse('2027-01-01T00:00:00Z'),
    1e6,
  );
  // Half an hour that comes twice, or not at all, has a full hour or none.
  expect(hours.length).toBeGreaterThanOrEqual(365 * 24 - 1);
  expect(hours.length).toBeLessThanOrEqual(365 * 24 + 1);
});
