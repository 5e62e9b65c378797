import { describe, expect, it } from 'vitest';
import { cellValue } from '../../../src/intake/workbook/cell-value.js';

describe('cellValue', () => {
  it.each([
    ['', '42', 42],
    ['n', ' 4.5 ', 4.5],
    ['', '0', 0],
    ['', '-0', 0],
    ['', '1E3', 1000],
    ['', '', null],
    ['', 'n/a', 'n/a'],
    ['', '1e999', '1e999'],
    ['', '9007199254740991', 9_007_199_254_740_991],
    ['', '12345678901234567890', 12_345_678_901_234_567_000],
    ['', '1.23456789012345E+18', 1_234_567_890_123_450_000],
    ['', '4.9E+25', 4.9e25],
    ['', '9007199254740994.0', 9_007_199_254_740_994],
    ['', '12345678901234567890.5', Number('12345678901234567890.5')],
    ['b', '1', true],
    ['b', '0', false],
    ['b', 'true', true],
    ['b', 'false', false],
    ['b', '', null],
    ['e', '#N/A', { error: '#N/A' }],
    ['str', '', ''],
    ['str', ' a_x000D_\nb ', ' a\r\nb '],
    ['str', '007', '007'],
    ['d', '2024-03-01', { date: '2024-03-01T00:00:00.000' }],
    ['d', '2024-03-01T10:30:00', { date: '2024-03-01T10:30:00.000' }],
    ['d', '2021-12-31T23:44:51.894', { date: '2021-12-31T23:44:51.894' }],
    ['d', '2024-03-01T10:30:00.5', { date: '2024-03-01T10:30:00.500' }],
    ['d', '2024-03-01T10:30', { date: '2024-03-01T10:30:00.000' }],
    ['d', '2024-03-01T10:30:00Z', '2024-03-01T10:30:00Z'],
    ['d', '10:30:00', '10:30:00'],
  ])('reads type %j with %j as %j', (type, raw, cell) => {
    expect(cellValue(type, raw, 'amount', 1900)).toEqual(cell);
  });

  it.each([
    ['45352.4375', { date: '2024-03-01T10:30:00.000' }],
    ['0.4375', 0.4375],
    ['60', 60],
    ['-1.2', { date: '1899-12-28T19:12:00.000' }],
    ['soon', 'soon'],
  ])('reads %s in a date format as %j', (raw, cell) => {
    expect(cellValue('', raw, 'date', 1900)).toEqual(cell);
  });

  it('counts dates from the epoch of the workbook', () => {
    expect(cellValue('', '43890.4375', 'date', 1904)).toEqual({ date: '2024-03-01T10:30:00.000' });
  });

  it.each([
    ['0.855', 85.5],
    ['0.285', 28.5],
    ['1', 100],
    ['0', 0],
    ['0.333333333333333', 33.3333333333],
  ])('reads %s in a percent format as %d %%', (raw, percent) => {
    expect(cellValue('', raw, 'percent', 1900)).toEqual({ percent });
  });

  it.each([
    ['42', '00042'],
    ['123456', '123456'],
    ['0', '00000'],
    ['4.5', 4.5],
    ['-42', -42],
  ])('gives %s in the format 00000 as %j', (raw, cell) => {
    expect(cellValue('', raw, { digits: 5, before: '', after: '' }, 1900)).toBe(cell);
  });

  it('gives no identifier of a number whose last digits are lost, however its format pads it', () => {
    const card = { digits: 16, before: '', after: '' };
    expect(cellValue('', '123456789012345', card, 1900)).toBe('0123456789012345');
    expect(cellValue('', '1234567890123450', card, 1900)).toBe(1_234_567_890_123_450);
  });

  it('gives an identifier with the text that its format puts around it', () => {
    expect(cellValue('', '42', { digits: 5, before: 'EMP-', after: '/x' }, 1900)).toBe('EMP-00042/x');
  });

  it('takes text for text, whatever its number format', () => {
    expect(cellValue('str', '45352', 'date', 1900)).toBe('45352');
  });
});
