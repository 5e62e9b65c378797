import { describe, expect, it } from 'vitest';
import { isoFromMs } from '../../../src/domain/clock.js';
import { dateFromSerial } from '../../../src/intake/workbook/cell-value.js';

describe('dateFromSerial', () => {
  it.each([
    [1, '1900-01-01T00:00:00.000'],
    [59, '1900-02-28T00:00:00.000'],
    [61, '1900-03-01T00:00:00.000'],
    [25_569, '1970-01-01T00:00:00.000'],
    [45_352.4375, '2024-03-01T10:30:00.000'],
    [45_382.999988426, '2024-03-31T23:59:59.000'],
    [45_382.99999999, '2024-04-01T00:00:00.000'],
    [59.999999999, null],
    [45_352.000005787, '2024-03-01T00:00:00.500'],
    [2_958_465.5, '9999-12-31T12:00:00.000'],
  ])('takes serial %d of the 1900 epoch for %s', (serial, date) => {
    expect(dateFromSerial(serial, 1900)).toBe(date);
  });

  it.each([
    ['a time without date', 0.5],
    ['nothing', 0],
    ['a number long before the epoch', -200_000],
    ['the 29 February 1900, which never was', 60],
    ['its afternoon', 60.75],
    ['a day after the year 9999', 2_958_466],
    ['an identifier', Number.MAX_SAFE_INTEGER],
    ['no number', Number.NaN],
  ])('finds no date in %s', (_, serial) => {
    expect(dateFromSerial(serial, 1900)).toBeNull();
  });

  it.each([
    [1, '1904-01-02T00:00:00.000'],
    [60, '1904-03-01T00:00:00.000'],
    [24_107, '1970-01-01T00:00:00.000'],
    [43_890.4375, '2024-03-01T10:30:00.000'],
    [0.5, null],
    [2_957_004, null],
  ])('takes serial %d of the 1904 epoch for %s', (serial, date) => {
    expect(dateFromSerial(serial, 1904)).toBe(date);
  });

  it('gives every whole second of a day back, written with the digits that workbooks have', () => {
    for (let second = 0; second < 86_400; second += 7) {
      const serial = Number((45_352 + second / 86_400).toPrecision(15));
      const expected = isoFromMs(Date.UTC(2024, 2, 1) + second * 1000).slice(0, -1);
      if (dateFromSerial(serial, 1900) !== expected) expect(dateFromSerial(serial, 1900)).toBe(expected);
    }
  });
});
