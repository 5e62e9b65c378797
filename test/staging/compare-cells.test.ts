import { describe, expect, it } from 'vitest';
import type { Cell } from '../../src/domain/row.js';
import { clippedToCell } from '../../src/domain/text/clipped-text.js';
import {
  correctedCell,
  isDamagedIdentifier,
  isSameCell,
  isWithoutSeconds,
} from '../../src/staging/correct/merged-cells.js';

const LONG = 'a remark of many words, '.repeat(2_000);

describe('a cell of a corrected attention file', () => {
  it.each<[string, Cell, Cell]>([
    ['is unchanged', 'COURSE-1', 'COURSE-1'],
    ['is empty still', null, ''],
    ['is empty, where blanks were', ' ', null],
    ['has blanks at its end', 'COURSE-1', 'COURSE-1  '],
    ['has line feeds where it had line ends', 'a\r\nb', 'a\nb'],
    ['has the apostrophe before a formula', '=1+1', "'=1+1"],
    ['has lost the apostrophe before a formula', '=1+1', '=1+1'],
    ['is clipped because no cell holds it', LONG, clippedToCell(LONG)],
    ['is a clipped text like a formula', `=${LONG}`, `'${clippedToCell(`=${LONG}`)}`],
    ['has both apostrophes of a text that began with one', "'tis", "''tis"],
    ['has lost one of them', "'tis", "'tis"],
    ['is a number with decimals', 85, '85.0'],
    ['is a number with a decimal comma', 85.5, '85,50'],
    ['is a number now', '85.0', 85],
    ['is a text with zeros at its end', '85', '85.00'],
    ['is a percentage', { percent: 85.5 }, '85.50%'],
    ['is a negative number', '-3', '-3.0'],
    ['is a truth in capitals', true, 'TRUE'],
    ['is a date without its T', { date: '2024-03-01T10:30:00.000' }, '2024-03-01 10:30:00'],
    ['is a date without its midnight', { date: '2024-03-01T00:00:00.000' }, '2024-03-01'],
    ['is a date now', '2024-03-01 10:30', { date: '2024-03-01T10:30:00.000' }],
  ])('that %s is the same', (_, original, cell) => {
    expect(isSameCell(original, cell)).toBe(true);
  });

  it.each<[string, Cell, Cell]>([
    ['another text', 'COURSE-1', 'COURSE-2'],
    ['emptied', 'COURSE-1', null],
    ['filled', null, 'COURSE-1'],
    ['in other letters', 'Course-1', 'COURSE-1'],
    ['without its zeros in front', '007', '7'],
    ['without its zeros in front, as a number', '007', 7],
    ['a long number with other digits at its end', '1234567890123456', '1234567890123450'],
    ['a rounded number', 1234567890123456, '1.23457E+15'],
    ['another number', 85, '85.1'],
    ['a number of another kind', { percent: 85 }, '85'],
    ['a date with another time', { date: '2024-03-01T10:30:13.000' }, '2024-03-01 10:30'],
    ['a date in an order that nothing proves', '2024-03-01', '01/03/2024'],
    ['a time in a zone', '2024-03-01T10:30:00', '2024-03-01T10:30:00Z'],
    ['false', true, 'FALSE'],
  ])('that is %s is changed', (_, original, cell) => {
    expect(isSameCell(original, cell)).toBe(false);
  });

  it.each<[Cell, Cell]>([
    ["'=SUM(A1)", '=SUM(A1)'],
    ["''tis", "'tis"],
    ["'s Gravenhage", "'s Gravenhage"],
    ['plain', 'plain'],
    [7, 7],
    [null, null],
  ])('%j says %j where it is changed in a text file, and itself in a workbook', (cell, expected) => {
    expect(correctedCell(cell, 'csv')).toBe(expected);
    expect(correctedCell(cell, 'xlsx')).toBe(cell);
  });
});

describe('a changed identifier', () => {
  it.each<[Cell, Cell]>([
    ['007', '7'],
    ['007', '7.00'],
    ['+4930', '4930'],
    ['1.10', '1.1'],
    ['1234567890123456', '1234567890123450'],
    ['3-4', '04. Mrz'],
    ['3-4', '4-Mar'],
    ['3/4', '2024-03-04'],
    ['3-4', { date: '2024-03-04T00:00:00.000' }],
    ['MAR-1', '1-Mar'],
    ['SEPT 2', 'Sep 02'],
    ['1-2-03', '01.02.2003'],
    ['1-2-03', '1-2-04'],
  ])('%j that is now %j is damaged in a text file', (original, cell) => {
    expect(isDamagedIdentifier(original, cell, 'csv')).toBe(true);
  });

  it.each<[Cell, Cell]>([
    ['COURSE-1', 'COURSE-12'],
    ['007', '8'],
    ['3-4', '3-5'],
    ['1234567890123456', '1234567890123499'],
    ['A', 'MAR-1'],
    ['nobody', 'ada@example.org'],
  ])('%j that is now %j is what a person wrote', (original, cell) => {
    expect(isDamagedIdentifier(original, cell, 'csv')).toBe(false);
  });

  it('is what a person wrote in a text cell of a workbook, and damaged in any other', () => {
    expect(isDamagedIdentifier('007', '7', 'xlsx')).toBe(false);
    expect(isDamagedIdentifier('007', 7, 'xlsx')).toBe(true);
  });
});

it.each<[string, string, boolean]>([
  ['2024-03-01T10:30:13.000Z', '2024-03-01T10:30:00.000Z', true],
  ['2024-03-01T10:30:13.250Z', '2024-03-01T10:30:00.000Z', true],
  ['2024-03-01T10:30:00.000Z', '2024-03-01T10:30:00.000Z', false],
  ['2024-03-01T10:30:13.000Z', '2024-03-01T10:31:00.000Z', false],
  ['2024-03-01T10:30:13.000Z', '2024-03-01T10:30:14.000Z', false],
])('for the times %s and %s, the second is the first without its seconds: %s', (was, is, expected) => {
  expect(isWithoutSeconds(was, is)).toBe(expected);
});
