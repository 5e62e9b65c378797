import { expect, it } from 'vitest';
import { expectEachSlotOnce } from './each-slot-once.js';

/** A year's; fewer for a sample. */
const MONTHS = Number(process.env.YEAR_MONTHS ?? 12);

it('over a year, two services that crash, stop and have their clocks set work on each slot exactly once', async () => {
  const start = Date.parse('2026-01-01T00:00:00Z');
  const { crashes, steps, slots } = await expectEachSlotOnce(start, Date.UTC(2026, MONTHS, 1));
  expect(crashes).toBeGreaterThan(4 * MONTHS);
  expect(steps).toBeGreaterThan(MONTHS);
  expect(slots).toBeGreaterThan(600 * MONTHS);
}, 3_600_000);
