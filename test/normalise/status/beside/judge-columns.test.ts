import { describe, expect, test } from 'vitest';
import type { Cell, Row } from '../../../../src/domain/row.js';
import type { Profile } from '../../../../src/normalise/profile/profile.js';
import { submitCompletion } from '../../../../src/operations/submit-completion.js';
import { headerOf, normaliseFile, profileDrop, rowsOf, sourceWith } from '../../builders.js';

async function* inBatches(rows: readonly Row[]): AsyncIterable<readonly Row[]> {
  yield rows;
}

/** A file of completions by status and date, with one column more that has these cells. */
function fileWith(name: string, cells: readonly Cell[]): Cell[][] {
  const rows = cells.map((cell, index) => [
    `p${index}@example.com`,
    `C-${index % 3}`,
    '2024-03-14',
    'Completed',
    cell,
  ]);
  return [['Email', 'Course ID', 'Completed on', 'Status', name], ...rows];
}

const sourceOf = (settings: Record<string, unknown> = {}) => sourceWith({ timeZone: 'UTC', ...settings });

async function profileOf(lines: readonly (readonly Cell[])[], source = sourceOf()): Promise<Profile> {
  return profileDrop(inBatches(rowsOf(lines)), headerOf(lines, source), submitCompletion, source);
}

/** The outcome of the rows below the header. */
async function judged(lines: readonly (readonly Cell[])[], settings: Record<string, unknown> = {}) {
  const source = sourceOf(settings);
  const profile = await profileOf(lines, source);
  expect(profile.issues).toEqual([]);
  return normaliseFile(lines, source, profile).slice(1);
}

const dispositions = async (...args: Parameters<typeof judged>) =>
  (await judged(...args)).map(({ disposition }) => disposition);

/** The disposition of one row with this cell, among others that agree. */
async function alone(name: string, cell: Cell, settings: Record<string, unknown> = {}): Promise<string> {
  return (await dispositions(fileWith(name, [null, cell, null]), settings))[1] ?? '';
}

describe('a row is skipped although its status says completed', () => {
  test.each<[string, Cell]>([
    ['Progress', 'In progress'],
    ['Outcome', 'Failed'],
    ['Outcome', 'Failed (2nd attempt)'],
    ['Passed', 'N'],
    ['Passed', 0],
    ['Failed?', 'Yes'],
    ['Attendance', 'Absent'],
    ['Bestanden', 'nein'],
    ['Training Outcome', 'nicht bestanden'],
    ['Withdrawn', 'yes'],
    ['Revoked', 'Y'],
    ['Revoked', 'REVOKED'],
    ['Void', 1],
    ['Void', '1'],
    ['Deleted', true],
    ['Deleted', '✓'],
    ['Is Test', 'Y'],
    ['IsTest', 'ja'],
    ['Storniert', 'Ja'],
    ['Certificate Status', 'Revoked'],
    ['Zertifikatsstatus', 'widerrufen'],
    ['Transcript Status', 'Withdrawn'],
  ])('%s: %j', async (name, cell) => {
    const [, row] = await judged(fileWith(name, [null, cell, null]));
    expect(row).toMatchObject({
      disposition: 'skipped',
      issues: [{ code: 'status-not-completed', column: name }],
    });
  });
});

describe('a row is invalid where its status says completed, and its progress that a part is missing', () => {
  test.each<[string, Cell]>([
    ['Progress', 40],
    ['Progress', 0],
    ['Progress', '40'],
    ['Progress', '40 %'],
    ['Progress', '99,5 %'],
    ['Progress', { percent: 40 }],
    ['Progress', '3/12'],
    ['Completion %', '45%'],
    ['% Complete', '45%'],
    ['Percent Complete', 0.45],
    ['Completion Progress', '0.9'],
    ['Fortschritt', '60 %'],
  ])('%s: %j', async (name, cell) => {
    const [, row] = await judged(fileWith(name, [null, cell, null]));
    expect(row).toMatchObject({ disposition: 'invalid', issues: [{ code: 'status-unknown', column: name }] });
    expect(await alone(name, cell, { status: { ignore: [name] } })).toBe('record');
  });
});

describe('a row is a record where the column agrees, or says nothing', () => {
  test.each<[string, Cell]>([
    ['Progress', 100],
    ['Progress', '100%'],
    ['Progress', '100.00 %'],
    ['Progress', { percent: 100 }],
    ['Progress', { percent: 99.99999999999999 }],
    ['Progress', '12/12'],
    ['Progress', 'Completed'],
    ['Progress', '-'],
    ['Progress', 'n/a'],
    ['Progress', ''],
    ['Outcome', 'Passed'],
    ['Outcome', 'Distinction'],
    ['Outcome', 85],
    ['Outcome', '85 of 100'],
    ['Outcome', { percent: 40 }],
    ['Passed', 'Y'],
    ['Failed?', 'No'],
    ['Attendance', '✓'],
    ['Attendance', 'Present'],
    ['Withdrawn', 'No'],
    ['Revoked', 0],
    ['Revoked', 'Not revoked'],
    ['Void', false],
    ['Deleted', 'n'],
    ['Is Test', ' '],
    ['Certificate Status', 'Active'],
    ['Certificate Status', 'Expired'],
    ['Certificate Status', 'Issued'],
    ['Transcript Status', 'Registered'],
    ['Transcript Status', 'who knows'],
    ['Test', 'Y'],
    ['User deleted', 'Y'],
    ['Course cancelled', 'Y'],
    ['% Marked Completed', 95],
    ['Progress notes', 'Failed at first'],
  ])('%s: %j', async (name, cell) => expect(await alone(name, cell)).toBe('record'));
});

describe('a row is invalid where the meaning is not sure', () => {
  test.each<[string, Cell]>([
    ['Progress', 'soon'],
    ['Progress', 120],
    ['Progress', -1],
    ['Progress', { error: '#N/A' }],
    ['Outcome', 'u.V.'],
    ['Outcome', 'Pending'],
    ['Revoked', 'perhaps'],
    ['Revoked', 'x'],
    ['Deleted', { date: '2024-03-14T00:00:00.000' }],
    ['Void', 2],
    ['Certificate Status', 'Pending review'],
    ['Certificate Status', 'In progress'],
  ])('%s: %j, and each of the remedies works', async (name, cell) => {
    const [, row] = await judged(fileWith(name, [null, cell, null]));
    expect(row).toMatchObject({ disposition: 'invalid', issues: [{ code: 'status-unknown', column: name }] });
    expect(await alone(name, cell, { status: { ignore: [name] } })).toBe('record');
    expect(await alone(name, cell, { status: { ignore: [name.toUpperCase()] } })).toBe('record');
    if (typeof cell !== 'string') return;
    expect(await alone(name, cell, { status: { completed: [cell] } })).toBe('record');
    expect(await alone(name, cell, { status: { notCompleted: [cell] } })).toBe('skipped');
    expect(await alone(name, 'Completed')).toBe('record');
    expect(await alone(name, 'Not completed')).toBe('skipped');
  });

  test('with the issues of all its columns, and of its status', async () => {
    const lines = [
      ['Email', 'Course ID', 'Completed on', 'Status', 'Revoked', 'Certificate Status'],
      ['a@example.com', 'C-1', '2024-03-14', 'Waved through', 'perhaps', 'Pending review'],
    ];
    const [row] = await judged(lines);
    expect(row).toMatchObject({
      disposition: 'invalid',
      issues: [{ column: 'Status' }, { column: 'Revoked' }, { column: 'Certificate Status' }],
    });
  });

  test('and skipped where another column is sure', async () => {
    const lines = [
      ['Email', 'Course ID', 'Completed on', 'Status', 'Revoked', 'Deleted'],
      ['a@example.com', 'C-1', '2024-03-14', 'Waved through', 'perhaps', 'yes'],
    ];
    expect(await dispositions(lines)).toEqual(['skipped']);
  });
});

test('a progress below 100 % skips a row without a status', async () => {
  const lines = fileWith('Progress', ['40%', '100%']).map((cells, line) =>
    line === 1 ? cells.with(3, null) : cells,
  );
  expect(await dispositions(lines)).toEqual(['skipped', 'record']);
});

test('a 1 in a column of progress is all of the course or one percent, and needs confirmation', async () => {
  const cells = [1, 100, 0.45, '1.0', '100%'];
  expect(await dispositions(fileWith('Progress', cells))).toEqual([
    'invalid',
    'record',
    'invalid',
    'invalid',
    'record',
  ]);
});

describe('without a status column', () => {
  const undecided = (name: string, cells: readonly Cell[]) =>
    fileWith(name, cells).map((line) => line.toSpliced(3, 1));

  test.each<[string, Cell]>([
    ['Progress', 40],
    ['Withdrawn', 'yes'],
    ['Void', 1],
    ['Is Test', 'Y'],
    ['Certificate Status', 'Revoked'],
  ])('%s decides beside the date alone', async (name, cell) => {
    expect(await dispositions(undecided(name, [null, cell]))).toEqual(['record', 'skipped']);
    expect(await dispositions(undecided(name, [null, cell]), { columns: { status: null } })).toEqual([
      'record',
      'skipped',
    ]);
  });

  test('words of an outcome need confirmation, and decide beside a default', async () => {
    const lines = undecided('Outcome', ['Passed', 'Failed']);
    expect((await profileOf(lines)).issues).toMatchObject([{ code: 'status-unseen', column: 'Outcome' }]);
    expect(await dispositions(lines, { columns: { status: null } })).toEqual(['record', 'record']);
    expect(await dispositions(lines, { status: { ignore: ['Outcome'] } })).toEqual(['record', 'record']);
    expect(await dispositions(lines, { defaults: { status: 'Completed' } })).toEqual(['record', 'skipped']);
  });
});

test('a column that a field takes decides nothing, nor does one that Registrar has written', async () => {
  expect(await alone('Progress', 40, { columns: { percentile: 'Progress' } })).toBe('record');
  expect(await alone('_deleted', 'Y')).toBe('record');
});

test('a shifted row is not skipped by a column that may have moved', async () => {
  const lines = fileWith('Progress', [100, 100]).map((cells, line) =>
    line === 1 ? [...cells.with(4, 40), 'x'] : cells,
  );
  expect((await dispositions(lines))[0]).toBe('invalid');
});
