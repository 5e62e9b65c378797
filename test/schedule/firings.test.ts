import { expect, it } from 'vitest';
import { firingsBetween } from '../../src/schedule/firings.js';

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
  expect(firingsBetween([{ cron, timeZone }], Date.parse(after), Date.parse(until), 9)).toBe(count);
});

it('several entries count together, and no more are looked for than are asked', () => {
  const entries = ['0 8 * * *', '30 8 * * *'].map((cron) => ({ cron, timeZone: 'UTC' }));
  const until = Date.parse('2026-03-08T12:00:00Z');
  expect(firingsBetween(entries, Date.parse('2026-03-07T12:00:00Z'), until, 9)).toBe(2);
  expect(firingsBetween(entries, Date.parse('2026-02-01T12:00:00Z'), until, 2)).toBe(2);
});
