import { describe, expect, test } from 'vitest';
import type { Cell } from '../../../src/domain/row.js';
import { findHeader } from '../../../src/normalise/mapping/find-header.js';
import { submitCompletion } from '../../../src/operations/submit-completion.js';
import { headerDrift } from '../../../src/reading/known-mapping.js';
import { foundHeader, normaliseFile, rowsOf, sourceWith } from '../builders.js';

const WHO = ['ann@example.com', 'C-1'];

/** A file with a column of dates, one of times, and one beside. */
const fileOf = (date: string, time: string, values: readonly (readonly [Cell, Cell])[]): Cell[][] => [
  ['Email', 'Course ID', date, time, 'Remark'],
  ...values.map(([day, clock]) => [...WHO, day, clock, 'x']),
];

const ONE = [['2024-03-14', '14:30']] as const;

function timeColumnIn(lines: readonly (readonly Cell[])[], settings: Record<string, unknown> = {}) {
  const found = findHeader(rowsOf(lines), submitCompletion, sourceWith(settings));
  if (found.kind === 'refused') return found.issues.map(({ code }) => code);
  return found.header.match.mapped['completed-at-time']?.header ?? null;
}

describe('a column of times of day beside the column of dates', () => {
  test.each([
    ['Completion Date', 'Completion Time'],
    ['Date Completed', 'Time Completed'],
    ['Completed on', 'Completion Time'],
    ['End Date', 'End Time'],
    ['Finish Date', 'Finish Time'],
    ['Abschlussdatum', 'Abschlusszeit'],
    ['Abschlussdatum', 'Uhrzeit'],
    ['Fecha de finalización', 'Hora de finalización'],
    ['Date d’achèvement', 'Heure d’achèvement'],
    ['COMPL_DTE', 'COMPL_TME'],
    ['Completion Date', 'Time'],
    ['Completion Date', 'Completion Time (UTC)'],
  ])('is found: %s and %s', (date, time) => {
    expect(timeColumnIn(fileOf(date, time, ONE))).toBe(time);
  });

  test('is found by the name of a completion where the dates are named by the source', () => {
    const columns = { 'completed-at': 'Day' };
    expect(timeColumnIn(fileOf('Day', 'Completion Time', ONE), { columns })).toBe('Completion Time');
    expect(timeColumnIn(fileOf('Day', 'completed-at-time', ONE), { columns })).toBe('completed-at-time');
  });

  test.each<[string, Cell[][]]>([
    ['the dates have times', fileOf('Completion Date', 'Completion Time', [['2024-03-14 09:00', '14:30']])],
    [
      'the cells of dates have times',
      fileOf('Completion Date', 'Time', [[{ date: '2024-03-14T09:00:00.000' }, 0.6]]),
    ],
    ['it holds durations by name', fileOf('Completion Date', 'Time spent', ONE)],
    ['it is the time of another event', fileOf('Completion Date', 'Start Time', ONE)],
    ['it holds no times', fileOf('Completion Date', 'Time', [['2024-03-14', '90 min']])],
    [
      'it holds whole moments',
      fileOf('Completion Date', 'Completion Time', [['2024-03-14', '2024-03-14T09:30:00Z']]),
    ],
    [
      '"Time" is elsewhere',
      [
        ['Time', 'Email', 'Course ID', 'Completion Date'],
        ['14:30', ...WHO, '2024-03-14'],
      ],
    ],
  ])('is none where %s', (_, lines) => {
    expect(timeColumnIn(lines)).toBeNull();
  });

  test('that may hold a duration needs confirmation', () => {
    const lines = fileOf('Completion Date', 'Completion Time', [
      ['2024-03-14', '00:45:10'],
      ['2024-03-15', '01:20:00'],
    ]);
    expect(timeColumnIn(lines)).toEqual(['header-ambiguous']);
    expect(timeColumnIn(lines, { columns: { 'completed-at-time': 'Completion Time' } })).toBe(
      'Completion Time',
    );
    const morning = fileOf('Completion Date', 'Completion Time', [['2024-03-14', '2:30 AM']]);
    expect(timeColumnIn(morning)).toBe('Completion Time');
  });

  test('stays the column of whole moments where there is no other', () => {
    const lines = [
      ['Email', 'Course ID', 'Completion Time'],
      [...WHO, '2024-03-14T09:30:00Z'],
    ];
    expect(timeColumnIn(lines)).toBeNull();
    expect(normaliseFile(lines)[1]).toMatchObject({ disposition: 'record' });
  });
});

describe('date and time are one time', () => {
  const completedAt = (values: readonly (readonly [Cell, Cell])[], header = 'Completion Time') =>
    normaliseFile(
      fileOf('Completion Date', header, values),
      sourceWith({ timeZone: 'Europe/Berlin', dateOnly: 'noon' }),
    )
      .slice(1)
      .map((row) =>
        row.disposition === 'record'
          ? row.record.fields['completed-at']
          : 'issues' in row
            ? row.issues[0]?.message
            : '',
      );

  test('in the zone of the source, of the header or of the time', () => {
    expect(completedAt([['2024-03-14', '2:30 PM']])).toEqual(['2024-03-14T13:30:00.000Z']);
    expect(completedAt([['14.03.2024', '14:30']], 'Completion Time (UTC)')).toEqual([
      '2024-03-14T14:30:00.000Z',
    ]);
    expect(completedAt([['2024-03-14', '14:30+09:00']])).toEqual(['2024-03-14T05:30:00.000Z']);
  });

  test('in cells of a workbook: two completions of a day are two', () => {
    const day = { date: '2024-03-14T00:00:00.000' };
    expect(
      completedAt([
        [day, 0.375],
        [day, 0.604166666666667],
      ]),
    ).toEqual(['2024-03-14T08:00:00.000Z', '2024-03-14T13:30:00.000Z']);
  });

  test('a blank time leaves it to the policy for dates alone, an unreadable one is an issue', () => {
    expect(
      completedAt([
        ['2024-03-14', '14:30'],
        ['2024-03-14', ''],
        ['2024-03-14', '14:99'],
        ['2024-03-14', '15:30'],
      ]),
    ).toEqual([
      '2024-03-14T13:30:00.000Z',
      '2024-03-14T11:00:00.000Z',
      'Completion Time "14:99" is not a time of day',
      '2024-03-14T14:30:00.000Z',
    ]);
  });

  test('a date that has another time, and a time of another day, are not believed', () => {
    const many = Array.from({ length: 30 }, () => ONE[0]);
    const last = (value: readonly [Cell, Cell]) => completedAt([...many, value]).at(-1);
    expect(last(['2024-03-14 14:30:20', '14:30'])).toBe('2024-03-14T13:30:00.000Z');
    expect(last(['2024-03-14 00:00:00', '14:30'])).toBe('2024-03-14T13:30:00.000Z');
    expect(last(['2024-03-14 09:00', '14:30'])).toContain('contradicts Completion Time "14:30"');
    expect(last(['2024-03-14', { date: '2024-03-15T14:30:00.000' }])).toContain(
      'contradicts Completion Time',
    );
  });
});

test('times that come into a source, or go, are confirmed, also where its columns say so: keys change', () => {
  const lines = [
    ['Email', 'Course ID', 'Completion Date', 'Completion Time'],
    [...WHO, '2024-03-14', '14:30'],
  ];
  const dates = { 'user-id': 'Email', 'content-id': 'Course ID', 'completed-at': 'Completion Date' };
  const times = { ...dates, 'completed-at-time': 'Completion Time' };
  const driftFrom = (mapping: Readonly<Record<string, string>>, column: string | null) => {
    const source = sourceWith({ columns: { 'completed-at-time': column } });
    const header = foundHeader(findHeader(rowsOf(lines), submitCompletion, source));
    return headerDrift(
      { file: 'old.csv', header: lines[0] ?? [], mapping },
      header,
      submitCompletion,
      source,
    );
  };
  const [came, ...more] = driftFrom(dates, 'Completion Time');
  expect(came).toMatchObject({ code: 'header-drift', column: 'Completion Time' });
  expect(came?.remedy).toContain('registrar run --confirm academy');
  expect(more).toEqual([]);
  expect(driftFrom(times, null)).toMatchObject([{ code: 'header-drift' }]);
  expect(driftFrom(times, 'Completion Time')).toEqual([]);
  expect(driftFrom(dates, null)).toEqual([]);
});
