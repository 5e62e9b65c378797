import { describe, expect, test } from 'vitest';
import type { Issue } from '../../../src/domain/issue.js';
import { type Cell, UNSAVED_FORMULA } from '../../../src/domain/row.js';
import { findHeader } from '../../../src/normalise/mapping/find-header.js';
import { submitCompletion } from '../../../src/operations/submit-completion.js';
import { rowsOf, sourceWith } from '../builders.js';

const HEADER = ['Email', 'Course ID', 'Completed on'];

function find(lines: readonly (readonly Cell[])[], settings: Record<string, unknown> = {}) {
  return findHeader(rowsOf(lines), submitCompletion, sourceWith(settings));
}

function issuesOf(lines: readonly (readonly Cell[])[], settings: Record<string, unknown> = {}): Issue[] {
  const found = find(lines, settings);
  if (found.kind === 'found') throw new Error(`line ${found.header.line} was taken for the header`);
  return [...found.issues];
}

describe('the header line', () => {
  test('is the first that names learner and content', () => {
    expect(find([HEADER, ['a@example.com', 'C1', '2024-03-01']])).toMatchObject({
      header: { line: 1, columns: HEADER },
    });
  });

  test('may be below titles, filters and empty rows', () => {
    const preamble = [['Completions'], [], ['Course', 'Email'], ['Period', '2024', null], [null]];
    expect(find([...preamble, HEADER])).toMatchObject({ header: { line: 6 } });
  });

  test('is found as the 30th row that is not blank, and no later', () => {
    const titles = (count: number) => Array.from({ length: count }, () => ['title']);
    expect(find([...titles(29), [], HEADER])).toMatchObject({ header: { line: 31 } });
    expect(issuesOf([...titles(30), HEADER])[0]?.code).toBe('header-missing');
  });

  test('ends with its last cell that holds anything', () => {
    expect(find([[...HEADER, null, ' ']])).toMatchObject({ header: { columns: HEADER } });
  });

  test('needs no column for what the source gives in defaults', () => {
    expect(find([['Email', 'Completed on']], { defaults: { 'content-id': 'C1' } })).toMatchObject({
      header: { line: 1 },
    });
    const both = { 'content-id': 'C1', 'completed-at': '2024-03-01' };
    expect(find([['Email'], ['a@example.com']], { defaults: both })).toMatchObject({ header: { line: 1 } });
  });

  test('is not a lone word above the header, although the rest is given', () => {
    const defaults = { 'content-id': 'C1' };
    expect(find([['Email'], ['Email', 'Completed on']], { defaults })).toMatchObject({ header: { line: 2 } });
  });

  test('takes the rows below it as a sample of its columns', () => {
    const found = find([
      ['Email', 'Course ID', 'Completed', 'End date'],
      ['a@example.com', 'C1', 'yes', '2024-03-01'],
    ]);
    expect(found).toMatchObject({
      header: { match: { mapped: { status: { index: 2 }, 'completed-at': { index: 3 } } } },
    });
  });
});

describe('a header that cannot be used', () => {
  test('gives all its reasons at once', () => {
    const codes = issuesOf([['User ID', 'Course ID', 'Score', 'Score']]).map(({ code, column }) => [
      code,
      column,
    ]);
    expect(codes).toEqual([
      ['header-ambiguous', 'Score'],
      ['header-missing', 'user-identifier-type'],
      ['header-missing', 'completed-at'],
    ]);
  });

  test('with two columns for the learner is a header all the same', () => {
    expect(issuesOf([['Email', 'Email', 'Course ID', 'Completed on']])).toMatchObject([
      { code: 'header-ambiguous' },
    ]);
  });
});

describe('a header of two lines, as merged cells leave it', () => {
  const FIRST = ['Email', 'Course ID', 'Completed', null, 'Score'];

  test('is refused, and both lines are named', () => {
    const [issue] = issuesOf([
      ['Report'],
      FIRST,
      [null, '', 'Due', 'Done'],
      ['a@example.com', 'C1', '1', '2'],
    ]);
    expect(issue).toMatchObject({ code: 'header-ambiguous' });
    expect(issue?.message).toContain('the header in line 2 seems to continue in line 3 with "Due", "Done"');
  });

  test('is refused beside its other problems', () => {
    expect(
      issuesOf([
        ['Email', 'Course ID', 'Dates'],
        [null, null, 'Due', 'Done'],
      ]).map(({ code }) => code),
    ).toEqual(['header-ambiguous', 'header-missing']);
  });

  test.each<[string, readonly Cell[]]>([
    ['it names the learner', ['guest', null, null, 'Done']],
    ['it holds numbers', [null, null, '2024-03-01', 'Done']],
    ['it holds a date', [null, null, { date: '2024-03-01T00:00:00.000' }, 'Done']],
    ['it fills no gap', [null, null, 'Due', null, 'none']],
    ['it is blank', [null, null, null, ' ']],
  ])('is none when of the line below %s', (_, below) => {
    expect(find([FIRST, below])).toMatchObject({ header: { line: 1 } });
  });

  test('is reported also where none of its words is known', () => {
    const lines = [
      ['Region', 'Food', 'Change'],
      [null, null, 'from last year', 'from the first'],
      ['A', 'B', 'C', 'D'],
    ];
    expect(issuesOf(lines).map(({ code }) => code)).toEqual(['header-ambiguous', 'header-missing']);
    expect(
      issuesOf([
        ['Region', 'Food'],
        ['A', 'B', 'C'],
      ]).map(({ code }) => code),
    ).toEqual(['header-missing']);
  });

  test('is none when groups are above complete names', () => {
    expect(find([['Person', null, 'Course'], HEADER])).toMatchObject({ header: { line: 2 } });
  });
});

describe('without a header', () => {
  test('the nearest line, its headers, the missing fields and the remedy are named', () => {
    const [issue] = issuesOf([['Report'], ['Name', 'Course ID', 'Score'], ['Ann', 'C1', 90]]);
    expect(issue?.code).toBe('header-missing');
    expect(issue?.message).toBe(
      'none of the first 30 lines is a header with columns for user-id, completed-at; the nearest is line 2 with "Name", "Course ID", "Score"',
    );
    expect(issue?.remedy).toContain('columns: { user-id: … }');
  });

  test('a mistaken column of the source is named with the nearest header', () => {
    const columns = { 'user-id': 'Mail adress' };
    const messages = issuesOf([['Mail address', 'Course ID', 'Completed on']], { columns }).map(
      (i) => i.message,
    );
    expect(messages[1]).toContain('did you mean "Mail address"?');
  });

  test('a known export that lacks a field is named, since the field has to be given', () => {
    const [issue] = issuesOf([['Login ID', 'Course Name', 'Enrollment Completed Date']]);
    expect(issue?.message).toContain('columns for content-id;');
    expect(issue?.remedy).toMatch(
      /^this looks like learnupon \(.*\); "Course Name" holds the title; if the platform knows contents by it: /,
    );
  });

  test('a file without rows says so', () => {
    expect(issuesOf([])[0]?.message).toContain('the file holds no rows');
  });
});

describe('a header that is a formula without a saved value', () => {
  const unsaved: Cell = { error: UNSAVED_FORMULA };
  const remedy = expect.stringContaining('save it');

  test('is missing, whichever columns are known beside it', () => {
    const line = ['Email', 'Course ID', 'Completed on', unsaved];
    expect(issuesOf([['Report'], line, ['a@example.com', 'C1', '2024-03-01', 'Failed']])).toMatchObject([
      {
        code: 'header-missing',
        message: 'in line 2 the header of column 4 is a formula whose value was not saved',
        remedy,
      },
    ]);
  });

  test('is reported first where no line is a header', () => {
    const issues = issuesOf([['Report'], [unsaved, unsaved], ['a@example.com', 'C1', '2024-03-01']]);
    expect(issues.map(({ message }) => message)).toEqual([
      'in line 2 the header of column 1, 2 is a formula whose value was not saved',
      expect.stringContaining('is a header with columns for'),
    ]);
  });
});
