import { expect, test } from 'vitest';
import type { Cell } from '../../../../src/domain/row.js';
import { readZone } from '../../../../src/normalise/time/zone/zone-notes.js';

const zoneIn = (cell: Cell) => {
  const reading = readZone(cell, { column: 'Time Zone', zones: {}, field: 'completed-at-zone' });
  return 'value' in reading ? reading.value : reading.issue.code;
};

test.each<[Cell, string | null]>([
  ['Europe/Berlin', 'Europe/Berlin'],
  ['America/Argentina/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
  ['W. Europe Standard Time', 'Europe/Berlin'],
  ['UTC', 'UTC'],
  ['GMT', 'UTC'],
  ['z', 'UTC'],
  ['+02:00', '+02:00'],
  ['−05:00', '-05:00'],
  ['UTC+2', '+02:00'],
  ['-0500', '-05:00'],
  ['+2', '+02:00'],
  [-5, '-05:00'],
  ['n/a', null],
  [null, null],
])('a zone of a row, %j, is %s', (cell, zone) => {
  expect(zoneIn(cell)).toBe(zone);
});

test.each<Cell>(['CST', 'IST', 'EST', 'Local', '2', 2, '99', '-300', 5.3, '5.5', '-3,5', 300, true])(
  '%j in a column of zones names no single zone',
  (cell) => {
    expect(zoneIn(cell)).toBe('timestamp-invalid');
  },
);
