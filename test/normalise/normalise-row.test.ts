import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Cell, UNSAVED_FORMULA } from '../../src/domain/row.js';
import { createRowNormaliser } from '../../src/normalise/normalise-row.js';
import { NO_PROFILE, type Profile } from '../../src/normalise/profile/profile.js';
import { submitCompletion } from '../../src/operations/submit-completion.js';
import { clockAt, headerOf, normaliseFile, sourceWith } from './builders.js';

const HEADER = ['Email', 'Course ID', 'Completed on', 'Score', 'Status'];
const GOOD = ['ann@example.com', 'C1', '2024-03-01', 85, 'Completed'];
const UTC = { timeZone: 'UTC' };
const NOW = '2024-12-31T00:00:00Z';

/** The outcome of the rows below HEADER. */
function normalise(rows: readonly (readonly Cell[])[], settings: Record<string, unknown> = {}) {
  return normaliseFile([HEADER, ...rows], sourceWith({ ...UTC, ...settings })).slice(1);
}

/** The codes and columns of one row's issues. */
function issuesOf(row: readonly Cell[], settings: Record<string, unknown> = {}) {
  const [result] = normalise([row], settings);
  if (!result || !('issues' in result)) throw new Error(`the row is ${result?.disposition}`);
  return [result.disposition, ...result.issues.map(({ code, column }) => `${code} ${column}`)];
}

describe('a row becomes a record', () => {
  test('with the specification’s names and values, and nothing of the file', () => {
    expect(normalise([GOOD])).toEqual([
      {
        disposition: 'record',
        record: {
          fields: {
            'user-id': 'ann@example.com',
            'user-identifier-type': 'Email',
            'content-id': 'C1',
            'content-id-type': 'ExternalId',
            'content-type': 'course',
            'completed-at': '2024-03-01T00:00:00.000Z',
            percentile: 85,
          },
        },
      },
    ]);
  });

  test('without fields that the row lacks', () => {
    const [result] = normalise([['ann@example.com', 'C1', '2024-03-01', null, 'Completed']]);
    expect(result).toMatchObject({ disposition: 'record' });
    expect(JSON.stringify(result)).not.toContain('percentile');
  });

  test.each([
    ['Course ID', 1, 'Intro Basics" A"'],
    ['Course ID', 1, 'C-1x'],
    ['Email', 0, 'ann@example.com"'],
  ])('unless text follows the closing quote of its %s', (column, index, text) => {
    const header = headerOf([HEADER, GOOD]);
    const row = createRowNormaliser(submitCompletion, sourceWith(UTC), header, NO_PROFILE, clockAt(NOW));
    const cells = GOOD.map((cell, i) => (i === index ? text : cell));
    expect(row({ line: 2, cells, strayQuotes: [index] })).toMatchObject({
      disposition: 'invalid',
      issues: [{ code: 'identifier-damaged', column, value: text }],
    });
  });

  test('although text follows the closing quote of a cell that is no identifier', () => {
    const header = headerOf([HEADER, GOOD]);
    const row = createRowNormaliser(submitCompletion, sourceWith(UTC), header, NO_PROFILE, clockAt(NOW));
    expect(row({ line: 2, cells: GOOD, strayQuotes: [3] })).toMatchObject({ disposition: 'record' });
  });

  test('with a score of zero', () => {
    const [result] = normalise([['ann@example.com', 'C1', '2024-03-01', '0', 'Completed']]);
    expect(result).toMatchObject({ record: { fields: { percentile: 0 } } });
  });

  test.each(['Failed', 'Fail', 'Not attempted', 'nicht bestanden'])(
    'unless its score "%s" alone says that the learner has not completed',
    (word) => {
      const lines = [
        ['Email', 'Course ID', 'Completed on', 'Score'],
        ['ann@example.com', 'C1', '2024-03-01', word],
        ['bob@example.com', 'C1', '2024-03-01', '90'],
      ];
      const of = (settings: Record<string, unknown>) =>
        normaliseFile(lines, sourceWith({ timeZone: 'UTC', ...settings }))[1];
      for (const settings of [{}, { scoreUnreadable: 'left-out' }]) {
        expect(of(settings)).toMatchObject({
          disposition: 'invalid',
          issues: [{ code: 'score-invalid', message: expect.stringContaining('has not completed') }],
        });
      }
      const settings = { scoreUnreadable: 'left-out', columns: { status: null } };
      expect(of(settings)).toMatchObject({ disposition: 'record' });
    },
  );

  test('although it has fewer cells than the header, or empty ones beyond it', () => {
    expect(normalise([[...GOOD, null, ' ']])[0]).toMatchObject({ disposition: 'record' });
    const lines = [['Email', 'Course ID', 'Completed on', 'Score'], GOOD.slice(0, 3)];
    expect(normaliseFile(lines)[1]).toMatchObject({ disposition: 'record' });
  });

  test('from the same values whatever the order of the columns', () => {
    const [one] = normalise([GOOD]);
    const turned = normaliseFile([[...HEADER].reverse(), [...GOOD].reverse()])[1];
    expect(turned).toEqual(one);
  });
});

describe('values that the cells do not give', () => {
  const header = ['Email', 'Course ID', 'Completed on', 'Content Type'];

  test('come from the source’s defaults, and the cell’s own value wins', () => {
    const source = sourceWith({ ...UTC, defaults: { 'content-type': 'video', 'content-id': 'C9' } });
    const lines = [
      header,
      ['a@example.com', 'C1', '2024-03-01', 'Book'],
      ['a@example.com', null, '2024-03-01', ''],
    ];
    expect(normaliseFile(lines, source).slice(1)).toMatchObject([
      { record: { fields: { 'content-type': 'Book', 'content-id': 'C1' } } },
      { record: { fields: { 'content-type': 'Video', 'content-id': 'C9' } } },
    ]);
  });

  test('come from the header, unless the source says otherwise', () => {
    const lines = [
      ['Employee ID', 'Course ID', 'Completed on'],
      ['e1', 'C1', '2024-03-01'],
    ];
    expect(normaliseFile(lines)[1]).toMatchObject({
      record: { fields: { 'user-id': 'e1', 'user-identifier-type': 'EmployeeId' } },
    });
    const source = sourceWith({
      ...UTC,
      columns: { 'user-id': 'Employee ID' },
      defaults: { 'user-identifier-type': 'UserId' },
    });
    expect(normaliseFile(lines, source)[1]).toMatchObject({
      record: { fields: { 'user-identifier-type': 'UserId' } },
    });
  });

  test('that are no value of the field are an issue of each row, not a silent gap', () => {
    expect(issuesOf(GOOD, { defaults: { 'content-type': 'lecture' } })).toEqual([
      'invalid',
      'choice-invalid content-type',
    ]);
  });
});

describe('a learner', () => {
  test('is an address or an identifier by the type in the same row', () => {
    const lines = [
      ['User ID', 'User identifier type', 'Course ID', 'Completed on'],
      ['Ann@Example.com', 'email', 'C1', '2024-03-01'],
      ['Ann@Example.com', 'UserId', 'C1', '2024-03-01'],
      ['Ann', 'AliasEmail', 'C1', '2024-03-01'],
    ];
    expect(normaliseFile(lines).slice(1)).toMatchObject([
      { record: { fields: { 'user-id': 'ann@example.com', 'user-identifier-type': 'Email' } } },
      { record: { fields: { 'user-id': 'Ann@Example.com', 'user-identifier-type': 'UserId' } } },
      { disposition: 'invalid', issues: [{ code: 'email-invalid' }] },
    ]);
  });
});

test('a learner given by the source is read by the type of each row', () => {
  const lines = [
    ['User identifier type', 'Course ID', 'Completed on'],
    ['Email', 'C1', '2024-03-01'],
    ['UserId', 'C1', '2024-03-01'],
  ];
  const source = sourceWith({ ...UTC, defaults: { 'user-id': 'Ann@Example.com' } });
  expect(normaliseFile(lines, source).slice(1)).toMatchObject([
    { record: { fields: { 'user-id': 'ann@example.com' } } },
    { record: { fields: { 'user-id': 'Ann@Example.com' } } },
  ]);
});

describe('an invalid row', () => {
  test('carries all of its issues', () => {
    expect(issuesOf(['ann', '1.2E+10', '2024-02-30', 'A', 'Perhaps', 'more'])).toEqual([
      'invalid',
      'row-ragged null',
      'status-unknown Status',
      'email-invalid Email',
      'identifier-damaged Course ID',
      'timestamp-invalid Completed on',
      'score-invalid Score',
    ]);
  });

  test('names what is missing by its header', () => {
    expect(issuesOf([null, '-', '', null, 'Completed'])).toEqual([
      'invalid',
      'value-missing Email',
      'value-missing Course ID',
      'value-missing Completed on',
    ]);
  });

  test('has an empty status: nothing says that the learner has completed', () => {
    expect(issuesOf(['ann@example.com', 'C1', '2024-03-01', 85, null])).toEqual([
      'invalid',
      'status-unknown Status',
    ]);
    const settings = { defaults: { status: 'Completed' } };
    expect(normalise([['ann@example.com', 'C1', '2024-03-01', 85, null]], settings)).toMatchObject([
      { disposition: 'record' },
    ]);
  });

  test('has values beyond the header, and is not skipped by a status that may have moved', () => {
    expect(issuesOf(['ann@example.com', 'C1', '2024-03-01', 85, 'No', 'Completed'])).toEqual([
      'invalid',
      'row-ragged null',
    ]);
  });
});

describe('a row is skipped', () => {
  test('when its status says not completed, whatever else it lacks', () => {
    expect(issuesOf(['ann@example.com', 'C1', null, 'A', 'In Progress'])).toEqual([
      'skipped',
      'status-not-completed Status',
    ]);
  });

  test('when the learner is exempt or has done something equivalent, unless the source counts that as completed', () => {
    const exempt = ['ann@example.com', 'C1', '2024-03-01', null, 'Exempt'];
    expect(issuesOf(exempt)).toEqual(['skipped', 'status-by-policy Status']);
    const equivalent = ['ann@example.com', 'C1', '2024-03-01', null, 'Equivalency'];
    expect(issuesOf(equivalent)).toEqual(['skipped', 'status-by-policy Status']);
    expect(normalise([exempt, equivalent], { status: { exempt: 'completed' } })).toMatchObject([
      { disposition: 'record' },
      { disposition: 'record' },
    ]);
  });

  test('by the source’s own words', () => {
    const row = ['ann@example.com', 'C1', '2024-03-01', null, 'Läuft'];
    expect(issuesOf(row, { status: { notCompleted: ['läuft'] } })).toEqual([
      'skipped',
      'status-not-completed Status',
    ]);
  });
});

describe('a row without a date of completion', () => {
  const DATED = ['Email', 'Course ID', 'Completed on'];
  const without = (rows: readonly (readonly Cell[])[], settings: Record<string, unknown> = {}) =>
    normaliseFile([DATED, ...rows], sourceWith({ ...UTC, ...settings })).slice(1);
  const SKIPPED = { noDate: 'skipped' };

  test('is invalid, and the remedy names the setting', () => {
    const [row] = without([['ann@example.com', 'C1', null]]);
    expect(row).toMatchObject({ disposition: 'invalid', issues: [{ code: 'value-missing' }] });
    expect(JSON.stringify(row)).toContain('noDate: skipped');
  });

  test.each([[null], [''], [' '], ['-'], ['n/a'], ['NULL']])(
    'is skipped where the source allows it: %j',
    (date) => {
      const [row] = without([['ann@example.com', null, date]], SKIPPED);
      expect(row).toMatchObject({
        disposition: 'skipped',
        issues: [{ code: 'date-empty', column: 'Completed on' }],
      });
    },
  );

  test.each([['soon'], ['0000-00-00'], [{ error: '#N/A' }], ['2024-02-31']])(
    'is not one whose date cannot be read: %j',
    (date) => {
      const [row] = without([['ann@example.com', 'C1', date]], SKIPPED);
      expect(row).toMatchObject({ disposition: 'invalid', issues: [{ code: 'timestamp-invalid' }] });
    },
  );

  test('stays invalid where its status says completed, or its cells may have moved', () => {
    const completed = normalise([['ann@example.com', 'C1', null, null, 'Completed']], SKIPPED)[0];
    expect(completed).toMatchObject({ disposition: 'invalid', issues: [{ code: 'value-missing' }] });
    expect(JSON.stringify(completed)).not.toContain('noDate');
    const moved = without([['ann@example.com', 'C1', null, '2024-03-01']], SKIPPED)[0];
    expect(moved).toMatchObject({ disposition: 'invalid' });
  });

  test('has the one that the source gives', () => {
    const [row] = without([['ann@example.com', 'C1', null]], {
      ...SKIPPED,
      defaults: { 'completed-at': '2024-03-01' },
    });
    expect(row).toMatchObject({ disposition: 'record' });
  });
});

describe('a row is no data', () => {
  test('above the header, at the header, and where the header is repeated', () => {
    const results = normaliseFile([['Completions 2024'], [], HEADER, GOOD, HEADER, GOOD]);
    expect(
      results.map((result) => ('issues' in result ? result.issues[0]?.code : result.disposition)),
    ).toEqual(['row-preamble', 'blank', 'row-preamble', 'record', 'row-repeats-header', 'record']);
  });

  test.each([
    ['Total'],
    ['TOTAL:', null, null, '226'],
    ['Grand Total', '226'],
    ['Sum', null, null, 19_000],
    [null, 'Total'],
    ['Report generated 2024-03-01'],
    ['Generated on 2024-03-01'],
    ['End of report'],
    ['Page 1 of 3'],
  ])('that begins with %j', (...cells) => {
    expect(issuesOf(cells)).toEqual(['non-data', 'row-total null']);
  });

  test.each([
    ['Total', 'C1', '2024-03-01', 85, 'Completed'],
    ['total@example.com', null, null, null, 'Completed'],
    ['Summer school', null, null, null, 'Completed'],
  ])('but %j is data that is at fault', (...cells) => {
    expect(issuesOf(cells)[0]).toBe('invalid');
  });
});

test('a row of white space and invisible characters is blank', () => {
  expect(normalise([[null, ' ', '\u200b\u00a0', '']])).toEqual([{ disposition: 'blank' }]);
});

test('the zone of the header wins over the source’s, the zone in the text over both', () => {
  const lines = [
    ['Email', 'Course ID', 'Completed At (PST/PDT)'],
    ['a@example.com', 'C1', '2024-07-01 10:00'],
    ['a@example.com', 'C1', '2024-07-01 10:00Z'],
  ];
  expect(normaliseFile(lines, sourceWith({ timeZone: 'Europe/Berlin' })).slice(1)).toMatchObject([
    { record: { fields: { 'completed-at': '2024-07-01T17:00:00.000Z' } } },
    { record: { fields: { 'completed-at': '2024-07-01T10:00:00.000Z' } } },
  ]);
});

test('the order that the profile proves is used', () => {
  const lines = [HEADER, ['a@example.com', 'C1', '03/04/2024', 85, 'Completed']];
  const profile = { ...NO_PROFILE, dateOrders: { 'completed-at': 'day-first' as const } };
  expect(normaliseFile(lines, sourceWith(UTC), profile)[1]).toMatchObject({
    record: { fields: { 'completed-at': '2024-04-03T00:00:00.000Z' } },
  });
});

test('a column with ISO and numeric dates refuses only the ambiguous numeric dates', () => {
  const dates = ['2024-03-08', '03/10/2024', '2024-03-11 01:25:58', '03/10/2024 01:25:58', '13/03/2024'];
  const lines = [HEADER, ...dates.map((date) => ['a@example.com', 'C1', date, 85, 'Completed'])];
  expect(normaliseFile(lines).slice(1)).toMatchObject([
    { disposition: 'record' },
    { disposition: 'invalid', issues: [{ code: 'date-order-unknown' }] },
    { disposition: 'record' },
    { disposition: 'invalid', issues: [{ code: 'date-order-unknown' }] },
    { disposition: 'record' },
  ]);
});

describe('a column of zones', () => {
  const lines = (zone: string, header = 'COMPL_DTE_TIMEZONE') => [
    [...HEADER, header],
    ['a@example.com', 'C1', '2024-07-01 12:00', 85, 'Completed', zone],
  ];
  const berlin = { timeZone: 'Europe/Berlin' };
  const timeOf = (zone: string, settings: Record<string, unknown> = {}, header?: string) => {
    const row = normaliseFile(lines(zone, header), sourceWith({ ...berlin, ...settings }))[1];
    return row?.disposition === 'record' ? row.record.fields['completed-at'] : row;
  };

  test('gives the zone of the row’s time', () => {
    expect(timeOf('America/New_York')).toBe('2024-07-01T16:00:00.000Z');
    expect(timeOf('W. Europe Standard Time')).toBe('2024-07-01T10:00:00.000Z');
    expect(timeOf('EST', { zoneNames: { EST: 'America/New_York' } })).toBe('2024-07-01T16:00:00.000Z');
  });

  test('leaves the time to the source where it is empty, and to a default before that', () => {
    expect(timeOf('')).toBe('2024-07-01T10:00:00.000Z');
    expect(timeOf('', { defaults: { 'completed-at-zone': 'Asia/Tokyo' } })).toBe('2024-07-01T03:00:00.000Z');
  });

  test('is named by the source where its header is not known', () => {
    expect(timeOf('Asia/Tokyo', {}, 'Where')).toBe('2024-07-01T10:00:00.000Z');
    expect(timeOf('Asia/Tokyo', { columns: { 'completed-at-zone': 'Where' } }, 'Where')).toBe(
      '2024-07-01T03:00:00.000Z',
    );
  });

  test.each(['Time Zone', 'TZ', 'Timezone', 'UTC Offset', 'Zeitzone', 'Fuseau horaire', 'タイムゾーン'])(
    'named %s, of whatever times, is used where the source declares no zone, and needs confirmation where it differs',
    (header) => {
      const undeclared = { timeZone: undefined };
      expect(timeOf('+09:00', undeclared, header)).toBe('2024-07-01T03:00:00.000Z');
      expect(timeOf('+02:00', {}, header)).toBe('2024-07-01T10:00:00.000Z');
      expect(timeOf('+09:00', {}, header)).toMatchObject({
        disposition: 'invalid',
        issues: [
          {
            code: 'timestamp-unzoned',
            column: 'Completed on',
            value: '2024-07-01 12:00',
            message: `Completed on "2024-07-01 12:00" carries no time zone; it is in +09:00 by ${header} "+09:00", and in Europe/Berlin by timeZone of the source`,
            remedy: `say whether ${header} is the zone of the times: columns: { completed-at-zone: "${header}" }, or columns: { completed-at-zone: null } if it is not, for the source in registrar.yaml`,
          },
        ],
      });
      const field = 'completed-at-zone';
      expect(timeOf('+09:00', { columns: { [field]: header } }, header)).toBe('2024-07-01T03:00:00.000Z');
      expect(timeOf('+09:00', { columns: { [field]: null } }, header)).toBe('2024-07-01T10:00:00.000Z');
      expect(timeOf('', undeclared, header)).toMatchObject({ issues: [{ code: 'timestamp-unzoned' }] });
      expect(timeOf('CST', undeclared, header)).toMatchObject({
        issues: [
          { code: 'timestamp-invalid', value: 'CST', remedy: expect.stringContaining('zoneNames: {') },
        ],
      });
    },
  );

  test('says nothing about a time with an offset of its own', () => {
    const rows = [
      [...HEADER, 'Time Zone'],
      ['a@example.com', 'C1', '2024-07-01T12:00Z', 85, 'Completed', 'CST'],
      ['b@example.com', 'C1', '2024-07-01T12:00+02:00', 85, 'Completed', 'Asia/Tokyo'],
    ];
    expect(normaliseFile(rows, sourceWith(berlin)).slice(1)).toMatchObject([
      { record: { fields: { 'completed-at': '2024-07-01T12:00:00.000Z' } } },
      { record: { fields: { 'completed-at': '2024-07-01T10:00:00.000Z' } } },
    ]);
  });

  test('of learners is no zone of times', () => {
    expect(timeOf('Asia/Tokyo', {}, 'User - Time Zone')).toBe('2024-07-01T10:00:00.000Z');
    expect(timeOf('Asia/Tokyo', { timeZone: undefined }, 'Completion - Time Zone')).toBe(
      '2024-07-01T03:00:00.000Z',
    );
  });

  test('needs confirmation where the header of the times names another zone', () => {
    const rows = [
      ['Email', 'Course ID', 'Completed At (UTC)', 'Time Zone'],
      ['a@example.com', 'C1', '2024-07-01 12:00', 'America/New_York'],
    ];
    expect(normaliseFile(rows, sourceWith(berlin))[1]).toMatchObject({
      issues: [{ message: expect.stringContaining('and in UTC by the header') }],
    });
  });

  test('is no part of the record', () => {
    const [, row] = normaliseFile(lines('Asia/Tokyo'), sourceWith(berlin));
    expect(row?.disposition === 'record' && 'completed-at-zone' in row.record.fields).toBe(false);
  });

  test('with an unknown zone makes the row invalid', () => {
    expect(timeOf('EST')).toMatchObject({
      disposition: 'invalid',
      issues: [{ code: 'timestamp-invalid', column: 'COMPL_DTE_TIMEZONE', value: 'EST' }],
    });
  });
});

describe('a note on the zone of all times', () => {
  const header = ['Email', 'Course ID', 'Completed on'];
  const row = ['a@example.com', 'C1', '2024-07-01 12:00'];
  const read = (note: string, settings: Record<string, unknown> = {}) =>
    normaliseFile([[note], header, row], sourceWith(settings)).at(-1);

  test('is proposed where the source declares none', () => {
    expect(read('Times are shown in US/Pacific')).toMatchObject({
      issues: [
        {
          code: 'timestamp-unzoned',
          remedy:
            'line 1 ("Times are shown in US/Pacific") names a zone: if it is that of the times, set timeZone: US/Pacific for the source in registrar.yaml',
        },
      ],
    });
  });

  test('needs confirmation where the source declares another', () => {
    expect(read('All times are UTC', { timeZone: 'Europe/Berlin' })).toMatchObject({
      disposition: 'invalid',
      issues: [
        {
          code: 'timestamp-unzoned',
          message:
            'Completed on "2024-07-01 12:00" carries no time zone; it is in Europe/Berlin by timeZone of the source, and in UTC by line 1 ("All times are UTC")',
          remedy:
            'say which is right: defaults: { completed-at-zone: Europe/Berlin } or defaults: { completed-at-zone: UTC } for the source in registrar.yaml',
        },
      ],
    });
    const settled = { timeZone: 'Europe/Berlin', defaults: { 'completed-at-zone': 'Europe/Berlin' } };
    expect(read('All times are UTC', settled)).toMatchObject({
      record: { fields: { 'completed-at': '2024-07-01T10:00:00.000Z' } },
    });
  });

  test('of the same moment in other words is no question', () => {
    const berlin = { timeZone: 'Europe/Berlin' };
    expect(read('Alle Zeiten in GMT+2', berlin)?.disposition).toBe('record');
    expect(read('All times are in local time', berlin)?.disposition).toBe('record');
  });

  test('that names no single zone needs confirmation, until zoneNames or a default says which', () => {
    const newYork = { timeZone: 'America/New_York' };
    expect(read('All times are EST', newYork)).toMatchObject({
      issues: [{ code: 'timestamp-unzoned', message: expect.stringContaining('"EST", by line 1') }],
    });
    const named = { ...newYork, zoneNames: { EST: 'America/New_York' } };
    expect(read('All times are EST', named)?.disposition).toBe('record');
  });
});

test('a default is written in registrar.yaml and not as the patterns of the files say', () => {
  const source = sourceWith({
    ...UTC,
    datePatterns: ['dd/MM/yyyy'],
    defaults: { 'completed-at': '2024-03-01T10:00Z' },
  });
  const lines = [HEADER, ['a@example.com', 'C1', null, 85, 'Completed']];
  expect(normaliseFile(lines, source)[1]).toMatchObject({
    record: { fields: { 'completed-at': '2024-03-01T10:00:00.000Z' } },
  });
});

describe('with a profile of the first rows alone', () => {
  const sampled = { ...NO_PROFILE, isWhole: false };
  const rowOf = (date: string, score: Cell, settings = {}, profile: Profile = sampled) =>
    normaliseFile(
      [HEADER, ['a@example.com', 'C1', date, score, 'Completed']],
      sourceWith({ ...UTC, ...settings }),
      profile,
    )[1]?.disposition;

  test.each<[string, Cell]>([
    ['03/04/2024', 85],
    ['13/04/2024', 85],
    ['03/03/2024', 85],
    ['2024-03-04', 1],
    ['2024-03-04', 0.85],
    ['2024-03-04', '0,85'],
  ])('%s with %j is undecided', (date, score) => {
    expect(rowOf(date, score)).toBe('undecided');
  });

  test.each<[string, Cell]>([
    ['2024-03-04', 85],
    ['4 March 2024', 0],
    ['2024-03-04', '85%'],
    ['2024-03-04', '9/10'],
    ['2024-03-04', null],
  ])('%s with %j needs no more', (date, score) => {
    expect(rowOf(date, score)).toBe('record');
  });

  test('what is declared or proven is decided', () => {
    expect(rowOf('03/04/2024', 0.5, { dateOrder: 'day-first', scale: '0-1' })).toBe('record');
    expect(rowOf('03/04/2024', 85, { datePatterns: ['dd/MM/yyyy'] })).toBe('record');
    const scales = { percentile: { scale: '0-100', line: 2, text: '85' } as const };
    expect(rowOf('2024-03-04', 1, {}, { ...sampled, scales })).toBe('record');
  });

  test('a default is decided by itself', () => {
    const source = sourceWith({ ...UTC, defaults: { percentile: '0.5', 'completed-at': '13/03/2024' } });
    const lines = [
      ['Email', 'Course ID'],
      ['a@example.com', 'C1'],
    ];
    const [, row] = normaliseFile(lines, source, sampled);
    expect(row).toMatchObject({ disposition: 'invalid', issues: [{ code: 'score-scale-unknown' }] });
  });
});

test('a score that is left out makes a record with an issue beside it, and no default replaces it', () => {
  const source = sourceWith({ ...UTC, scoreUnreadable: 'left-out', defaults: { percentile: '80' } });
  const header = ['Email', 'Course ID', 'Completed on', 'Grade'];
  const [, letter, none, broken] = normaliseFile(
    [
      header,
      ['a@example.com', 'C1', '2024-03-01', 'A'],
      ['a@example.com', 'C2', '2024-03-01', ''],
      ['', 'C3', '2024-03-01', 'A'],
    ],
    source,
  );
  expect(letter).toMatchObject({ disposition: 'record', omitted: [{ code: 'score-left-out' }] });
  expect(JSON.stringify(letter)).not.toContain('percentile');
  expect(none).toMatchObject({ disposition: 'record', record: { fields: { percentile: 80 } } });
  expect(none).not.toHaveProperty('omitted');
  expect(broken).toMatchObject({ disposition: 'invalid', issues: [{ code: 'value-missing' }] });
});

describe('for any cells', () => {
  const cell: fc.Arbitrary<Cell> = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(...GOOD, 'Total', '03/04/2024', '9/10', "='x'", '<a@b.c>', 'Exempt'),
    fc.double(),
    fc.boolean(),
    fc.constant(null),
    fc.record({ percent: fc.double() }),
    fc.record({ date: fc.string() }),
    fc.record({ error: fc.string() }),
  );
  const row = fc.array(cell, { maxLength: 7 });
  const normaliser = createRowNormaliser(
    submitCompletion,
    sourceWith({ ...UTC, scale: '0-100' }),
    headerOf([HEADER]),
    NO_PROFILE,
    clockAt('2024-12-31T00:00:00Z'),
  );

  test('a row has exactly one end, and nothing is thrown', () => {
    fc.assert(
      fc.property(row, (cells) => {
        const result = normaliser({ line: 2, cells });
        if ('issues' in result) expect(result.issues.length).toBeGreaterThan(0);
      }),
      { numRuns: 2_000 },
    );
  });

  test('a record’s own values make the same record again', () => {
    fc.assert(
      fc.property(fc.tuple(cell, cell, cell, cell), ([learner, content, time, score]) => {
        const first = normaliser({ line: 2, cells: [learner, content, time, score, 'Completed'] });
        if (first.disposition !== 'record') return;
        const { fields } = first.record;
        const again = ['user-id', 'content-id', 'completed-at', 'percentile'].map(
          (name) => fields[name] ?? null,
        );
        expect(normaliser({ line: 3, cells: [...again, 'Completed'] })).toEqual(first);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('a formula without a saved value', () => {
  const unsaved: Cell = { error: UNSAVED_FORMULA };

  test('makes its row invalid in every column that is read, and says what to do', () => {
    for (const index of HEADER.keys()) {
      const [result] = normalise([GOOD.with(index, unsaved as never)]);
      expect(result).toMatchObject({
        disposition: 'invalid',
        issues: [
          {
            code: 'formula-unsaved',
            column: HEADER[index],
            message: `${HEADER[index]} is a formula whose value was not saved`,
            remedy: expect.stringContaining('open the file in Excel or LibreOffice and save it'),
          },
        ],
      });
    }
  });

  test('makes a row that holds nothing else invalid, and not blank or no data', () => {
    const rows = [HEADER.map(() => unsaved), [unsaved], [null, null, unsaved]];
    const spaced = [HEADER, ...rows.flatMap((row) => [[], row]), GOOD];
    const dispositions = normaliseFile(spaced, sourceWith(UTC)).map(({ disposition }) => disposition);
    expect(dispositions.filter((each) => each !== 'blank')).toEqual([
      'non-data',
      'invalid',
      'invalid',
      'invalid',
      'record',
    ]);
  });

  test('harms nothing in a column that is not read', () => {
    const lines = [
      [...HEADER, 'Remark'],
      [...GOOD, unsaved],
    ];
    expect(normaliseFile(lines, sourceWith(UTC))[1]).toMatchObject({ disposition: 'record' });
  });
});
