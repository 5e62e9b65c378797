import { expect, it } from 'vitest';
import { expectEachSlotOnce } from './each-slot-once.js';

it('of a year, two services that crash, stop and have their clocks set work on each slot exactly once', async () => {
  const start = Date.parse('2026-01-01T00:00:00Z');
  const { crashes, steps, slots } = await expectEachSlotOnce(start, Date.parse('2027-01-01T00:00:00Z'));
  expect(crashes).toBeGreaterThan(50);
  expect(steps).toBeGreaterThan(10);
  expect(slots).toBeGreaterThan(8_000);
}, 300_000);
