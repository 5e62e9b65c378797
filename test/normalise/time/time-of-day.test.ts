import { describe, expect, test } from 'vitest';
import type { Cell } from '../../../src/domain/row.js';
import { readTimeOfDay } from '../../../src/normalise/time/time-of-day.js';

const read = (cell: Cell) => readTimeOfDay(cell, { column: 'Time', zones: { EST: 'America/New_York' } });
const at = (hours: number, minutes = 0, seconds = 0) => ((hours * 60 + minutes) * 60 + seconds) * 1000;

describe('a time of day', () => {
  test.each<[Cell, number]>([
    ['14:30', at(14, 30)],
    ['2:30 PM', at(14, 30)],
    ['2:30pm', at(14, 30)],
    ['02:30:15 p.m.', at(14, 30, 15)],
    ['12:05 AM', at(0, 5)],
    ['14:30:15.500', at(14, 30, 15) + 500],
    ['14h30', at(14, 30)],
    ['14h', at(14)],
    ['14.30 Uhr', at(14, 30)],
    ['14 Uhr', at(14)],
    ['9 am', at(9)],
    ['00:00', 0],
    ['24:00', at(24)],
    [' ２:３０ PM ', at(14, 30)],
    [0.604166666666667, at(14, 30)],
    [0, 0],
    [{ date: '1899-12-31T14:30:00.000' }, at(14, 30)],
  ])('is read: %j', (cell, timeMs) => {
    expect(read(cell)).toEqual({ value: { timeMs, zone: null, day: null } });
  });

  test('may name its zone', () => {
    expect(read('14:30Z')).toMatchObject({ value: { zone: 'UTC' } });
    expect(read('14:30 +02:00')).toMatchObject({ value: { zone: '+02:00' } });
    expect(read('2:30 PM EST')).toMatchObject({ value: { zone: 'America/New_York' } });
  });

  test('of a workbook may bring its day', () => {
    expect(read({ date: '2024-03-14T14:30:00.000' })).toMatchObject({
      value: { timeMs: at(14, 30), day: '2024-03-14' },
    });
  });

  test.each<Cell>(['', null, '-', 'n/a'])('is absent where the cell is %j', (cell) => {
    expect(read(cell)).toEqual({ value: null });
  });

  test.each<Cell>([
    '14',
    '14:',
    '25:00',
    '14:60',
    '13:00 PM',
    '14.30',
    '0.604',
    'noon',
    '14:30 CST',
    45_000,
    1,
    true,
    '2024-03-14',
  ])('is not %j', (cell) => {
    expect(read(cell)).toMatchObject({ issue: { code: 'timestamp-invalid', column: 'Time' } });
  });
});
