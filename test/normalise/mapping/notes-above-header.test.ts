import { expect, test } from 'vitest';
import type { Cell } from '../../../src/domain/row.js';
import { zoneNotesOf } from '../../../src/normalise/time/zone/zone-notes.js';
import { normaliseFile, rowsOf, sourceWith } from '../builders.js';

type Lines = readonly (readonly Cell[])[];

const HEADER = ['Email', 'Course ID', 'Completed on'];
const ROW = ['ann@example.com', 'C1', '2024-03-01 10:00'];

test.each<[string, Lines, string | null]>([
  ['a label and a value', [['Time zone', 'Europe/Paris']], 'Europe/Paris'],
  ['a label with a colon', [['Zeitzone:', 'Europe/Berlin']], 'Europe/Berlin'],
  ['a label in one cell', [['Time Zone: UTC']], 'UTC'],
  ['a sentence', [['Completions'], ['All times are in Europe/Madrid']], 'Europe/Madrid'],
  ['a sentence with UTC', [['Times are UTC.']], 'UTC'],
  ['the name of a system', [['Utc Industries/Academy'], ['Completions']], null],
  ['an unknown zone', [['Time zone', 'Local']], null],
])('the zone above the header in %s is proposed, not applied', (_, above, zone) => {
  const zoneNotes = zoneNotesOf(rowsOf(above));
  expect(zoneNotes.map(({ words }) => words)).toEqual(zone === null ? [] : [zone]);
  const remedy =
    zone === null
      ? /^set the zone/
      : new RegExp(`names a zone: if it is that of the times, set timeZone: ${zone} for the source`);
  expect(normaliseFile([...above, HEADER, ROW], sourceWith()).at(-1)).toMatchObject({
    issues: [{ code: 'timestamp-unzoned', remedy: expect.stringMatching(remedy) }],
  });
  const settings = sourceWith({ timeZone: zone ?? 'Asia/Tokyo' });
  expect(normaliseFile([...above, HEADER, ROW], settings).at(-1)?.disposition).toBe('record');
});

test('the time of a report is no note on the zone of its rows', () => {
  expect(zoneNotesOf(rowsOf([['Report time: 10:00 UTC']]))).toEqual([]);
});
