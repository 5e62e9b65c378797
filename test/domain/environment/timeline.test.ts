import { describe, expect, it, test } from 'vitest';
import {
  bucketMsFor,
  MAX_BUCKETS,
  precisionFor,
  timelineOf,
} from '../../../src/domain/environment/timeline.js';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const one = (at: string, accepted: number, refused = 0) => ({
  at,
  sent: accepted + refused,
  accepted,
  refused,
  throttled: 0,
  failed: 0,
  open: 0,
});

describe('the length of a stretch grows with the span', () => {
  it.each<[string, number, number, ReturnType<typeof precisionFor>]>([
    ['a moment', 0, SECOND, 'second'],
    ['two minutes', 2 * MINUTE - SECOND, SECOND, 'second'],
    ['three minutes', 3 * MINUTE, 5 * SECOND, 'second'],
    ['twenty minutes', 20 * MINUTE, 15 * SECOND, 'second'],
    ['an hour', HOUR, MINUTE, 'minute'],
    ['two hours', 2 * HOUR - MINUTE, MINUTE, 'minute'],
    ['nine hours', 9 * HOUR, 5 * MINUTE, 'minute'],
    ['a day', DAY, 15 * MINUTE, 'minute'],
    ['four days', 4 * DAY, HOUR, 'hour'],
    ['ten days', 10 * DAY, 6 * HOUR, 'hour'],
    ['three months', 92 * DAY, DAY, 'day'],
    ['two years', 730 * DAY, 7 * DAY, 'day'],
  ])('%s', (_, spanMs, bucketMs, precision) => {
    const first = Date.parse('2026-03-01T00:00:00.000Z');
    expect(bucketMsFor(first, first + spanMs)).toBe(bucketMs);
    expect(precisionFor('2026-03-01T00:00:00.000Z', new Date(first + spanMs).toISOString())).toBe(precision);
  });

  it('and never gives more stretches than a screen shows', () => {
    for (let spanMs = 1; spanMs < 5_000 * 365 * DAY; spanMs = Math.ceil(spanMs * 1.7)) {
      const first = Date.parse('1999-12-31T23:59:59.999Z');
      const bucketMs = bucketMsFor(first, first + spanMs);
      const count = Math.floor((first + spanMs) / bucketMs) - Math.floor(first / bucketMs) + 1;
      expect(count).toBeLessThanOrEqual(MAX_BUCKETS);
    }
  });
});

test('a timeline contains all counts, in buckets without gaps', () => {
  const { bucketMs, buckets } = timelineOf(
    [
      one('2026-03-01T10:00:00.000Z', 3),
      one('2026-03-01T10:00:00.000Z', 1, 2),
      one('2026-03-01T10:00:15.000Z', 5),
    ],
    '2026-03-01T10:00:00.120Z',
    '2026-03-01T10:02:18.500Z',
  );
  expect([bucketMs, buckets.length]).toEqual([5 * SECOND, 28]);
  expect(buckets.slice(0, 4).map(({ from, sent, refused }) => [from, sent, refused])).toEqual([
    ['2026-03-01T10:00:00.000Z', 6, 2],
    ['2026-03-01T10:00:05.000Z', 0, 0],
    ['2026-03-01T10:00:10.000Z', 0, 0],
    ['2026-03-01T10:00:15.000Z', 5, 0],
  ]);
});

test('a day on which clocks change is as long as any other', () => {
  // Clocks went forward in Berlin at 01:00 UTC; a count of local hours would be one too few.
  const hours = Array.from({ length: 49 }, (_, hour) =>
    one(new Date(Date.parse('2026-03-28T12:00:00.000Z') + hour * HOUR).toISOString(), 1),
  );
  const { bucketMs, buckets } = timelineOf(hours, hours[0]?.at ?? '', hours[48]?.at ?? '');
  expect([bucketMs, buckets.length]).toEqual([HOUR, 49]);
  expect(buckets.every(({ sent }) => sent === 1)).toBe(true);
});

test('a count outside the span is a bug, not a lost bar', () => {
  const late = [one('2026-03-01T12:00:00.000Z', 1)];
  expect(() => timelineOf(late, '2026-03-01T10:00:00.000Z', '2026-03-01T10:30:00.000Z')).toThrow('no place');
});
