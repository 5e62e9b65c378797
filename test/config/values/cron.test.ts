import { expect, test } from 'vitest';
import { cronMistake } from '../../../src/config/values/cron.js';

test.each([
  '*/15 * * * *',
  '0 6,18 * * 1-5',
  '30 0 6 * * *',
  '0 22-6/2 * * *',
  '0 0 L * *',
  '0 0 15W JAN-mar ?',
  '0 0 * december sun,Tue',
  '0 0 * * 5L',
  '0 0 * * 2#3',
  '0 0 * * 7',
  '0 0 * * fri#2',
  '0 0 L-3 * *',
  '0 0 29 2 *',
  '0\t8  * * *',
  '@hourly',
  '@daily',
  '@midnight',
  '@weekly',
  '@monthly',
  '@yearly',
  '@annually',
])('%s is a cron expression', (expression) => {
  expect(cronMistake(expression)).toBeNull();
});

test.each([
  ['@reboot', 'or be @hourly, @daily'],
  ['* * * *', 'five fields'],
  ['* * * * * * *', 'five fields'],
  ['60 * * * *', '"60" as minute'],
  ['* 24 * * *', '"24" as hour'],
  ['* * 0 * *', '"0" as day of month'],
  ['* * * 13 *', '"13" as month'],
  ['* * * * 8', '"8" as day of week'],
  ['* * * jan mon day', '"jan" as day of month'],
  ['*/0 * * * *', '"*/0" as minute'],
  ['5/10 * * * *', '"5/10" as minute'],
  ['1-2-3 * * * *', '"1-2-3" as minute'],
  ['1,,2 * * * *', '"1,,2" as minute'],
  ['*/90 * * * *', '"*/90" as minute'],
  ['5* * * * *', '"5*" as minute'],
  ['0 0 * janfeb *', '"janfeb" as month'],
  ['0 0 * * sun1', '"sun1" as day of week'],
  ['0; * * * *', '"0;" as minute'],
  ['0 0 31 2 *', 'no date has day of month 31 and month 2; write a date that exists'],
  ['0 0 0 30,31 2 *', 'is never due'],
  ['0 0 31 apr,6,sep *', 'is never due'],
  ['a * * * *', '"a" as minute'],
])('%s is not a cron expression: %s', (expression, words) => {
  expect(cronMistake(expression)).toContain(words);
});
