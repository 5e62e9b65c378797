import { expect, it } from 'vitest';
import { retryAfterMs } from '../../../src/platform/answers/limits.js';

const retryAfter = (header: string | undefined) => ({
  date: 'Sat, 01 Mar 2025 08:00:00 GMT',
  ...(header === undefined ? {} : { 'retry-after': header }),
});

it.each([
  ['0', 1000],
  ['17', 18_000],
  [' 17 ', 18_000],
  ['1.5', 2500],
  ['3600', 3_601_000],
  ['3601', null],
  ['99999999999999999999', null],
  ['-5', null],
  ['+5', null],
  ['1e3', null],
  ['0x10', null],
  ['soon', null],
  ['', null],
  [undefined, null],
  ['Sat, 01 Mar 2025 08:00:30 GMT', 31_000],
  ['Saturday, 01-Mar-25 08:00:30 GMT', 31_000],
  ['Sat, 01 Mar 2025 08:00:00 GMT', 1000],
  ['Sat, 01 Mar 2025 07:59:59 GMT', null],
  ['Sat, 01 Mar 2025 09:00:01 GMT', null],
  ['Sat, 99 Mar 2025 08:00:30 GMT', null],
  ['Sat Mar  1 08:00:30 2025', null],
  ['2025-03-01T08:00:30Z', null],
])('Retry-After: %j is %j ms', (header, expected) => {
  expect(retryAfterMs(retryAfter(header))).toBe(expected);
});

it('a date without the clock of the platform says nothing', () => {
  expect(retryAfterMs({ 'retry-after': 'Sat, 01 Mar 2025 08:00:30 GMT' })).toBeNull();
});
