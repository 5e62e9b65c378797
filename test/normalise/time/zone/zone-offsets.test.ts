import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { describe, expect, test } from 'vitest';
import { isoFromMs, msFromIso } from '../../../../src/domain/clock.js';
import { type LocalTime, zoneResolver } from '../../../../src/normalise/time/zone/zone-offsets.js';

/** The local time written without zone, read in the zone. */
function resolve(local: string, zone: string): LocalTime {
  const resolver = zoneResolver(zone);
  if (!resolver) throw new Error(`${zone} is not known`);
  return resolver(msFromIso(`${local}Z`));
}

function described(local: LocalTime): string {
  return local.kind === 'once'
    ? isoFromMs(local.utcMs)
    : `${local.kind}: ${isoFromMs(local.earlierMs)}, ${isoFromMs(local.laterMs)}`;
}

describe('a local time is found in UTC', () => {
  test.each([
    ['2024-01-15T10:00:00', 'Europe/Berlin', '2024-01-15T09:00:00.000Z'],
    ['2024-07-15T10:00:00', 'Europe/Berlin', '2024-07-15T08:00:00.000Z'],
    ['2024-07-15T10:00:00', 'UTC', '2024-07-15T10:00:00.000Z'],
    ['2024-07-15T10:00:00', '+05:30', '2024-07-15T04:30:00.000Z'],
    ['2024-07-15T10:00:00', 'Asia/Kathmandu', '2024-07-15T04:15:00.000Z'],
    ['2024-03-31T01:59:59', 'Europe/Berlin', '2024-03-31T00:59:59.000Z'],
    ['2024-03-31T02:00:00', 'Europe/Berlin', 'never: 2024-03-31T00:00:00.000Z, 2024-03-31T01:00:00.000Z'],
    ['2024-03-31T03:00:00', 'Europe/Berlin', '2024-03-31T01:00:00.000Z'],
    ['2024-10-27T02:59:59', 'Europe/Berlin', 'twice: 2024-10-27T00:59:59.000Z, 2024-10-27T01:59:59.000Z'],
    ['2024-10-27T03:00:00', 'Europe/Berlin', '2024-10-27T02:00:00.000Z'],
    [
      '2024-04-07T01:45:00',
      'Australia/Lord_Howe',
      'twice: 2024-04-06T14:45:00.000Z, 2024-04-06T15:15:00.000Z',
    ],
    ['2011-12-30T12:00:00', 'Pacific/Apia', 'never: 2011-12-29T22:00:00.000Z, 2011-12-30T22:00:00.000Z'],
    ['2018-11-04T00:30:00', 'America/Sao_Paulo', 'never: 2018-11-04T02:30:00.000Z, 2018-11-04T03:30:00.000Z'],
  ])('%s in %s is %s', (local, zone, expected) => {
    expect(described(resolve(local, zone))).toBe(expected);
  });
});

test.each(['Mars/Base', 'Europe/Berln', '', '+5'])('%j is refused as a zone', (zone) => {
  expect(zoneResolver(zone)).toBeNull();
});

test('agrees with Temporal everywhere, and most of all around changes of the clocks', () => {
  const zones = [
    'Europe/Berlin',
    'America/New_York',
    'America/Sao_Paulo',
    'Africa/Casablanca',
    'Asia/Tehran',
    'Australia/Lord_Howe',
    'Pacific/Apia',
    'Asia/Tokyo',
  ];
  const local = fc.integer({ min: msFromIso('2000-01-01T00:00:00Z') / 60_000, max: 36_000_000 });
  const nearChange = fc
    .tuple(
      fc.integer({ min: 2000, max: 2035 }),
      fc.constantFrom(3, 10, 11),
      fc.integer({ min: 0, max: 44_640 }),
    )
    .map(
      ([year, month, minutes]) =>
        msFromIso(`${year}-${String(month).padStart(2, '0')}-01T00:00:00Z`) / 60_000 + minutes,
    );
  fc.assert(
    fc.property(fc.constantFrom(...zones), fc.oneof(local, nearChange), (zone, minutes) => {
      const text = isoFromMs(minutes * 60_000).slice(0, -1);
      const resolved = resolve(text, zone);
      const moment = (disambiguation: 'earlier' | 'later') =>
        Temporal.PlainDateTime.from(text).toZonedDateTime(zone, { disambiguation }).epochMilliseconds;
      const expected = { earlier: moment('earlier'), later: moment('later') };
      if (resolved.kind === 'once') {
        expect(expected).toEqual({ earlier: resolved.utcMs, later: resolved.utcMs });
      } else {
        expect(expected).toEqual({ earlier: resolved.earlierMs, later: resolved.laterMs });
        expect(() =>
          Temporal.PlainDateTime.from(text).toZonedDateTime(zone, { disambiguation: 'reject' }),
        ).toThrow(RangeError);
      }
    }),
    { numRuns: 3_000 },
  );
});
