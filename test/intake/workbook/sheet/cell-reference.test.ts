import { describe, expect, it } from 'vitest';
import { columnLetters, columnOf, rowOf } from '../../../../src/intake/workbook/sheet/merged-ranges.js';

describe('cell references', () => {
  it.each([
    ['A1', 1, 1],
    ['Z9', 26, 9],
    ['AA10', 27, 10],
    ['XFD1048576', 16_384, 1_048_576],
    ['b2', 2, 2],
    ['7', 0, 7],
    ['A', 1, null],
    ['', 0, null],
  ])('%s is column %d, row %j', (reference, column, row) => {
    expect(columnOf(reference)).toBe(column);
    expect(rowOf(reference)).toBe(row);
  });

  it('names every column the way it is read', () => {
    for (let column = 1; column <= 16_384; column += 1) {
      if (columnOf(columnLetters(column)) !== column) expect(columnLetters(column)).toBe(column);
    }
    expect(columnLetters(16_384)).toBe('XFD');
  });
});
