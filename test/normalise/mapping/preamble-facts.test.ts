import { expect, test } from 'vitest';
import type { Cell } from '../../../src/domain/row.js';
import { preambleFacts } from '../../../src/normalise/mapping/preamble-facts.js';
import { normaliseFile, rowsOf, sourceWith } from '../builders.js';

type Lines = readonly (readonly Cell[])[];

const HEADER = ['Email', 'Course ID', 'Completed on'];
const ROW = ['ann@example.com', 'C1', '2024-03-01 10:00'];

test.each<[string, Lines, string | null]>([
  ['a label and a value', [['Time zone', 'Europe/Paris']], 'Europe/Paris'],
  ['a label with a colon', [['Zeitzone:', 'Europe/Berlin']], 'Europe/Berlin'],
  ['a label in one cell', [['Time Zone: UTC']], 'UTC'],
  [
    'labels above values',
    [
      ['Report', 'Time zone', 'By'],
      ['Completions', 'America/New_York', 'Ann'],
    ],
    'America/New_York',
  ],
  ['a sentence', [['Completions'], ['All times are in Europe/Madrid']], 'Europe/Madrid'],
  ['a sentence with UTC', [['Times are UTC.']], 'UTC'],
  ['the name of a system', [['Utc Industries/Academy'], ['Completions']], null],
  ['a zone that nobody knows', [['Time zone', 'Local']], null],
])('the zone that stands above the header in %s is that of the times', (_, above, zone) => {
  expect(preambleFacts(rowsOf(above)).zone?.value ?? null).toBe(zone);
  const read = normaliseFile([...above, HEADER, ROW], sourceWith()).at(-1);
  if (zone === null) {
    expect(read).toMatchObject({
      issues: [{ code: 'timestamp-unzoned', remedy: expect.stringMatching(/^set the zone/) }],
    });
  } else {
    const settings = sourceWith({ timeZone: zone });
    expect(read?.disposition).toBe('record');
    expect(normaliseFile([...above, HEADER, ROW], settings).at(-1)).toEqual(read);
  }
});

test('a zone above the header that may be that of another time is proposed, not applied', () => {
  const above = [['Report time: 10:00 UTC']];
  const refused = normaliseFile([...above, HEADER, ROW], sourceWith()).at(-1);
  expect(refused).toMatchObject({
    issues: [{ remedy: expect.stringContaining('if it is that of the times, set timeZone: UTC for') }],
  });
});

test('so is the zone of another column', () => {
  const lines = [
    [...HEADER, 'Started (UTC)'],
    [...ROW, '2024-02-01 10:00'],
  ];
  const refused = normaliseFile(lines, sourceWith()).at(-1);
  expect(refused).toMatchObject({
    issues: [{ remedy: expect.stringContaining('line 1 ("Started (UTC)") names a zone') }],
  });
});

test('of what all rows are about a number goes before a title', () => {
  const lines = [
    ['Topic', 'Meeting ID'],
    ['Fire Safety', '987 6543'],
  ];
  expect(preambleFacts(rowsOf(lines)).content).toEqual({ label: 'Meeting ID', value: '987 6543', line: 2 });
  expect(preambleFacts(rowsOf([['Topic: Fire Safety']])).content).toMatchObject({ value: 'Fire Safety' });
  expect(preambleFacts(rowsOf([['Report of March']]))).toEqual({
    content: null,
    zone: null,
    zoneNotes: [],
  });
});
