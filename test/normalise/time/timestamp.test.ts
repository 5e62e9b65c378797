import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isoFromMs, msFromIso } from '../../../src/domain/clock.js';
import type { Cell } from '../../../src/domain/row.js';
import { type DateRules, parseDateText, USUAL_DATES } from '../../../src/normalise/time/parse-date-text.js';
import { patternsReader } from '../../../src/normalise/time/read-pattern.js';
import { readTimeOfDay } from '../../../src/normalise/time/time-of-day.js';
import { readTimestamp, type TimestampContext } from '../../../src/normalise/time/timestamp.js';
import { readZone } from '../../../src/normalise/time/zone/zone-notes.js';
import { UNDECIDED } from '../../../src/normalise/values/reading.js';

const CONTEXT: TimestampContext = {
  column: 'Completed on',
  claims: [],
  zoneField: 'completed-at-zone',
  zoneOfRow: (cell) => readZone(cell, { column: 'Zone', zones: {}, field: 'completed-at-zone' }),
  timeOfRow: (cell) => readTimeOfDay(cell, { column: 'Time', zones: {} }),
  timeColumn: 'Time',
  order: null,
  isWholeColumn: true,
  parse: parseDateText,
  dateOnly: 'start',
  overlap: 'reject',
  earliestMs: msFromIso('2000-01-01T00:00:00Z'),
  latestMs: msFromIso('2025-01-01T00:00:00Z'),
};

type Settings = Partial<TimestampContext> & { readonly zone?: string | null };

const read = (cell: Cell, settings: Settings = {}) => readTimestamp(cell, contextWith(settings));

function contextWith({ zone = 'UTC', ...settings }: Settings): TimestampContext {
  const claims = zone === null ? [] : [{ zone, words: zone, by: 'timeZone of the source', line: null }];
  return { ...CONTEXT, claims, ...settings };
}

const messageOf = (cell: Cell, settings: Settings = {}) => {
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
    ['10 marca 2024', '2024-03-10T00:00:00.000Z'],
    ['10. března 2024', '2024-03-10T00:00:00.000Z'],
    ['søndag 10. mars 2024', '2024-03-10T00:00:00.000Z'],
    ['2024-03-01 10:30 W. Europe Standard Time', '2024-03-01T09:30:00.000Z'],
    ['2024-03-01 10:30 (PST/PDT)', '2024-03-01T18:30:00.000Z'],
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

describe('a cell that holds no time is refused', () => {
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
    ['2024-11-31', 'is not a day of the calendar'],
    ['31 April 2024', 'is not a day of the calendar'],
    ['2024-11-00', 'is not a day of the calendar'],
    ['2024-13-01', 'is not a day of the calendar'],
    ['2024-00-10', 'is not a day of the calendar'],
    ['30/02/2024', 'is not a day of the calendar'],
    ['02/30/2023', 'is not a day of the calendar'],
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
    ['10 listopada 2024', 'is not a date that can be read'],
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

test('the marks that a spreadsheet shows in a narrow column are reported as such', () => {
  expect(read('########')).toMatchObject({
    issue: {
      code: 'timestamp-invalid',
      message:
        'Completed on "########" isn\'t a time: the column was too narrow when the file was saved as text',
      remedy: 'widen the column in the spreadsheet and save the file again',
    },
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

  test.each([
    ['31/11/2025', 'is not a date in the order day-first of the source or its column'],
    ['29/02/2023', 'is not a date in the order day-first of the source or its column'],
    ['00/11/2025', 'is not a date in the order day-first of the source or its column'],
    ['11/13/2025', 'is not a date in the order day-first of the source or its column'],
  ])(
    'that are no day of the calendar say what is wrong with %s, where the order is day-first',
    (cell, why) => {
      expect(messageOf(cell, { order: 'day-first' })).toContain(why);
    },
  );

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

  test('is within its day although clocks changed at midnight', () => {
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
  test.each(['1999-12-31T23:59:59Z', '1970-01-01', '2025-01-01T00:00:01Z', '9999-12-31'])(
    '%s is refused',
    (cell) => {
      expect(read(cell)).toMatchObject({ issue: { code: 'timestamp-out-of-range' } });
    },
  );
});

describe('patterns that a source declares', () => {
  const rules = { ...USUAL_DATES, twoDigitYears: 1970, zones: { EST: 'America/New_York' } };
  const by = (patterns: readonly string[], cell: Cell, settings: Partial<DateRules> = {}) =>
    read(cell, { parse: patternsReader(patterns, { ...rules, ...settings }) });

  test.each<[string, Cell, string]>([
    ['dd/MM/yyyy HH:mm', '03/04/2024 10:30', '2024-04-03T10:30:00.000Z'],
    ['MM/dd/yyyy', '03/04/2024', '2024-03-04T00:00:00.000Z'],
    ['d/M/yyyy H:mm', '3/4/2024 9:05', '2024-04-03T09:05:00.000Z'],
    ['MMM-DD-YYYY HH:mm:ss ZZZ', 'Mar-10-2024 10:30:15 UTC', '2024-03-10T10:30:15.000Z'],
    ['MMM-dd-yyyy HH:mm:ss zzz', 'MAR-10-2024 10:30:15 EST', '2024-03-10T14:30:15.000Z'],
    ['MMM-dd-yyyy HH:mm zzz', 'Jul-10-2024 10:30 Europe/Berlin', '2024-07-10T08:30:00.000Z'],
    ['dd MMMM yyyy', '10 März 2024', '2024-03-10T00:00:00.000Z'],
    ['EEEE, d. MMMM yyyy', 'Sonntag, 10. März 2024', '2024-03-10T00:00:00.000Z'],
    ['MM/dd/yyyy hh:mm:ss a', '03/04/2024 12:00:01 AM', '2024-03-04T00:00:01.000Z'],
    ['M/d/yyyy h:mm a', '3/4/2024 1:05 p.m.', '2024-03-04T13:05:00.000Z'],
    ["yyyy-MM-dd'T'HH:mm:ss.SSSxxx", '2024-03-10T10:30:15.250+02:00', '2024-03-10T08:30:15.250Z'],
    ["d 'de' MMMM 'de' yyyy", '10 de marzo de 2024', '2024-03-10T00:00:00.000Z'],
    ['dd.MM.yy', '10.03.24', '2024-03-10T00:00:00.000Z'],
    ['yy-MM-dd', '24-03-10', '2024-03-10T00:00:00.000Z'],
    ['yyyyMMdd', '20240310', '2024-03-10T00:00:00.000Z'],
    ['yyyyMMdd', 20240310, '2024-03-10T00:00:00.000Z'],
    ['yyyyMM', '202403', '2024-03-01T00:00:00.000Z'],
    ['yyyyMMddHHmmss', '20240310103015', '2024-03-10T10:30:15.000Z'],
    ['yyyy-MM-dd HH:mm', '2024-02-29 24:00', '2024-03-01T00:00:00.000Z'],
    ['epoch-seconds', '1709287200', '2024-03-01T10:00:00.000Z'],
    ['epoch-seconds', 1709287200.5, '2024-03-01T10:00:00.500Z'],
    ['epoch-milliseconds', 1709287200250, '2024-03-01T10:00:00.250Z'],
    ['excel-serial', '45352.4375', '2024-03-01T10:30:00.000Z'],
    ['excel-serial', 45352, '2024-03-01T00:00:00.000Z'],
    ['excel-serial-1904', 43890.4375, '2024-03-01T10:30:00.000Z'],
  ])('%s reads %j as %s', (pattern, cell, value) => {
    expect(by([pattern], cell)).toEqual({ value });
  });

  test.each<[string, Cell, string]>([
    ['dd/MM/yyyy', '2024-03-10', 'is not written as datePatterns of the source say ("dd/MM/yyyy")'],
    ['dd/MM/yyyy', '3/4/2024', 'is not written as'],
    ['dd/MM/yyyy', '03/04/2024 10:30', 'is not written as'],
    ['dd/MM/yyyy', '03/14/2024', 'is not a day of the calendar'],
    ['dd/MM/yyyy', '03.04.2024', 'is not written as'],
    ['dd MMM yyyy', '10 Foo 2024', 'has "Foo" for a month'],
    ['dd/MM/yyyy HH:mm', '03/04/2024 10:60', 'has an impossible time'],
    ['dd/MM/yyyy hh:mm a', '03/04/2024 13:30 PM', 'has an impossible time'],
    ['dd/MM/yyyy HH:mm z', '03/04/2024 10:30 CST', 'names no single time zone'],
    ['epoch-seconds', 'soon', 'is not written as'],
    ['epoch-seconds', '-5', 'is not written as'],
    ['epoch-seconds', '999999999999999', 'too large'],
    ['excel-serial', 60, 'counts days from before March 1900'],
  ])('%s refuses %j: %s', (pattern, cell, because) => {
    const reading = by([pattern], cell);
    expect('issue' in reading && reading.issue.message).toContain(because);
  });

  test('are several where the text fits one, or all that it fits agree', () => {
    expect(by(['dd/MM/yyyy', 'yyyy-MM-dd'], '2024-03-10')).toEqual({ value: '2024-03-10T00:00:00.000Z' });
    expect(by(['dd/MM/yyyy', 'MM/dd/yyyy'], '03/03/2024')).toEqual({ value: '2024-03-03T00:00:00.000Z' });
    const both = by(['dd/MM/yyyy', 'MM/dd/yyyy'], '03/04/2024');
    expect('issue' in both && both.issue.message).toContain('fits several of datePatterns');
  });

  test('read no year of two digits without a pivot', () => {
    expect(by(['dd.MM.yy'], '10.03.24', { twoDigitYears: null })).toMatchObject({
      issue: { code: 'timestamp-invalid' },
    });
  });

  test.each<[Cell, string]>([
    ['45365', 'excel-serial'],
    [45365.4375, 'excel-serial'],
    [1710374400, 'epoch-seconds'],
    ['1710374400123', 'epoch-milliseconds'],
  ])('are named where %j is a plain number: %s reads it', (cell, pattern) => {
    const refused = read(cell);
    expect('issue' in refused && refused.issue.remedy).toContain(`[${pattern}]`);
    expect(by([pattern], cell)).toMatchObject({ value: expect.stringMatching(/^2024-03-14T/) });
  });

  test('leave a date cell of a workbook as it is', () => {
    const parse = patternsReader(['dd/MM/yyyy'], rules);
    expect(read({ date: '2024-03-01T10:30:00.000' }, { parse })).toEqual({
      value: '2024-03-01T10:30:00.000Z',
    });
  });
});

test.each(['14/03/24', '14 March 24'])('%j is refused with the setting that reads it', (cell) => {
  const refused = read(cell);
  expect('issue' in refused && refused.issue.remedy).toMatch(/^set twoDigitYears: 2000 for the source/);
  const rules = { ...USUAL_DATES, twoDigitYears: 2000 };
  const parse = (text: string) => parseDateText(text, rules);
  expect(read(cell, { parse, order: 'day-first' })).toEqual({ value: '2024-03-14T00:00:00.000Z' });
});

describe('a year of two digits', () => {
  const inCentury = (cell: string, twoDigitYears: number, order: TimestampContext['order'] = null) =>
    read(cell, {
      parse: (text) => parseDateText(text, { ...USUAL_DATES, twoDigitYears }),
      order,
      earliestMs: msFromIso('1900-01-01T00:00:00Z'),
    });

  test.each([
    ['10-Mar-24', 1970, '2024-03-10T00:00:00.000Z'],
    ['10-Mar-70', 1970, '1970-03-10T00:00:00.000Z'],
    ['10-Mar-69', 1925, '1969-03-10T00:00:00.000Z'],
    ['10-Mar-24', 1925, '2024-03-10T00:00:00.000Z'],
  ])('%s with the pivot %d is %s', (cell, pivot, value) => {
    expect(inCentury(cell, pivot)).toEqual({ value });
  });

  test.each([
    ['day-first', '2024-05-13T00:00:00.000Z', '13/05/24'],
    ['month-first', '2024-05-13T00:00:00.000Z', '05/13/24'],
    ['year-first', '2013-05-24T00:00:00.000Z', '13/05/24'],
  ] as const)('among numbers is where the order %s says', (order, value, cell) => {
    expect(inCentury(cell, 1970, order)).toEqual({ value });
  });

  test('among numbers proves no order: any of the three may be the year', () => {
    expect(inCentury('13/05/24', 1970)).toMatchObject({
      issue: { code: 'date-order-unknown', remedy: expect.stringContaining('year-first') },
    });
  });
});

test('an order that only the whole column can prove is undecided while the first rows are known alone', () => {
  expect(read('13/03/2024', { isWholeColumn: false })).toBe(UNDECIDED);
  expect(read('13/03/2024', { isWholeColumn: false, order: 'day-first' })).toEqual({
    value: '2024-03-13T00:00:00.000Z',
  });
});

describe('policy about dates far off', () => {
  test('takes times between the earliest and the latest', () => {
    const earliestMs = msFromIso('1950-01-01T00:00:00Z');
    expect(read('1950-01-01', { earliestMs })).toEqual({ value: '1950-01-01T00:00:00.000Z' });
    expect(read('2025-01-30', { latestMs: msFromIso('2025-01-31T00:00:00Z') })).toEqual({
      value: '2025-01-30T00:00:00.000Z',
    });
  });

  test('does not take the year 50 for 1950', () => {
    expect(read('0050-01-01', { earliestMs: msFromIso('1900-01-01T00:00:00Z') })).toMatchObject({
      issue: { code: 'timestamp-invalid' },
    });
  });

  test('names the earliest day', () => {
    expect(messageOf('1999-12-31')).toContain('is before 2000-01-01');
  });
});

test('reading a time again gives the same time, whatever the zone and the order', () => {
  const moment = fc.integer({ min: msFromIso('2000-01-01T00:00:00Z'), max: CONTEXT.latestMs });
  fc.assert(
    fc.property(moment, fc.constantFrom('Europe/Berlin', 'America/New_York', null), (ms, zone) => {
      const iso = isoFromMs(ms);
      expect(read(iso, { zone, order: 'month-first', dateOnly: 'end' })).toEqual({ value: iso });
    }),
  );
});
