import { describe, expect, test } from 'vitest';
import type { Cell } from '../../../src/domain/row.js';
import { type HeaderMatch, matchHeaders } from '../../../src/normalise/mapping/match-headers.js';
import { submitCompletion } from '../../../src/operations/submit-completion.js';

interface Settings {
  readonly columns?: Record<string, string | null>;
  readonly defaults?: Record<string, string>;
  readonly sample?: readonly (readonly Cell[])[];
  readonly preset?: string;
}

function match(headers: readonly string[], { columns = {}, defaults = {}, sample, preset }: Settings = {}) {
  return matchHeaders(
    headers,
    submitCompletion,
    { columns, defaults, ...(preset ? { preset } : {}) },
    sample,
  );
}

/** Field to header, which is what most rules are about. */
function headersOf({ mapped }: HeaderMatch): Record<string, string> {
  return Object.fromEntries(Object.entries(mapped).map(([field, column]) => [field, column.header]));
}

const REST = ['Course ID', 'Completed on'] as const;

describe('known headers', () => {
  test('give learner, content, time, score, status and title', () => {
    const headers = ['User Email', 'Course Code', 'Course Name', 'Date Completed', 'Grade', 'Status', 'Team'];
    const found = match(headers);
    expect(headersOf(found)).toEqual({
      'user-id': 'User Email',
      'content-id': 'Course Code',
      'content-title': 'Course Name',
      'completed-at': 'Date Completed',
      percentile: 'Grade',
      status: 'Status',
    });
    expect(found.unmapped).toEqual(['Team']);
    expect(found.problems).toEqual([]);
    expect(found.mapped['user-id']).toEqual({ index: 0, header: 'User Email', zone: null, why: 'alias' });
  });

  test.each(['completion_date', 'CompletionDate', 'COMPLETION DATE', 'completed-at', 'COMPL_DTE'])(
    'the time of completion may be called %s',
    (header) => {
      expect(headersOf(match(['Email', 'Course ID', header]))['completed-at']).toBe(header);
    },
  );

  test('the specification’s own names are known', () => {
    const headers = ['user-id', 'user-identifier-type', 'content-id', 'content-id-type', 'completed-at'];
    expect(headersOf(match(headers))).toEqual(Object.fromEntries(headers.map((name) => [name, name])));
  });

  test('a better known header wins over a lesser one, which is then no field', () => {
    const found = match(['User ID', 'Email', ...REST]);
    expect(headersOf(found)['user-id']).toBe('Email');
    expect(found.unmapped).toEqual(['User ID']);
    expect(found.problems).toEqual([]);
  });

  test('a grouped header is known by its tail, after every header without a group', () => {
    const headers = [
      'User - Email',
      'Training - Training Object ID',
      'Transcript - Transcript Completed Date',
    ];
    expect(Object.keys(match(headers).mapped)).toEqual(['user-id', 'content-id', 'completed-at']);
    expect(headersOf(match(['Person - Email', 'User ID', ...REST]))['user-id']).toBe('User ID');
  });

  test('another person’s address is not the learner’s', () => {
    const found = match(['Manager - Email', 'User - Email', ...REST]);
    expect(headersOf(found)['user-id']).toBe('User - Email');
    expect(match(['Approver - Email', ...REST]).mapped['user-id']).toBeUndefined();
  });

  test.each([
    ['Time Zone Name', ['Asia/Tokyo']],
    ['TimeZone ID', ['JST']],
    ['Date TZ', ['HQ']],
    ['Completed On Time Zone', ['+02:00']],
    ['Zone', ['UTC', '', 'JST']],
    ['Offset', ['+02:00', '-5']],
    ['UTC +/-', [2, -5]],
  ])('a column of zones is known by its words, or by its values: %s', (header, values) => {
    const sample = values.map((value) => ['a@example.org', 'C1', '2024-03-01 10:00', value]);
    const found = match(['Email', 'Course ID', 'Completed on', header], { sample });
    expect(found.mapped['completed-at-zone']?.header).toBe(header);
  });

  test.each([
    ['Zone', ['North', 'UTC']],
    ['Offset', ['']],
    ['User Time Zone', ['JST']],
    ['Start Date Time Zone', ['JST']],
    ['Timezonal', ['JST']],
  ])('no column of zones: %s', (header, values) => {
    const sample = values.map((value) => ['a@example.org', 'C1', '2024-03-01 10:00', value]);
    const found = match(['Email', 'Course ID', 'Completed on', header], { sample });
    expect(found.mapped['completed-at-zone']).toBeUndefined();
  });

  test('the zone of a header goes with its column', () => {
    expect(match(['Email', 'Course ID', 'Completed At (PST/PDT)']).mapped['completed-at']?.zone).toBe(
      'America/Los_Angeles',
    );
  });

  test.each([
    'Start Date',
    'Started on',
    'Enrolled on',
    'Enrolment date',
    'Assigned',
    'Due date',
    'Deadline',
    'Expires',
    'Last viewed',
    'Last active',
  ])('%s is never a time of completion', (header) => {
    expect(match(['Email', 'Course ID', header]).mapped['completed-at']).toBeUndefined();
  });

  test.each([
    'Progress %',
    '% Marked Completed',
    'Percent Completed',
    'Overall progress',
    'Progress - Percentage',
  ])('%s is never a score', (header) => {
    expect(match(['Email', ...REST, header]).mapped.percentile).toBeUndefined();
  });
});

describe('a field that two columns could be', () => {
  test('equal headers are refused, and both places are named', () => {
    const [problem] = match(['Email', 'E-mail', ...REST]).problems;
    expect(problem?.code).toBe('header-ambiguous');
    expect(problem?.message).toBe('"Email" (column 1) and "E-mail" (column 2) could each be user-id');
    expect(problem?.remedy).toContain('columns: { user-id: … }');
  });

  test('equal headers that are no field do no harm', () => {
    expect(match(['Email', ...REST, 'Notes', 'Notes']).problems).toEqual([]);
  });

  test('the source’s word decides', () => {
    const found = match(['Email', 'E-mail', ...REST], { columns: { 'user-id': 'E-mail' } });
    expect(found.mapped['user-id']).toMatchObject({ index: 1, why: 'configured' });
    expect(found.problems).toEqual([]);
  });
});

describe('columns of the source', () => {
  test('are found whatever their case and spaces', () => {
    const found = match(['  WHO ', ...REST], {
      columns: { 'user-id': 'Who' },
      defaults: { 'user-identifier-type': 'UserId' },
    });
    expect(found.mapped['user-id']).toMatchObject({ index: 0, why: 'configured' });
    expect(found.problems).toEqual([]);
  });

  test('prefer the very same header', () => {
    const headers = ['Email', 'Course ID', 'Completed on (UTC)', 'Completed on'];
    const columns = { 'completed-at': 'Completed on' };
    expect(match(headers, { columns }).mapped['completed-at']?.index).toBe(3);
  });

  test('that the file lacks are an issue, with the nearest header as a hint', () => {
    const found = match(['Email', ...REST, 'Final Score'], { columns: { percentile: 'Final Skore' } });
    expect(found.mapped.percentile).toBeUndefined();
    expect(found.problems).toHaveLength(1);
    expect(found.problems[0]).toMatchObject({ code: 'header-missing', column: 'Final Skore' });
    expect(found.problems[0]?.message).toContain('did you mean "Final Score"?');
  });

  test('may name a column that would never be taken by itself', () => {
    const found = match(['Email', 'Course ID', 'Start Date'], { columns: { 'completed-at': 'Start Date' } });
    expect(headersOf(found)['completed-at']).toBe('Start Date');
  });

  test('as null has no column, whatever a header or a preset says, and the column is no other field', () => {
    const headers = ['Email', ...REST, 'Note', 'Status'];
    const found = match(headers, { columns: { percentile: null, status: null } });
    expect(found.problems).toEqual([]);
    expect(found.unmapped).toEqual(['Note', 'Status']);
    const byPreset = match(['username', 'Course Code', 'Completion Date', 'Score'], {
      preset: 'docebo',
      columns: { percentile: null },
      defaults: { 'user-identifier-type': 'UserId' },
    });
    expect(byPreset.preset?.name).toBe('docebo');
    expect(byPreset.mapped.percentile).toBeUndefined();
  });

  test('as null is missing all the same where a record needs it', () => {
    const found = match(['Email', ...REST], { columns: { 'content-id': null } });
    expect(found.problems).toMatchObject([{ code: 'header-missing', column: 'content-id' }]);
    const byDefault = match(['Email', ...REST], {
      columns: { 'content-id': null },
      defaults: { 'content-id': 'C-1' },
    });
    expect(byDefault.problems).toEqual([]);
  });
});

describe('the kind of identifier', () => {
  test.each([
    ['Email', 'Email'],
    ['Employee ID', 'EmployeeId'],
    ['employee_id', 'EmployeeId'],
    ['User - Email', 'Email'],
  ])('%s implies %s', (header, type) => {
    const found = match([header, ...REST]);
    expect(found.implied).toEqual({ 'user-identifier-type': type });
    expect(found.problems).toEqual([]);
  });

  test('that no header implies must be said, and the remedy says how', () => {
    const found = match(['User ID', ...REST]);
    expect(found.implied).toEqual({});
    expect(found.problems).toHaveLength(1);
    expect(found.problems[0]?.message).toBe(
      'the column "User ID" does not say what kind of identifier it holds',
    );
    expect(found.problems[0]?.remedy).toContain('defaults: { user-identifier-type: UserId }');
    expect(match(['User ID', ...REST], { defaults: { 'user-identifier-type': 'UserId' } }).problems).toEqual(
      [],
    );
  });

  test('that the source declares chooses among the columns: no address is sent as an employee id', () => {
    const defaults = { 'user-identifier-type': 'EmployeeId' };
    expect(headersOf(match(['Email', 'Employee ID', ...REST], { defaults }))['user-id']).toBe('Employee ID');
    expect(match(['Email', ...REST], { defaults }).mapped['user-id']).toBeUndefined();
    const alias = { 'user-identifier-type': 'AliasEmail' };
    expect(headersOf(match(['Email', ...REST], { defaults: alias }))['user-id']).toBe('Email');
  });
});

describe('a "Completed" column', () => {
  const headers = ['Email', 'Course ID', 'Completed', 'Completion Time'];

  test('is the date when it holds dates', () => {
    const sample = [['a@example.com', 'C1', '2024-03-01']];
    expect(headersOf(match(headers.slice(0, 3), { sample }))['completed-at']).toBe('Completed');
  });

  test('is the status when it holds yes and no', () => {
    const sample = [
      ['a@example.com', 'C1', 'Yes', '2024-03-01'],
      ['b@example.com', 'C1', 'No', null],
    ];
    const found = match(headers, { sample });
    expect(headersOf(found)).toMatchObject({ status: 'Completed', 'completed-at': 'Completion Time' });
  });

  test('with yes and no is no date even where another column is the status', () => {
    const sample = [['a@example.com', 'C1', true, 'Completed']];
    const found = match(['Email', 'Course ID', 'Completed', 'Status'], { sample });
    expect(headersOf(found)).toEqual({ 'user-id': 'Email', 'content-id': 'Course ID', status: 'Status' });
    expect(found.problems.map(({ column }) => column)).toEqual(['completed-at']);
  });

  test('a "Result" of passed and failed is the status, one of 1 and 0 is a score', () => {
    const of = (values: readonly Cell[]) =>
      headersOf(
        match(['Email', ...REST, 'Result'], { sample: values.map((value) => [null, null, null, value]) }),
      );
    expect(of(['Passed', 'Failed'])).toMatchObject({ status: 'Result' });
    expect(of(['1', '0'])).toMatchObject({ percentile: 'Result' });
    expect(of(['85', 'Passed'])).toMatchObject({ percentile: 'Result' });
  });
});

describe('a preset', () => {
  const udemy = ['User Email', 'Course ID', 'Date Completed', 'First Date Completed', '% Marked Completed'];

  test('says which column a field is, before known headers and after the source', () => {
    const headers = ['Email', 'Content ID', 'Content Title', 'Completion Date', 'Score', 'High Score'];
    const found = match(headers);
    expect(found.preset?.name).toBe('percipio');
    expect(found.mapped.percentile).toMatchObject({ header: 'High Score', why: 'preset' });
    expect(found.unmapped).toEqual(['Score']);
    expect(match(headers, { columns: { percentile: 'Score' } }).mapped.percentile).toMatchObject({
      header: 'Score',
      why: 'configured',
    });
    expect(match(headers, { preset: 'none' }).mapped.percentile).toMatchObject({
      header: 'Score',
      why: 'alias',
    });
  });

  test('leaves what it says nothing about to known headers', () => {
    expect(match([...udemy, 'Status']).mapped.status).toMatchObject({ header: 'Status', why: 'alias' });
  });

  test('may say that no column is a field', () => {
    const found = match([...udemy, 'Score']);
    expect(found.preset?.name).toBe('udemy-business');
    expect(found.mapped.percentile).toBeUndefined();
    expect(found.unmapped).toContain('Score');
  });

  test('takes the first of its headers that is there', () => {
    expect(headersOf(match(udemy))['completed-at']).toBe('Date Completed');
    expect(headersOf(match(udemy.filter((header) => header !== 'Date Completed')))['completed-at']).toBe(
      'First Date Completed',
    );
  });

  test('never takes an address where the source says that identifiers are others', () => {
    const headers = ['Email', 'External Id', 'Course Slug', 'Completion Time', 'Completed'];
    const found = match(headers, { defaults: { 'user-identifier-type': 'EmployeeId' } });
    expect(found.preset?.name).toBe('coursera');
    expect(headersOf(found)['user-id']).toBe('External Id');
  });

  test('never takes a time from a column of yes and no', () => {
    const headers = ['Email address', 'ID number', 'Course complete', 'Course ID', 'Completion date'];
    const sample = [['ada@example.org', '7', 'Yes', 'C1', '2024-03-01']];
    expect(headersOf(match(headers))['completed-at']).toBe('Course complete');
    expect(headersOf(match(headers, { sample }))['completed-at']).toBe('Completion date');
  });

  test('is no way around two columns of one name', () => {
    const [problem] = match([...udemy, 'Course ID']).problems;
    expect(problem).toMatchObject({ code: 'header-ambiguous' });
    expect(problem?.message).toBe(
      '"Course ID" (column 2) and "Course ID" (column 6) could each be content-id',
    );
  });

  test('leaves out columns that Registrar adds to the files it writes', () => {
    const headers = ['Email', 'Content', 'Completion Date', 'Score', 'Status', 'Course ID', '_status'];
    const found = match(headers);
    expect(found.preset?.name).toBe('knowbe4');
    expect(found.problems).toEqual([]);
    expect(headersOf(found).status).toBe('Status');
  });

  test('that the source names is used for what it finds', () => {
    const found = match(['Email', 'Leave Time', 'Course ID'], { preset: 'zoom-participants' });
    expect(headersOf(found)).toMatchObject({ 'completed-at': 'Leave Time', 'user-id': 'Email' });
  });

  test('is not chosen where two fit equally well, and both are named', () => {
    const found = match([
      'Email',
      'Content',
      'Completion Date',
      'Score',
      'Status',
      'Content ID',
      'Content Title',
      'High Score',
      'Access',
    ]);
    expect(found.preset?.name).toBe('knowbe4');
    const tie = match([
      'username',
      'Course Code',
      'Completion Date',
      'Score',
      'Content ID',
      'Content Title',
      'High Score',
    ]);
    expect(tie.preset).toBeNull();
    expect(tie.mapped['completed-at']).toMatchObject({ why: 'alias' });
  });
});

test('a field that a record needs and no column gives is an issue with its remedy', () => {
  const { problems } = match(['Email', 'Course ID', 'Team']);
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatchObject({ code: 'header-missing', column: 'completed-at' });
  expect(problems[0]?.remedy).toContain('columns: { completed-at: … }');
});
