import { describe, expect, test } from 'vitest';
import { zoneNamed } from '../../../src/normalise/values/zone-names.js';

describe('a zone is known by', () => {
  test.each([
    ['Europe/Berlin', 'Europe/Berlin'],
    ['UTC', 'UTC'],
    ['gmt', 'UTC'],
    ['(UTC TimeZone)', 'UTC'],
    ['UTC+1', '+01:00'],
    ['GMT-0530', '-05:30'],
    ['+14:00', '+14:00'],
    ['W. Europe Standard Time', 'Europe/Berlin'],
    ['w.  europe standard time', 'Europe/Berlin'],
    ['Eastern Standard Time', 'America/New_York'],
    ['Pacific Standard Time (Mexico)', 'America/Tijuana'],
    ['India Standard Time', 'Asia/Kolkata'],
    ['PST/PDT', 'America/Los_Angeles'],
    ['Pacific Time', 'America/Los_Angeles'],
  ])('%s', (words, zone) => {
    expect(zoneNamed(words)).toBe(zone);
  });
});

test.each([
  'EST',
  'PST',
  'CST',
  'IST',
  'Japan',
  'Cuba',
  'Mars/Base',
  '+15:00',
  'Score',
  '',
  '__proto__',
  'constructor',
])('%j is refused as a zone', (words) => {
  expect(zoneNamed(words)).toBeNull();
});

test('a zone name declared by the source takes precedence, and matches exactly', () => {
  const declared = { EST: 'America/New_York', GMT: 'Europe/London' };
  expect(zoneNamed('EST', declared)).toBe('America/New_York');
  expect(zoneNamed('GMT', declared)).toBe('Europe/London');
  expect(zoneNamed('est', declared)).toBeNull();
});
