import { expect, it } from 'vitest';
import { expectEachSlotOnce } from './each-slot-once.js';

it('two services that crash, stop and have their clocks set run each slot exactly once over three clock changes', async () => {
  // In 2027 they come within three weeks.
  const start = Date.parse('2027-03-13T00:00:00Z');
  const { crashes, slots } = await expectEachSlotOnce(start, Date.parse('2027-04-05T00:00:00Z'));
  expect(crashes).toBeGreaterThan(2);
  expect(slots).toBeGreaterThan(500);
});
