import { expect, it } from 'vitest';
import { retryAfterMs } from '../../../src/platform/answers/limits.js';

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
  ['Sat, 01 Mar 2025 08:00:30 GMT', null],
])('Retry-After: %j is %j ms', (header, expected) => {
  expect(retryAfterMs(header)).toBe(expected);
});
