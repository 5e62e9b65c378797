import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Cell, UNSAVED_FORMULA } from '../../../src/domain/row.js';
import { UNDECIDED } from '../../../src/normalise/values/reading.js';
import { readScore, type ScoreContext } from '../../../src/normalise/values/score.js';
import type { ScoreScale } from '../../../src/operations/score-scales.js';

const UNDECLARED: ScoreContext = {
  column: 'Score',
  field: 'percentile',
  scale: null,
  proven: null,
  isWholeColumn: true,
  unreadable: 'invalid',
  decimalMark: null,
  verdicts: null,
};

const read = (cell: Cell, scale: ScoreScale = '0-100') => readScore(cell, { ...UNDECLARED, scale });

describe('a score is read', () => {
  test.each<[Cell, ScoreScale, number]>([
    [85, '0-100', 85],
    [0, '0-100', 0],
    ['0', '0-100', 0],
    [100, '0-100', 100],
    [0.5, '0-100', 0.5],
    ['85', '0-100', 85],
    [' 85.5 ', '0-100', 85.5],
    ['85,5', '0-100', 85.5],
    ['85%', '0-100', 85],
    ['85.5 %', '0-1', 85.5],
    ['85％', '0-100', 85],
    [{ percent: 85.5 }, '0-1', 85.5],
    ['9/10', '0-100', 90],
    ['9 / 10', '0-1', 90],
    ['85/100', '0-100', 85],
    ['1/3', '0-100', 33.333333],
    [0.85, '0-1', 85],
    [0.29, '0-1', 29],
    ['0,29', '0-1', 29],
    ['.5', '0-1', 50],
    [1, '0-1', 100],
    [8, '0-10', 80],
    ['7,5', '0-10', 75],
    [3, '0-4', 75],
    [0, '0-4', 0],
    ['4.5', '0-5', 90],
    [1, '1-5', 0],
    [4, '1-5', 75],
    ['8%', '0-10', 8],
    ['-0', '0-100', 0],
  ])('%j on the scale %s is %d', (cell, scale, value) => {
    expect(read(cell, scale)).toEqual({ value });
  });
});

describe('a cell that holds no score is refused', () => {
  test.each<[Cell, ScoreScale]>([
    [101, '0-100'],
    [-1, '0-100'],
    ['-1', '0-100'],
    ['100.1', '0-100'],
    ['101%', '0-100'],
    ['11/10', '0-100'],
    ['1/0', '0-100'],
    ['0/0', '0-100'],
    [85, '0-1'],
    ['1.01', '0-1'],
    [10.5, '0-10'],
    [5, '0-4'],
    [0.5, '1-5'],
    ['A', '0-100'],
    ['B+', '0-100'],
    ['NaN', '0-100'],
    ['Infinity', '0-100'],
    [Number.NaN, '0-100'],
    [Number.POSITIVE_INFINITY, '0-100'],
    ['1e2', '0-100'],
    ['0x10', '0-100'],
    ['85 points', '0-100'],
    ['1.2.3', '0-100'],
    [true, '0-100'],
    [{ date: '2024-10-09T00:00:00.000' }, '0-100'],
    [{ error: '#DIV/0!' }, '0-100'],
  ])('%j on the scale %s', (cell, scale) => {
    expect(read(cell, scale)).toMatchObject({ issue: { code: 'score-invalid', column: 'Score' } });
  });
});

test('a number above 1 on the scale 0-1 is refused for its scale', () => {
  const reading = read(85, '0-1');
  expect('issue' in reading && reading.issue.message).toContain('not between 0 and 1,');
});

describe('without a declared scale', () => {
  const of100 = { line: 4, text: '85' };
  const undeclared = (cell: Cell, settings: Partial<ScoreContext> = {}) =>
    readScore(cell, { ...UNDECLARED, ...settings });

  test.each<[Cell, number]>([
    [85, 85],
    ['85,5', 85.5],
    [10.5, 10.5],
    [0, 0],
    ['0', 0],
    ['0.5%', 0.5],
    [{ percent: 0.5 }, 0.5],
    ['1/2', 50],
  ])('%j shows its own scale', (cell, value) => {
    expect(undeclared(cell)).toEqual({ value });
    expect(undeclared(cell, { isWholeColumn: false })).toEqual({ value });
  });

  test('a number up to 10 is refused where none is above, and read where a line proves 100', () => {
    for (const cell of [8, '0.5', '0,85', 10, 1]) {
      expect(undeclared(cell)).toMatchObject({
        issue: {
          code: 'score-scale-unknown',
          message: `Score "${cell}" may be out of 1, 10 or 100: no score of the column is above 10`,
          remedy: expect.stringContaining('0-10'),
        },
      });
      expect(undeclared(cell, { isWholeColumn: false })).toBe(UNDECIDED);
    }
    expect(undeclared(0)).toEqual({ value: 0 });
    expect(undeclared('8/10')).toEqual({ value: 80 });
    expect(undeclared(8, { proven: of100 })).toEqual({ value: 8 });
    expect(undeclared(8, { isWholeColumn: false })).toBe(UNDECIDED);
  });

  test('a whole 1 is 1 in a column of 100, and a fraction is refused with the line that proves it', () => {
    expect(undeclared(1, { proven: of100 })).toEqual({ value: 1 });
    expect(undeclared(0.85, { proven: of100, isWholeColumn: false })).toMatchObject({
      issue: { code: 'score-scale-unknown', message: expect.stringContaining('line 4 ("85")') },
    });
  });

  test.each<Cell>([-1, 101, Number.NaN])('%j is out of range', (cell) => {
    expect(undeclared(cell)).toMatchObject({ issue: { code: 'score-invalid' } });
  });
});

describe('the decimal mark', () => {
  const marked = (cell: string, decimalMark: '.' | ',' | null) =>
    readScore(cell, { ...UNDECLARED, scale: '0-100', decimalMark });

  test.each([
    ['85,5', null, 85.5],
    ['85.5', null, 85.5],
    ['0,611553068', null, 0.611553],
    ['0,611', null, 0.611],
    ['85,125', ',', 85.125],
    ['85.125', '.', 85.125],
    ['85,5%', ',', 85.5],
    ['8,5/10', ',', 85],
  ] as const)('%s with the mark %j is %d', (cell, mark, value) => {
    expect(marked(cell, mark)).toEqual({ value });
  });

  test.each([
    ['85,125', null],
    ['1,234', null],
    ['85.5', ','],
    ['85,5', '.'],
    ['85,5%', '.'],
  ] as const)('%s with the mark %j is refused', (cell, mark) => {
    expect(marked(cell, mark)).toMatchObject({ issue: { code: 'score-invalid' } });
  });

  test('that may separate thousands is named as the reason', () => {
    expect(marked('85,125', null)).toMatchObject({
      issue: { remedy: expect.stringContaining('decimalMark') },
    });
  });
});

test.each([null, '', ' ', '-', '–', 'n/a', 'N/A', 'Not Attempted', 'Passed', 'failed', 'Completed'])(
  '%j is no score and no fault',
  (cell) => {
    expect(read(cell)).toEqual({ value: null });
  },
);

test('reading a score again gives the same score', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.constantFrom('1/3', '2/7')),
      (cell) => {
        const first = read(cell, '0-1');
        if ('issue' in first || first.value === null) throw new Error('not a score');
        expect(read(first.value)).toEqual(first);
        expect(read(`${first.value}%`)).toEqual(first);
      },
    ),
  );
});

describe('a cell that holds no number', () => {
  const withoutIt = (cell: Cell) =>
    readScore(cell, { ...UNDECLARED, scale: '0-100', unreadable: 'left-out' });

  test.each<[string, Cell]>([
    ['a letter', 'A'],
    ['a letter with a sign', 'B+'],
    ['P for passed', 'P'],
    ['a remark', 'was ill, comes again'],
    ['a job grade', 'M3'],
    ['an error of a formula', { error: '#DIV/0!' }],
    ['a date that a fraction became', { date: '2024-10-09T00:00:00.000' }],
    ['a truth value', true],
  ])('is left out where the source allows it, with an issue of its own: %s', (_, cell) => {
    expect(withoutIt(cell)).toMatchObject({
      value: null,
      omitted: { code: 'score-left-out', column: 'Score', message: expect.stringMatching(/left out$/) },
    });
    expect(read(cell)).toMatchObject({ issue: { code: 'score-invalid' } });
  });

  test.each<Cell>([150, '150', '-1', '12/10', '150%', { percent: 101 }, '1,234'])(
    'is not what %j is: a number that cannot be the score makes the row invalid all the same',
    (cell) => {
      expect(withoutIt(cell)).toMatchObject({ issue: { code: 'score-invalid' } });
    },
  );

  test('is not a formula whose value was not saved: that may be a score', () => {
    expect(withoutIt({ error: UNSAVED_FORMULA })).toMatchObject({ issue: { code: 'formula-unsaved' } });
  });

  test('has both ways out in its remedy', () => {
    const { issue } = read('A') as { issue: { remedy: string } };
    expect(issue.remedy).toContain('scoreUnreadable: left-out');
    expect(issue.remedy).toContain('columns: { percentile: null }');
  });

  test.each<Cell>(['passed', '', '-', '85%'])('is not what %j is: nothing is left out', (cell) => {
    expect(withoutIt(cell)).not.toHaveProperty('omitted');
  });
});
