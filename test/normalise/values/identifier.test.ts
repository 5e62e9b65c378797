import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Cell } from '../../../src/domain/row.js';
import { readIdentifier } from '../../../src/normalise/values/identifier.js';

const read = (cell: Cell) => readIdentifier(cell, { column: 'Course ID' });

describe('an identifier keeps its text', () => {
  test.each<[Cell, string]>([
    ['C001', 'C001'],
    ['  C001\u00a0', 'C001'],
    ['00123', '00123'],
    ['="00123"', '00123'],
    ["'00123", '00123'],
    ["'00123'", '00123'],
    ['aBc', 'aBc'],
    ['123.0', '123.0'],
    ['1E5', '1E5'],
    ['12E3', '12E3'],
    ['urn:li:course:12', 'urn:li:course:12'],
    ['e\u0301tude', 'étude'],
    [123, '123'],
    [0, '0'],
    [999_999_999_999_999, '999999999999999'],
  ])('%j is %j', (cell, value) => {
    expect(read(cell)).toEqual({ value });
  });
});

describe('an identifier that a spreadsheet has damaged is refused', () => {
  test.each<[Cell]>([
    ['1.23457E+11'],
    ['1,23457E+11'],
    ['1E+05'],
    ['1.5e10'],
    ['="1.2E+10"'],
    [1e15],
    [2 ** 60],
    [1_234_567_890_123_450],
    [1_234_567_890_123_450_000],
    [-1.23456789012345e18],
    [4.9e25],
    ['########'],
    ['TRUE'],
    ['False'],
    ['WAHR'],
    [true],
    [{ date: '2024-03-01T00:00:00.000' }],
  ])('%j', (cell) => {
    expect(read(cell)).toMatchObject({ issue: { code: 'identifier-damaged', column: 'Course ID' } });
  });
});

describe('a cell that can’t be an identifier is refused', () => {
  test.each<[Cell]>([[12.5], [{ error: '#REF!' }], [{ percent: 12 }], ['#N/A'], ['C0\n01'], [Number.NaN]])(
    '%j',
    (cell) => {
      expect(read(cell)).toMatchObject({ issue: { code: 'identifier-invalid', column: 'Course ID' } });
    },
  );
});

test.each([null, '', ' ', '-', 'N/A', '=""', "'"])('%j is an empty identifier', (cell) => {
  expect(read(cell)).toEqual({ value: null });
});

test('reading an identifier again gives the same identifier', () => {
  const text = fc.string({ unit: fc.constantFrom(...'="\'0aE+.1 \u00a0\u200be\u0301') });
  fc.assert(
    fc.property(fc.oneof(text, fc.string({ unit: 'binary' })), (cell) => {
      const first = read(cell);
      if ('issue' in first || first.value === null) return;
      expect(read(first.value)).toEqual(first);
    }),
    { numRuns: 2_000 },
  );
});
