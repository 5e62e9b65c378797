import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isoFromMs, msFromIso } from '../../src/domain/clock.js';
import type { Cell } from '../../src/domain/row.js';
import { readTimestamp, type TimestampContext } from '../../src/normalise/timestamp.js';

const CONTEXT: TimestampContext = {
  column: 'Completed on',
  zone: 'UTC',
  order: null,
  dateOnly: 'start',
  overlap: 'reject',
  nowMs: msFromIso('2024-12-31T00:00:00Z'),
};

const read = (cell: Cell, settings: Partial<TimestampContext> = {}) =>
  readTimestamp(cell, { ...CONTEXT, ...settings });

const messageOf = (cell: Cell, settings: Partial<TimestampContext> = {}) => {
  const reading = read(cell, settings);
  return 'issue' in reading ? reading.issue.message : '';
};

describe('a time is read in every form that exports use', () => {
  test.each<[Cell, string]>([
    ['2024-03-01T10:30:00.000Z', '2024-03-01T10:30:00.000Z'],
    ['2024-03-01T10:30:00Z', '2024-03-01T10:30:00.000Z'],
    ['2024-03-01T10:30', '2024-03-01T10:30:00.000Z'],
    ['2024-03-01 10:30:15', '2024-03-01T10:30:15.000Z'],
    ['2024-03-01 10:30:15.1239567', '2024-03-01T10:30:15.123Z'],
    ['2024-03-01T10:30:15,5', '2024-03-01T10:30:15.500Z'],
    ['2024-03-01T10:30:00+02:00', '2024-03-01T08:30:00.000Z'],
    ['2024-03-01T10:30:00-0500', '2024-03-01T15:30:00.000Z'],
    ['2024-03-01 10:30:00 +02', '2024-03-01T08:30:00.000Z'],
    ['2024-03-01 10:30:00 UTC', '2024-03-01T10:30:00.000Z'],
    ['2024-03-01 10:30:00 (UTC)', '2024-03-01T10:30:00.000Z'],
    ['2024-03-01 10:30 America/New_York', '2024-03-01T15:30:00.000Z'],
    ['2024-03-01T10:30:00+01:00[Europe/Berlin]', '2024-03-01T09:30:00.000Z'],
    ['2024-3-1', '2024-03-01T00:00:00.000Z'],
    ['2024/03/01', '2024-03-01T00:00:00.000Z'],
    ['2024.03.01', '2024-03-01T00:00:00.000Z'],
    ['20240301', '2024-03-01T00:00:00.000Z'],
    [20240301, '2024-03-01T00:00:00.000Z'],
    ['20240301T103000Z', '2024-03-01T10:30:00.000Z'],
    ['20240301103000', '2024-03-01T10:30:00.000Z'],
    ['13/03/2024', '2024-03-13T00:00:00.000Z'],
    ['3/13/2024 1:05 PM', '2024-03-13T13:05:00.000Z'],
    ['13.03.2024 9:05:07', '2024-03-13T09:05:07.000Z'],
    ['13. 3. 2024', '2024-03-13T00:00:00.000Z'],
    ['13-03-2024 12:00 am', '2024-03-13T00:00:00.000Z'],
    ['13-03-2024 12:30 p.m.', '2024-03-13T12:30:00.000Z'],
    ['03/03/2024', '2024-03-03T00:00:00.000Z'],
    ['Sunday, 10 March 2024, 10:00 AM', '2024-03-10T10:00:00.000Z'],
    ['Sunday, 10 March 2024, 10:00\u202fPM', '2024-03-10T22:00:00.000Z'],
    ['March 10, 2024 at 10 AM', '2024-03-10T10:00:00.000Z'],
    ['Mar-10-2024 10:30:00', '2024-03-10T10:30:00.000Z'],
    ['10-Mar-2024', '2024-03-10T00:00:00.000Z'],
    ['10MAR2024', '2024-03-10T00:00:00.000Z'],
    ['March 1st, 2024', '2024-03-01T00:00:00.000Z'],
    ['2024 Mar 10', '2024-03-10T00:00:00.000Z'],
    ['Sun Mar 10 2024 10:00:00 GMT+0100 (Central European Standard Time)', '2024-03-10T09:00:00.000Z'],
    ['10. März 2024 um 10:30 Uhr', '2024-03-10T10:30:00.000Z'],
    ['So., 10. Mrz. 2024', '2024-03-10T00:00:00.000Z'],
    ['dimanche 10 août 2024 à 10h30', '2024-08-10T10:30:00.000Z'],
    ['domingo, 10 de marzo de 2024', '2024-03-10T00:00:00.000Z'],
    ['domenica 10 luglio 2024', '2024-07-10T00:00:00.000Z'],
    ['zondag 10 mei 2024', '2024-05-10T00:00:00.000Z'],
    ['10 de fevereiro de 2024 às 08:00', '2024-02-10T08:00:00.000Z'],
    ['1º marzo 2024', '2024-03-01T00:00:00.000Z'],
    ['２０２４-03-01', '2024-03-01T00:00:00.000Z'],
    ['\u00a02024-03-01\u200b', '2024-03-01T00:00:00.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['2000-02-29', '2000-02-29T00:00:00.000Z'],
    ['2024-02-29 24:00:00', '2024-03-01T00:00:00.000Z'],
    [{ date: '2024-03-01T10:30:00.000' }, '2024-03-01T10:30:00.000Z'],
    ['2025-01-01', '2025-01-01T00:00:00.000Z'],
    ['2000-01-01', '2000-01-01T00:00:00.000Z'],
  ])('%j is %s', (cell, value) => {
    expect(read(cell)).toEqual({ value });
  });
});

describe('what is no time is refused', () => {
  test.each<[Cell, string]>([
    ['soon', 'is not a date that can be read'],
    ['2024', 'plain number'],
    ['45352', 'plain number'],
    ['45352.4375', 'plain number'],
    [45352, 'plain number'],
    ['1709287200', 'plain number'],
    [1709287200000, 'plain number'],
    [1.5, 'plain number'],
    ['10:30', 'is not a date'],
    ['2024-02-30', 'is not a day of the calendar'],
    ['2023-02-29', 'is not a day of the calendar'],
    ['1900-02-29', 'is not a day of the calendar'],
    ['2024-13-01', 'is not a day of the calendar'],
    ['2024-00-10', 'is not a day of the calendar'],
    ['30/02/2024', 'is not a day of the calendar'],
    ['25/13/2024', 'is not a day of the calendar'],
    ['20241301', 'is not a day of the calendar'],
    ['31/03/24', 'two digits'],
    ['1 March 24', 'two digits'],
    ['2024-03-01 24:30', 'impossible time'],
    ['2024-03-01 10:60', 'impossible time'],
    ['2024-03-01 13:00 PM', 'impossible time'],
    ['2024-03-01 10', 'is not a date that can be read'],
    ['2024-03-01 1030', 'is not a date that can be read'],
    ['2024-03-01 10:30 EST', 'names no single time zone'],
    ['2024-03-01 10:30 Mars/Base', '"Mars/Base", which is not known'],
    ['2024-03-01 10:30 +15:00', 'is not a date that can be read'],
    ['2024-03-01 and later', 'is not a date that can be read'],
    ['Foo, 10 March 2024', 'is not a date that can be read'],
    ['10 Floréal 2024', 'is not a date that can be read'],
    ['1'.repeat(10_000), 'is not a date that can be read'],
    [true, 'is not a date'],
    [{ percent: 5 }, 'is not a date'],
    [{ error: '#VALUE!' }, 'is not a date'],
  ])('%j: %s', (cell, because) => {
    expect(read(cell)).toMatchObject({ issue: { code: 'timestamp-invalid', column: 'Completed on' } });
    expect(messageOf(cell)).toContain(because);
  });

  test.each([null, '', ' ', '-', 'n/a'])('%j says nothing', (cell) => {
    expect(read(cell)).toEqual({ value: null });
  });
});

describe('day and month', () => {
  test('that could be either way round are refused with both dates', () => {
    expect(read('03/04/2024')).toMatchObject({ issue: { code: 'date-order-unknown' } });
    expect(messageOf('03/04/2024')).toContain('may be 2024-04-03 or 2024-03-04');
  });

  test('follow the order that is declared or proven', () => {
    expect(read('03/04/2024', { order: 'day-first' })).toEqual({ value: '2024-04-03T00:00:00.000Z' });
    expect(read('03/04/2024', { order: 'month-first' })).toEqual({ value: '2024-03-04T00:00:00.000Z' });
    expect(read('2024-03-04', { order: 'day-first' })).toEqual({ value: '2024-03-04T00:00:00.000Z' });
  });

  test('that contradict the order are refused, not turned round', () => {
    expect(messageOf('03/14/2024', { order: 'day-first' })).toContain('in the order day-first');
    expect(messageOf('14/03/2024', { order: 'month-first' })).toContain('in the order month-first');
    expect(messageOf('14/03/2024', { order: 'year-first' })).toContain('in the order year-first');
  });
});

describe('a time without a zone', () => {
  test.each<[Cell]>([['2024-03-01T10:30:00'], ['2024-03-01'], [{ date: '2024-03-01T10:30:00.000' }]])(
    '%j is refused where the source has none',
    (cell) => {
      expect(read(cell, { zone: null })).toMatchObject({ issue: { code: 'timestamp-unzoned' } });
    },
  );

  test('is read in the zone given, one with a zone in its own', () => {
    const zone = 'Europe/Berlin';
    expect(read('2024-03-01T10:30:00', { zone })).toEqual({ value: '2024-03-01T09:30:00.000Z' });
    expect(read({ date: '2024-07-01T10:30:00.000' }, { zone })).toEqual({
      value: '2024-07-01T08:30:00.000Z',
    });
    expect(read('2024-03-01T10:30:00Z', { zone })).toEqual({ value: '2024-03-01T10:30:00.000Z' });
    expect(read('2024-03-01T10:30:00Z', { zone: null })).toEqual({ value: '2024-03-01T10:30:00.000Z' });
  });
});

describe('a date without a time', () => {
  test.each([
    ['start', '2024-03-01T00:00:00.000Z'],
    ['noon', '2024-03-01T12:00:00.000Z'],
    ['end', '2024-03-01T23:59:59.000Z'],
  ] as const)('is the %s of its day', (dateOnly, value) => {
    expect(read('2024-03-01', { dateOnly })).toEqual({ value });
    expect(read({ date: '2024-03-01T00:00:00.000' }, { dateOnly })).toEqual({ value });
  });

  test('keeps a midnight that is written out', () => {
    expect(read('2024-03-01 00:00', { dateOnly: 'noon' })).toEqual({ value: '2024-03-01T00:00:00.000Z' });
  });

  test('lies within its day although clocks changed at midnight', () => {
    const zone = 'America/Sao_Paulo';
    expect(read('2018-11-04', { zone })).toEqual({ value: '2018-11-04T03:00:00.000Z' });
    expect(read('2018-02-17', { zone, dateOnly: 'end' })).toEqual({ value: '2018-02-18T02:59:59.000Z' });
  });

  test('is refused for a day that its zone left out', () => {
    expect(read('2011-12-30', { zone: 'Pacific/Apia' })).toMatchObject({
      issue: { code: 'timestamp-nonexistent' },
    });
  });
});

describe('where clocks change', () => {
  const zone = 'Europe/Berlin';

  test('a time that happened twice is refused with both moments', () => {
    expect(read('2024-10-27 02:30', { zone })).toMatchObject({ issue: { code: 'timestamp-ambiguous' } });
    expect(messageOf('2024-10-27 02:30', { zone })).toContain(
      '2024-10-27T00:30:00.000Z or 2024-10-27T01:30:00.000Z',
    );
  });

  test('a time that never happened is refused with both moments', () => {
    expect(read('2024-03-31 02:30', { zone })).toMatchObject({ issue: { code: 'timestamp-nonexistent' } });
    expect(messageOf('2024-03-31 02:30', { zone })).toContain(
      '2024-03-31T00:30:00.000Z or 2024-03-31T01:30:00.000Z',
    );
  });

  test.each([
    ['2024-10-27 02:30', 'earlier', '2024-10-27T00:30:00.000Z'],
    ['2024-10-27 02:30', 'later', '2024-10-27T01:30:00.000Z'],
    ['2024-03-31 02:30', 'earlier', '2024-03-31T00:30:00.000Z'],
    ['2024-03-31 02:30', 'later', '2024-03-31T01:30:00.000Z'],
  ] as const)('%s with overlap %s is %s', (cell, overlap, value) => {
    expect(read(cell, { zone, overlap })).toEqual({ value });
  });
});

describe('a time out of range', () => {
  test.each(['1999-12-31T23:59:59Z', '1970-01-01', '2025-01-01T00:00:01Z', '9999-12-31', '0000-01-01'])(
    '%s is refused',
    (cell) => {
      expect(read(cell)).toMatchObject({ issue: { code: 'timestamp-out-of-range' } });
    },
  );
});

test('reading a time again gives the same time, whatever the zone and the order', () => {
  const moment = fc.integer({ min: msFromIso('2000-01-01T00:00:00Z'), max: CONTEXT.nowMs });
  fc.assert(
    fc.property(moment, fc.constantFrom('Europe/Berlin', 'America/New_York', null), (ms, zone) => {
      const iso = isoFromMs(ms);
      expect(read(iso, { zone, order: 'month-first', dateOnly: 'end' })).toEqual({ value: iso });
    }),
  );
});
