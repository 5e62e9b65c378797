import { describe, expect, it } from 'vitest';
import { cronMistake } from '../../src/config/values/cron.js';
import { lastSlotMs, nextSlotMs, slotsBetween } from '../../src/report/status/slots.js';

const FRIDAY = '2026-03-06T08:00:30Z';

it.each<[string, string, string, string, string | undefined, number]>([
  ['every quarter of an hour', '*/15 * * * *', FRIDAY, '2026-03-06T09:00:00Z', 'UTC', 4],
  ['on weekdays, over a week-end', '0 8 * * 1-5', FRIDAY, '2026-03-09T07:59:59Z', 'UTC', 0],
  ['on weekdays, on the second after it', '0 8 * * 1-5', FRIDAY, '2026-03-10T08:00:00Z', 'UTC', 2],
  ['in a zone of its own', '0 8 * * *', FRIDAY, '2026-03-07T07:00:00Z', 'Europe/Berlin', 1],
  ['in a zone half an hour off', '0 8 * * *', FRIDAY, '2026-03-07T02:30:00Z', 'Asia/Kolkata', 1],
  ['in a zone a quarter off', '0 8 * * *', FRIDAY, '2026-03-07T02:15:00Z', 'Asia/Kathmandu', 1],
  ['with seconds', '*/20 * * * * *', FRIDAY, '2026-03-06T08:01:30Z', 'UTC', 3],
  ['monthly', '30 2 1 * *', FRIDAY, '2026-05-01T02:30:00Z', 'UTC', 2],
  ['not at the time itself', '0 8 * * *', '2026-03-06T08:00:00Z', '2026-03-06T09:00:00Z', 'UTC', 0],
])('%s: %s', (_, cron, after, until, timeZone, count) => {
  expect(slotsBetween({ cron, timeZone }, Date.parse(after), Date.parse(until), 9)).toHaveLength(count);
});

it('the search finds no more times than requested', () => {
  const line = { cron: '0 8 * * *', timeZone: 'UTC' };
  const [after, until] = ['2026-02-01T12:00:00Z', '2026-03-08T12:00:00Z'].map((at) => Date.parse(at));
  expect(slotsBetween(line, after ?? 0, until ?? 0, 2)).toHaveLength(2);
});

describe('a line on the days on which clocks change', () => {
  const timesOf = (cron: string, timeZone: string, after: string, most: number) =>
    slotsBetween({ cron, timeZone }, Date.parse(after), Number.POSITIVE_INFINITY, most).map((ms) =>
      new Date(ms).toISOString(),
    );

  it('with a time that comes twice is due the first time alone', () => {
    expect(timesOf('30 2 * * *', 'Europe/Berlin', '2026-10-24T12:00:00Z', 2)).toEqual([
      '2026-10-25T00:30:00.000Z',
      '2026-10-26T01:30:00.000Z',
    ]);
    expect(timesOf('30 1 * * *', 'America/New_York', '2026-10-31T12:00:00Z', 2)).toEqual([
      '2026-11-01T05:30:00.000Z',
      '2026-11-02T06:30:00.000Z',
    ]);
  });

  it('with a time that is left out is due right after the gap', () => {
    expect(timesOf('30 2 * * *', 'Europe/Berlin', '2026-03-28T12:00:00Z', 2)).toEqual([
      '2026-03-29T01:00:00.000Z',
      '2026-03-30T00:30:00.000Z',
    ]);
    // Half an hour is left out there.
    expect(timesOf('15 2 * * *', 'Australia/Lord_Howe', '2026-10-03T12:00:00Z', 2)).toEqual([
      '2026-10-03T15:30:00.000Z',
      '2026-10-04T15:15:00.000Z',
    ]);
  });

  it('of every quarter of an hour goes on through both', () => {
    for (const day of ['2026-03-29', '2026-10-25']) {
      const times = timesOf('*/15 * * * *', 'Europe/Berlin', `${day}T00:00:00Z`, 12);
      expect(times.at(-1)).toBe(`${day}T03:00:00.000Z`);
    }
  });
});

it('the last time before another is found, however long ago it was', () => {
  const lastOf = (cron: string, after: string, until: string) => {
    const ms = lastSlotMs({ cron, timeZone: 'UTC' }, Date.parse(after), Date.parse(until));
    return ms === null ? null : new Date(ms).toISOString();
  };
  expect(lastOf('* * * * * *', '2020-01-01T00:00:00Z', '2026-01-01T00:00:00Z')).toBe(
    '2026-01-01T00:00:00.000Z',
  );
  expect(lastOf('0 8 * * *', '2020-01-01T00:00:00Z', '2026-01-01T07:59:59Z')).toBe(
    '2025-12-31T08:00:00.000Z',
  );
  expect(lastOf('0 8 29 2 *', '2020-01-01T00:00:00Z', '2027-01-01T00:00:00Z')).toBe(
    '2024-02-29T08:00:00.000Z',
  );
  expect(lastOf('0 8 * * *', '2026-01-01T08:00:00Z', '2026-01-02T07:59:59Z')).toBeNull();
});

it.each([
  '0 8 * * monday-friday',
  '0 8 1 january,jul *',
  '0 8 L * ?',
  '0 8 15W * *',
  '0 8 LW * *',
  '0 8 * * 5L',
  '0 8 * * 1#2',
  '5-20/5 */2 * * 0,7',
  '*/10 * * * * *',
  '@weekly',
])('%s, which the configuration takes, has times', (cron) => {
  expect(cronMistake(cron)).toBeNull();
  expect(nextSlotMs({ cron, timeZone: 'UTC' }, Date.parse(FRIDAY))).toBeGreaterThan(Date.parse(FRIDAY));
});

it('both the day of the month and the day of the week must fit', () => {
  const next = nextSlotMs({ cron: '0 3 13 * 5', timeZone: 'UTC' }, Date.parse('2026-03-14T00:00:00Z'));
  expect(next).toBe(Date.parse('2026-11-13T03:00:00Z'));
});
