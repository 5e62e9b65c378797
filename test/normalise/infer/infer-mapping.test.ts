import { describe, expect, test } from 'vitest';
import type { Cell } from '../../../src/domain/row.js';
import { inferMapping } from '../../../src/normalise/infer/infer-mapping.js';
import { submitCompletion } from '../../../src/operations/submit-completion.js';

const infer = (headers: readonly string[], rows: readonly (readonly Cell[])[] = []) =>
  inferMapping(headers, rows, submitCompletion);

const columnOf = (inferred: ReturnType<typeof infer>, field: string) =>
  inferred.columns.find((column) => column.field === field);

describe('from a sample', () => {
  const headers = ['employee_id', 'course_id', 'training_start_date', 'completion_date', 'cost'];
  const rows = [
    ['E0001', 'SAFETY-1', '01/02/2024', '13/02/2024', 5],
    ['E0002', 'SAFETY-1', '02/02/2024', '03/02/2024', 5],
  ];

  test('each field gets its column and a reason', () => {
    const inferred = infer(headers, rows);
    expect(inferred.columns.map(({ field }) => field)).toEqual(
      submitCompletion.fields.map(({ name }) => name),
    );
    expect(columnOf(inferred, 'user-id')).toEqual({
      field: 'user-id',
      required: true,
      header: 'employee_id',
      index: 0,
      isDoubtful: false,
      reason: 'header "employee_id" is a known name for user-id',
      carriesZone: false,
    });
    expect(columnOf(inferred, 'percentile')).toMatchObject({
      header: null,
      reason: 'no header is a known name for it',
    });
  });

  test('times that lack a zone are reported', () => {
    expect(columnOf(infer(headers, rows), 'completed-at')).toMatchObject({ carriesZone: false });
    const zoned = infer(
      ['Email', 'Course ID', 'Completed At'],
      [['a@example.com', 'C1', '2024-03-01T10:00Z']],
    );
    expect(columnOf(zoned, 'completed-at')).toMatchObject({ carriesZone: true });
  });

  test('no reason gives a value away', () => {
    const { columns } = infer(['Email', 'Course ID', 'Completed on'], [['ann@example.com', 'C1', 'x']]);
    const text = columns.map(({ reason }) => reason).join('\n');
    expect(text).not.toContain('ann@');
    expect(text).not.toContain('C1');
  });
});

describe('the kind of identifier is proposed', () => {
  const typeOf = (header: string, value: string) =>
    infer([header, 'Course ID', 'Completed on'], [[value, 'C1', '2024-03-01']]).defaults.find(
      ({ field }) => field === 'user-identifier-type',
    );

  test('as the header says it', () => {
    expect(typeOf('Employee ID', 'E1')).toMatchObject({ value: 'EmployeeId', confirm: false });
  });

  test('as the values show it', () => {
    expect(typeOf('User ID', 'ann@example.com')).toMatchObject({ value: 'Email', confirm: false });
  });

  test('as a guess that a person must confirm', () => {
    expect(typeOf('User ID', 'ann')).toMatchObject({ value: 'UserId', confirm: true });
  });
});

test('two columns that could be one field are left to a person', () => {
  const inferred = infer(['Email', 'E-mail', 'Course ID']);
  expect(columnOf(inferred, 'user-id')).toMatchObject({
    header: null,
    reason: '"Email" (column 1) and "E-mail" (column 2) could each be user-id',
  });
});

describe('of a known export', () => {
  const headers = ['User Email', 'External ID', 'Course ID', 'Date Completed', '% Marked Completed', 'Score'];
  const inferred = infer(headers, [['ada@example.com', 'E1', 'C1', '2024-03-01', '100', '90']]);

  test('the preset is the reason, and named', () => {
    expect(inferred.preset).toMatchObject({ name: 'udemy-business' });
    expect(columnOf(inferred, 'completed-at')?.reason).toBe(
      'preset udemy-business has completed-at in "Date Completed"',
    );
  });
});

test('a column that is mapped by its values gives this as the reason', () => {
  const inferred = infer(
    ['Email', 'Course ID', 'Completed', 'End date'],
    [['a@example.com', 'C1', 'Yes', '2024-03-01']],
  );
  expect(columnOf(inferred, 'status')?.reason).toBe('"Completed" holds nothing but values of a status');
});

test('a column that no header names is left to a person, whatever it holds', () => {
  const inferred = infer(['Wer', 'Kurs-ID', 'Erledigt'], [['ann@example.com', 'FS-1', '14.03.2024']]);
  expect(columnOf(inferred, 'user-id')).toMatchObject({ header: null, isDoubtful: false });
  expect(columnOf(inferred, 'completed-at')).toMatchObject({ header: null, isDoubtful: false });
});
