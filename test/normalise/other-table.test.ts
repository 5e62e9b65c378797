import { describe, expect, test } from 'vitest';
import type { Cell } from '../../src/domain/row.js';
import { createRowNormaliser } from '../../src/normalise/normalise-row.js';
import { NO_PROFILE } from '../../src/normalise/profile/profile.js';
import { submitCompletion } from '../../src/operations/submit-completion.js';
import { clockAt, headerOf, normaliseFile, sourceWith } from './builders.js';

const HEADER = ['Name', 'Email', 'Course ID', 'Completed on'];
const ANN = ['Ann', 'ann@example.com', 'C1', '2024-03-01'];
const BOB = ['Bob', 'bob@example.com', 'C2', '2024-03-02'];

/** The outcome of each line of a file, with the first issue of invalid ones. */
function fates(lines: readonly (readonly Cell[])[], settings: Record<string, unknown> = {}) {
  return normaliseFile(lines, sourceWith({ timeZone: 'UTC', ...settings })).map((row) =>
    'issues' in row ? `${row.disposition} ${row.issues[0]?.code}` : row.disposition,
  );
}

describe('a table below the one that is read', () => {
  test('gives no records: header and rows are invalid, as in the attendance reports of meetings', () => {
    const settings = {
      defaults: { 'content-id': 'MEETING-1' },
      columns: { 'completed-at': 'Last leave' },
    };
    const lines = [
      ['1. Summary'],
      ['Meeting title', 'Weekly'],
      [],
      ['2. Participants'],
      ['Name', 'First join', 'Last leave', 'Email', 'Role'],
      ['Ann', '2024-03-01 09:00', '2024-03-01 10:00', 'ann@example.com', 'Presenter'],
      [],
      ['3. Activities'],
      ['Name', 'Join time', 'Leave time', 'Email', 'Role'],
      ['Ann', '2024-03-01 09:00', '2024-03-01 09:30', 'ann@example.com', 'Presenter'],
      ['Bob', '2024-03-01 09:00', '2024-03-01 09:30', 'bob@example.com', 'Presenter'],
    ];
    expect(fates(lines, settings).slice(5)).toEqual([
      'record',
      'blank',
      'non-data row-note',
      'invalid row-other-table',
      'invalid row-other-table',
      'invalid row-other-table',
    ]);
  });

  test('needs no blank line before its header', () => {
    expect(fates([HEADER, ANN, ['Name', 'Email', 'Course', 'Deadline'], BOB]).slice(2)).toEqual([
      'invalid row-other-table',
      'invalid row-other-table',
    ]);
  });

  test('is named by its first headers and its line, in one issue of each row', () => {
    const other = [null, 'Course ID', 'Completed on', 'Email', 'Score'];
    const row = [null, 'C2', '2024-03-02', 'bob@example.com', 'none'];
    const rows = normaliseFile([HEADER, ANN, other, row]).slice(2);
    expect(rows.map((each) => ('issues' in each ? each.issues : []))).toEqual(
      ['line 3 is the header', 'line 4 is below the header'].map((start, index) => [
        {
          code: 'row-other-table',
          column: null,
          value: [other, row][index]?.slice(1).join(' '),
          message: `${start} of another table ("Course ID", "Completed on", "Email")${index === 0 ? '' : ' in line 3'}`,
          remedy:
            'export one table per file, delete line 3 and the rows below it from the file, or dismiss them',
        },
      ]),
    );
  });

  test('takes all rows below its header with it: notes, totals, rulers and records', () => {
    const below = [['Note'], ['Total', '', '', '2'], ['-----'], ANN];
    expect(fates([HEADER, ANN, ['Name', 'Email', 'Team', 'Role'], [], ...below]).slice(4)).toEqual(
      below.map(() => 'invalid row-other-table'),
    );
  });

  test('ends with its sheet', () => {
    const source = sourceWith({ timeZone: 'UTC' });
    const clock = clockAt('2024-12-31T00:00:00Z');
    const normalise = createRowNormaliser(submitCompletion, source, headerOf([HEADER]), NO_PROFILE, clock);
    const rows: [number, Cell[]][] = [
      [3, ['Name', 'Email', 'Team', 'Role']],
      [4, BOB],
      [2, BOB],
    ];
    expect(rows.map(([line, cells]) => normalise({ line, cells }).disposition)).toEqual([
      'invalid',
      'invalid',
      'record',
    ]);
  });

  test('begins also where the words of its header are unknown', () => {
    const lines = [HEADER, ANN, [], ['Who', 'Mail address', 'Module', 'Wanted by'], BOB];
    expect(fates(lines).slice(3)).toEqual(['invalid row-other-table', 'invalid row-other-table']);
    const titled = [...lines.slice(0, 3), ['Still to be done'], ...lines.slice(3)];
    expect(fates(titled).slice(3)).toEqual([
      'non-data row-note',
      'invalid row-other-table',
      'invalid row-other-table',
    ]);
  });

  test('begins also where its header has a status word in the column of the status', () => {
    const header = [...HEADER, 'Status'];
    const lines = [header, [...ANN, 'Completed'], ['Name', 'Email', 'Course', 'Due', 'Enrolled'], BOB];
    expect(fates(lines).slice(2)).toEqual(['invalid row-other-table', 'invalid row-other-table']);
  });

  test('ends where the header of the first table comes again', () => {
    const lines = [HEADER, ANN, ['Name', 'Email', 'Team', 'Role'], BOB, HEADER, BOB];
    expect(fates(lines).slice(4)).toEqual(['non-data row-repeats-header', 'record']);
  });

  test('does not begin at the same header in another notation', () => {
    const repeated = ['name', ' E-MAIL', 'course_id', 'Completed On:'];
    expect(fates([HEADER, ANN, repeated, BOB]).slice(2)).toEqual(['non-data row-repeats-header', 'record']);
  });

  test('does not begin at a refused row of data, at any line', () => {
    const refused = [
      ['Ann', 'nobody', 'C1', '2024-03-01'],
      ['Ann', 'ann@example.com', 'SAFETY', 'unknown'],
      ['Ann', '', 'SAFETY', 'unknown'],
      ['Name', 'ann@example.com', 'Course', 'unknown'],
      ['Email', '', 'C1', ''],
      ['Ann', 'nobody', 'C1', 'Name', 'Email'],
    ];
    for (const row of refused) {
      expect(fates([HEADER, ANN, [], row, BOB]).at(-1)).toBe('record');
    }
  });

  test('does not begin at a refused row whose numbers are in the header too', () => {
    const header = [...HEADER, '2024', '2025'];
    const refused = ['', 'nobody', '', '', '2024', '2025'];
    expect(fates([header, [...ANN, '1', '2'], refused, [...BOB, '3', '4']])).toEqual([
      'non-data row-preamble',
      'record',
      'invalid email-invalid',
      'record',
    ]);
  });
});

describe('a note', () => {
  test.each<[string, readonly Cell[], string]>([
    ['below a blank line', ['3. In-Meeting activities'], 'non-data row-note'],
    ['in a column of the record, of several words', [null, 'Made by the academy'], 'non-data row-note'],
    ['of one word in a column of the record', [null, 'jdoe'], 'invalid email-invalid'],
    ['that is a number', [2024], 'invalid value-missing'],
    ['that is an address', [null, 'Ann <ann@example.com>'], 'invalid value-missing'],
    ['beside another value', ['Ann', null, 'C1'], 'invalid value-missing'],
  ])('%s', (_, row, fate) => {
    expect(fates([HEADER, ANN, [], row, BOB]).slice(3)).toEqual([fate, 'record']);
  });

  test('begins below a blank line; a row of data without its values does not', () => {
    expect(fates([HEADER, ANN, ['Carl Smith'], BOB]).slice(2)).toEqual(['invalid value-missing', 'record']);
  });

  test('does not take the line ends within a row for blank lines', () => {
    const source = sourceWith({ timeZone: 'UTC' });
    const clock = clockAt('2024-12-31T00:00:00Z');
    const normalise = createRowNormaliser(submitCompletion, source, headerOf([HEADER]), NO_PROFILE, clock);
    normalise({ line: 1, cells: HEADER });
    normalise({ line: 2, cells: ['Ann\r\nLee', ...ANN.slice(1)] });
    expect(normalise({ line: 4, cells: ['Carl Smith'] })).toMatchObject({ disposition: 'invalid' });
    expect(normalise({ line: 6, cells: ['Carl Smith'] })).toMatchObject({ disposition: 'non-data' });
  });

  test('is what a record could be where a record needs one cell alone', () => {
    const settings = { defaults: { 'content-id': 'C1', 'completed-at': '2024-03-01' } };
    expect(fates([['Email'], ['ann@example.com'], [], ['not an address']], settings).at(-1)).toBe(
      'invalid email-invalid',
    );
  });
});

test('a refused row of several words costs hardly more than one of a single word', () => {
  const costOf = (cells: (n: number) => readonly Cell[]) => {
    const source = sourceWith({ timeZone: 'UTC' });
    const header = headerOf([HEADER, ANN], source);
    const clock = clockAt('2024-12-31T00:00:00Z');
    const cpu = [1, 2, 3].map(() => {
      const normalise = createRowNormaliser(submitCompletion, source, header, NO_PROFILE, clock);
      const before = process.cpuUsage();
      for (let n = 0; n < 4_000; n += 1) normalise({ line: n + 2, cells: cells(n) });
      return process.cpuUsage(before).user;
    });
    return Math.min(...cpu);
  };
  // Matched with all headers that are known, it costs twenty times as much and more.
  expect(costOf((n) => [`a${n}`, `b${n}`])).toBeLessThan(8 * costOf((n) => [`a${n}`]));
});
