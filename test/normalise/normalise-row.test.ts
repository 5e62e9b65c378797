import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Cell } from '../../src/domain/row.js';
import { createRowNormaliser } from '../../src/normalise/normalise-row.js';
import { submitCompletion } from '../../src/operations/submit-completion.js';
import { clockAt, headerOf, normaliseFile, sourceWith } from './builders.js';

const HEADER = ['Email', 'Course ID', 'Completed on', 'Score', 'Status'];
const GOOD = ['ann@example.com', 'C1', '2024-03-01', 85, 'Completed'];
const UTC = { timeZone: 'UTC' };

/** What becomes of the rows below HEADER. */
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

  test('without the fields that it does not give', () => {
    const [result] = normalise([['ann@example.com', 'C1', '2024-03-01', null, 'Completed']]);
    expect(result).toMatchObject({ disposition: 'record' });
    expect(JSON.stringify(result)).not.toContain('percentile');
  });

  test('with a score of zero', () => {
    const [result] = normalise([['ann@example.com', 'C1', '2024-03-01', '0', 'Completed']]);
    expect(result).toMatchObject({ record: { fields: { percentile: 0 } } });
  });

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

  test('when the learner is exempt, unless the source counts that as completed', () => {
    const exempt = ['ann@example.com', 'C1', '2024-03-01', null, 'Exempt'];
    expect(issuesOf(exempt)).toEqual(['skipped', 'status-by-policy Status']);
    expect(normalise([exempt], { status: { exempt: 'completed' } })).toMatchObject([
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
  const lines = [HEADER, ['a@example.com', 'C1', '03/04/2024', 1, 'Completed']];
  const profile = { dateOrders: { 'completed-at': 'day-first' as const }, issues: [] };
  expect(normaliseFile(lines, sourceWith(UTC), profile)[1]).toMatchObject({
    record: { fields: { 'completed-at': '2024-04-03T00:00:00.000Z' } },
  });
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
    sourceWith(UTC),
    headerOf([HEADER]),
    { dateOrders: {}, issues: [] },
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
