import { describe, expect, test } from 'vitest';
import type { Cell, Row } from '../../../src/domain/row.js';
import { profileDrop } from '../../../src/normalise/profile-drop.js';
import { submitCompletion } from '../../../src/operations/submit-completion.js';
import { firstUndecided, headerOf, rowsOf, sourceWith } from '../builders.js';

const TITLES = ['Fire', 'First aid', 'Data'];

interface File {
  readonly rows?: number;
  readonly title?: string;
  readonly learner?: (row: number) => Cell;
  readonly id?: (row: number) => Cell;
  readonly titleOf?: (row: number) => Cell;
}

function fileOf({
  rows = 30,
  title = 'Course Name',
  learner = (row) => `p${row}@example.com`,
  id = (row) => `TRN${row}`,
  titleOf = (row) => TITLES[row % 3] ?? '',
}: File): Row[] {
  return rowsOf([
    ['Email', 'Training ID', 'Completed on', title],
    ...Array.from({ length: rows }, (_, row) => [learner(row), id(row), '2024-03-01', titleOf(row)]),
  ]);
}

async function* inBatches(rows: readonly Row[]): AsyncIterable<readonly Row[]> {
  yield rows;
}

async function questionOf(file: File) {
  const rows = fileOf(file);
  const header = headerOf(rows.map(({ cells }) => cells));
  const { questions, issues } = await profileDrop(inBatches(rows), header, submitCompletion, sourceWith());
  expect(issues).toEqual([]);
  expect(questions.length).toBeLessThan(2);
  return questions[0] ?? null;
}

describe('a content id is questioned', () => {
  test.each<[string, File]>([
    ['that every row has its own of, while a known title repeats', {}],
    ['of a learner with several rows', { learner: (row) => `p${row % 4}@example.com` }],
    ['although all rows have one title', { titleOf: () => 'Fire' }],
    ['beside a column that sounds like a title', { title: 'Name of the training' }],
    ['beside a title in German', { title: 'Kurstitel' }],
    [
      'that goes with the learner, who has done several things',
      {
        learner: (row) => `p${row % 6}@example.com`,
        id: (row) => `guid-${row % 6}`,
        titleOf: (row) => TITLES[Math.floor(row / 6) % 3] ?? '',
        rows: 40,
      },
    ],
  ])('%s', async (_, file) => {
    expect(await questionOf(file)).toMatchObject({ code: 'identifier-unique', column: 'Training ID' });
  });

  test('with the column that repeats, and how many values each has', async () => {
    expect(await questionOf({})).toEqual({
      code: 'identifier-unique',
      column: 'Training ID',
      value: null,
      message:
        'each row has another content-id: "Training ID" has 30 values in 30 rows, "Course Name" has 3 values; it may be the number of the record or of a person, not of the content',
      remedy:
        'name the column of the content: columns: { content-id: "Course Name" } for the source in registrar.yaml',
    });
  });
});

describe('a content id is not questioned', () => {
  test.each<[string, File]>([
    ['that repeats', { id: (row) => `C-${row % 29}` }],
    ['of few rows', { rows: 19 }],
    ['whose titles don’t repeat either', { titleOf: (row) => `Course ${row}` }],
    ['beside a column that is no title', { title: 'Department' }],
    ['beside a kind of course', { title: 'Course category' }],
    [
      'that goes with the learner, as the title does',
      {
        learner: (row) => `p${row % 6}@example.com`,
        id: (row) => `C-${row % 6}`,
        titleOf: (row) => `Course ${row % 6}`,
      },
    ],
  ])('%s', async (_, file) => {
    expect(await questionOf(file)).toBeNull();
  });
});

test('rows behind the sample that show it ask for the whole drop, and 2,000 rows are enough', async () => {
  const source = sourceWith({ timeZone: 'UTC', dateOrder: 'day-first' });
  const undecided = (file: File, sampled: number) => firstUndecided(fileOf(file), sampled + 1, source);
  expect(undecided({}, 30)).toBe('whole');
  expect(undecided({}, 10)).toBe(21);
  expect(undecided({ id: (row) => `C-${row % 5}` }, 10)).toBeNull();
  const found = await questionOf({ rows: 3_000, id: (row) => (row < 2_000 ? `T${row}` : 'T1') });
  expect(found?.message).toContain('2000 values in the first 2000 rows');
});
