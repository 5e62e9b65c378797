import { expect, test } from 'vitest';
import { globMatcher, globMistake } from '../../../src/config/values/glob.js';

test.each([
  ['*.csv', 'a.csv', true],
  ['*.csv', 'A.CSV', true],
  ['*.csv', '.csv', true],
  ['*.csv', 'a.csv.part', false],
  ['*.{csv,xlsx}', 'a.xlsx', true],
  ['*.{csv,xlsx}', 'a.xls', false],
  ['{a,b}-{1,2}.csv', 'b-2.csv', true],
  ['a?c.csv', 'abc.csv', true],
  ['a?c.csv', 'ac.csv', false],
  ['?.csv', '😀.csv', true],
  ['*a*b*.csv', 'xaxxab.csv', true],
  ['*a*b*.csv', 'xbxa.csv', false],
  ['a.csv', 'aXcsv', false],
  ['$^+|.csv', '$^+|.csv', true],
  ['abschlüsse*.csv', 'ABSCHLU\u0308SSE 1.csv', true],
  ['*', '', true],
  ['*.csv', 'line\nbreak.csv', true],
])('%s against %j: %s', (pattern, name, matches) => {
  expect(globMistake(pattern)).toBeNull();
  expect(globMatcher(pattern)(name)).toBe(matches);
});

test.each([
  '',
  'in/*.csv',
  'in\\*.csv',
  '[ab].csv',
  '!(a).csv',
  '{a,{b,c}}.csv',
  'a}.csv',
  '{a',
  '{0,1}'.repeat(7),
])('%j is refused', (pattern) => {
  expect(globMistake(pattern)).not.toBeNull();
});

test('a hostile name takes no longer than any other', () => {
  const matches = globMatcher(`${'*a'.repeat(40)}b`);
  expect(matches('a'.repeat(250))).toBe(false);
});
