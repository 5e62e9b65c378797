import { expect, it } from 'vitest';
import { isoFromMs, msFromIso } from '../../../../src/domain/clock.js';
import { nextTimeOfDay } from '../../../../src/normalise/time/zone/zone-offsets.js';

it.each([
  ['later today', '18:00', 'Europe/Berlin', '2026-03-02T08:00:00Z', '2026-03-02T17:00'],
  ['tomorrow, where it is over', '08:30', 'Europe/Berlin', '2026-03-02T08:00:00Z', '2026-03-03T07:30'],
  ['tomorrow, where it is now', '09:00', 'Europe/Berlin', '2026-03-02T08:00:00Z', '2026-03-03T08:00'],
  [
    'on the day of the zone, ahead of UTC',
    '09:00',
    'Pacific/Kiritimati',
    '2026-03-02T18:00:00Z',
    '2026-03-02T19:00',
  ],
  [
    'on the day of the zone, behind UTC',
    '18:00',
    'Pacific/Pago_Pago',
    '2026-03-02T04:00:00Z',
    '2026-03-02T05:00',
  ],
  [
    'by the new offset after clocks went forward',
    '18:00',
    'Europe/Berlin',
    '2026-03-28T20:00:00Z',
    '2026-03-29T16:00',
  ],
  [
    'by the new offset after they went back',
    '18:00',
    'Europe/Berlin',
    '2026-10-24T20:00:00Z',
    '2026-10-25T17:00',
  ],
  ['left out: the earlier moment', '02:30', 'Europe/Berlin', '2026-03-28T20:00:00Z', '2026-03-29T00:30'],
  ['left out and over: the next day', '02:30', 'Europe/Berlin', '2026-03-29T00:45:00Z', '2026-03-30T00:30'],
  ['twice: the first', '02:30', 'Europe/Berlin', '2026-10-24T20:00:00Z', '2026-10-25T00:30'],
  [
    'twice and the first is over: the next day',
    '02:30',
    'Europe/Berlin',
    '2026-10-25T00:45:00Z',
    '2026-10-26T01:30',
  ],
])('the next time of day is %s', (_, time, zone, now, expected) => {
  expect(isoFromMs(nextTimeOfDay(time, zone, msFromIso(now)))).toBe(`${expected}:00.000Z`);
});
