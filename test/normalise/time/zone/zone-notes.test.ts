import { expect, test } from 'vitest';
import type { Cell } from '../../../../src/domain/row.js';
import { zoneNoteFinder, zoneNoteOf } from '../../../../src/normalise/time/zone/zone-notes.js';

const wordsOf = (...cells: Cell[]) => zoneNoteOf({ line: 1, cells })?.words ?? null;

test.each<[string, string]>([
  ['All times are UTC', 'UTC'],
  ['All times are in UTC.', 'UTC'],
  ['* All times UTC', 'UTC'],
  ['Times (UTC)', '(UTC)'],
  ['Times are shown in US/Pacific', 'US/Pacific'],
  ['Times in GMT+2', 'GMT+2'],
  ['Dates and times are in GMT-05:00', 'GMT-05:00'],
  ['Completions of March. All times are UTC. Confidential.', 'UTC'],
  ['All dates are in Pacific Standard Time', 'Pacific Standard Time'],
  ['All times are in W. Europe Standard Time', 'W. Europe Standard Time'],
  ['Times are displayed in Eastern Time unless otherwise noted', 'Eastern Time'],
  ['Alle Zeiten in UTC', 'UTC'],
  ['Alle Zeitangaben sind in UTC angegeben', 'UTC'],
  ['Toutes les heures sont en UTC', 'UTC'],
  ['Todas las horas en UTC', 'UTC'],
  ['Todos os horários no fuso America/Sao_Paulo', 'America/Sao_Paulo'],
  ['Tutti gli orari in Europe/Rome', 'Europe/Rome'],
  ['Alle tijden in UTC', 'UTC'],
  ['日時はすべてUTCです', 'UTC'],
  ['Time zone: Europe/Berlin', 'Europe/Berlin'],
  ['UTC Offset: +02:00', '+02:00'],
  ['Fuseau horaire : Europe/Paris', 'Europe/Paris'],
])('%s: all times are in %s', (text, words) => {
  expect(wordsOf(text)).toBe(words);
});

test.each<[string, string]>([
  ['All times are EST', 'EST'],
  ['Times in IST', 'IST'],
  ['Alle Zeiten in MESZ', 'MESZ'],
  ['All times are in Central European Time', 'Central European Time'],
])('%s: the note names no single zone, and needs confirmation', (text, words) => {
  expect(wordsOf(text)).toBe(words);
});

test.each<[string, string]>([
  ['Time zone: (GMT+01:00) Berlin', '(GMT+01:00)'],
  ['All times are UTC and London time', 'UTC'],
  ['Times are not in UTC', 'UTC'],
  ['Times are local to each learner, see UTC offset', 'UTC'],
  ['Times were converted from UTC to local time', 'UTC'],
])('%s: a zone is named, and whether it is that of the times is for a person to say', (text, words) => {
  expect(wordsOf(text)).toBe(words);
});

test.each([
  'Report generated 2024-03-01 10:00 UTC',
  'Report time: 10:00 UTC',
  'Times from 2024-03-01 08:00 to 2024-03-31 18:00 UTC',
  'All times are in local time',
  'All times are in Server Time',
  'Dates are DD/MM/YYYY',
  'Times in minutes',
  'UTC Industries',
  'Time management in Europe/Africa',
  'Time zone: Local',
  'Time zone: 99',
])('%s: nothing is said about all times', (text) => {
  expect(wordsOf(text)).toBeNull();
});

test('a label may be beside its zone', () => {
  expect(zoneNoteOf({ line: 3, cells: [null, 'Time zone', 'Asia/Tokyo'] })).toEqual({
    words: 'Asia/Tokyo',
    text: 'Time zone Asia/Tokyo',
    line: 3,
  });
});

test('a row with a learner or a time is no note, whatever its words are', () => {
  const find = zoneNoteFinder(1, [0], [2]);
  const at = (...cells: Cell[]) => find({ line: 5, cells })?.words ?? null;
  expect(at('All times are UTC')).toBe('UTC');
  expect(at(null, 'All times are UTC', null)).toBe('UTC');
  expect(at(null, null, 'Times in UTC')).toBe('UTC');
  expect(at('ann@example.com', 'All times are UTC', null)).toBeNull();
  expect(at('E-100', 'All times are UTC', null)).toBe(null);
  expect(at(null, 'All times are UTC', '2024-03-01')).toBeNull();
  expect(find({ line: 1, cells: ['All times are UTC'] })).toBeNull();
});
