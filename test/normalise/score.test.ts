import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Cell } from '../../src/domain/row.js';
import { readScore } from '../../src/normalise/score.js';

const read = (cell: Cell, scale: '0-100' | '0-1' = '0-100') => readScore(cell, { column: 'Score', scale });

describe('a score is read', () => {
  test.each<[Cell, '0-100' | '0-1', number]>([
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
    ['-0', '0-100', 0],
  ])('%j on the scale %s is %d', (cell, scale, value) => {
    expect(read(cell, scale)).toEqual({ value });
  });
});

describe('what is no score is refused', () => {
  test.each<[Cell, '0-100' | '0-1']>([
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
