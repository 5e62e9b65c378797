import { expect, it } from 'vitest';
import { missingDrop } from '../../../src/alerts/rules/expected-drop.js';
import { expectSchema } from '../../../src/config/schema/alerts-schema.js';

const ms = (text: string) => Date.parse(`2026-${text}:00.000Z`);

/** The time by which a drop is missing, in UTC; null: none is. Berlin is an hour ahead of UTC, from 29 March on two. */
function missing(settings: object, arrivals: readonly string[], now: string, since = '03-01T00:00') {
  const found = missingDrop(
    expectSchema.parse(settings),
    'Europe/Berlin',
    arrivals.map(ms),
    ms(since),
    ms(now),
  );
  return found === null ? null : new Date(found.expectedByMs).toISOString().slice(5, 16);
}

const DAILY = { by: '06:00' };
const WORKDAYS = { by: '06:00', days: ['mon', 'tue', 'wed', 'thu', 'fri'] };

it.each<[string, object, string[], string, string | null]>([
  ['it came in time', DAILY, ['03-03T03:00'], '03-03T05:01', null],
  ['it came in the evening before', DAILY, ['03-02T03:00', '03-02T20:00'], '03-03T05:01', null],
  ['it has not come', DAILY, ['03-02T03:00'], '03-03T05:01', '03-03T05:00'],
  ['its time has not come', DAILY, ['03-02T03:00'], '03-03T04:59', null],
  ['it came late', DAILY, ['03-02T03:00', '03-03T06:00'], '03-03T07:00', null],
  [
    'yesterday’s came late, today’s has not come',
    DAILY,
    ['03-01T03:00', '03-02T06:00'],
    '03-03T05:01',
    '03-03T05:00',
  ],
  ['yesterday’s never came, today’s did', DAILY, ['03-01T03:00', '03-03T03:00'], '03-03T05:01', null],
  ['nothing ever came', DAILY, [], '03-03T05:01', '03-03T05:00'],
  ['a Friday’s is missed at the weekend', WORKDAYS, ['03-05T03:00'], '03-07T12:00', '03-06T05:00'],
  ['none is expected on a Sunday', WORKDAYS, ['03-06T03:00'], '03-08T12:00', null],
  ['on Monday one is', WORKDAYS, ['03-06T03:00'], '03-09T05:01', '03-09T05:00'],
  ['in summer it is an hour earlier in UTC', DAILY, ['03-28T03:00'], '03-29T04:01', '03-29T04:00'],
  [
    'the second of a day isn’t the first of the next',
    DAILY,
    ['03-02T03:00', '03-02T04:00'],
    '03-03T05:01',
    '03-03T05:00',
  ],
  ['every: within', { every: '1d' }, ['03-02T03:00'], '03-03T03:00', null],
  ['every: over', { every: '1d' }, ['03-02T03:00'], '03-03T03:01', '03-03T03:00'],
  ['every: nothing ever came', { every: '1d' }, [], '03-02T00:01', '03-02T00:00'],
])('a file that is expected by a time: %s', (_, settings, arrivals, now, found) => {
  expect(missing(settings, arrivals, now)).toBe(found);
});

it('a drop that was due before the ledger was created isn’t missed', () => {
  expect(missing(DAILY, [], '03-03T05:01', '03-03T05:00')).toBe('03-03T05:00');
  expect(missing(DAILY, [], '03-03T12:00', '03-03T06:00')).toBeNull();
});
