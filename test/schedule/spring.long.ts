import { expect, it } from 'vitest';
import { expectEachSlotOnce } from './each-slot-once.js';

it('two services that crash, stop and have their clocks set run each slot exactly once over three clock changes', async () => {
  const start = Date.parse('2026-03-06T00:00:00Z');
  const { crashes, slots } = await expectEachSlotOnce(start, Date.parse('2026-04-07T00:00:00Z'));
  expect(crashes).toBeGreaterThan(2);
  expect(slots).toBeGreaterThan(500);
});
