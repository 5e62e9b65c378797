import { describe, expect, it } from 'vitest';
import { builtInMeaning, formatMeaning } from '../../../src/intake/workbook/cell-value.js';

describe('builtInMeaning', () => {
  it.each([
    [0, 'amount'],
    [2, 'amount'],
    [9, 'percent'],
    [10, 'percent'],
    [11, 'amount'],
    [14, 'date'],
    [22, 'date'],
    [27, 'date'],
    [36, 'date'],
    [37, 'amount'],
    [45, 'date'],
    [46, 'amount'],
    [47, 'date'],
    [49, 'amount'],
    [50, 'date'],
    [58, 'date'],
    [59, 'amount'],
  ])('knows built-in format %i as %s', (id, meaning) => {
    expect(builtInMeaning(id)).toBe(meaning);
  });
});

describe('formatMeaning', () => {
  it.each([
    ['General', 'amount'],
    ['@', 'amount'],
    ['0', 'amount'],
    ['0.00E+00', 'amount'],
    ['#,##0.00', 'amount'],
    ['#,##0 "days"', 'amount'],
    ['0\\h', 'amount'],
    ['_-* #,##0.00\\ "kr"_-;-* 0', 'amount'],
    ['[Red]-0.0', 'amount'],
    ['[$$-409]#,##0', 'amount'],
    ['_d0', 'amount'],
    ['', 'amount'],
    [';;;', 'amount'],
    ['yyyy-mm-dd', 'date'],
    ['DD.MM.YYYY', 'date'],
    ['h:mm AM/PM', 'date'],
    ['mm:ss.0', 'date'],
    ['[$-F800]dddd\\,\\ mmmm\\ dd\\,\\ yyyy', 'date'],
    ['[$-409]d-mmm-yy;@', 'date'],
    ['yyyy"年"m"月"d"日"', 'date'],
    ['"on "d', 'date'],
    ['[h]:mm:ss', 'amount'],
    ['[mm]:ss', 'amount'],
    ['[SS].0', 'amount'],
    ['0%', 'percent'],
    ['0.0 %;[Red]-0.0 %', 'percent'],
    ['"%"0', 'amount'],
    ['0\\%', 'amount'],
    ['0;0%', 'amount'],
    ['Standard', 'amount'],
    ['Основной d', 'amount'],
    ['00000', { digits: 5, before: '', after: '' }],
    ['00', { digits: 2, before: '', after: '' }],
    ['[<=99999]00000;00000\\-0000', { digits: 5, before: '', after: '' }],
    ['"EMP-"00000', { digits: 5, before: 'EMP-', after: '' }],
    ['\\E\\-000" (new)";@', { digits: 3, before: 'E-', after: ' (new)' }],
    ['_-000', { digits: 3, before: '', after: '' }],
    ['00.00', 'amount'],
  ])('reads %j as %j', (code, meaning) => {
    expect(formatMeaning(code)).toEqual(meaning);
  });
});
