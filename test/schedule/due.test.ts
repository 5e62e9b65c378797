import { expect, it } from 'vitest';
import { dueSlots } from '../../src/schedule/jobs/timed-job.js';

const at = (time: string) => Date.parse(`2026-03-0${time}Z`);
const line = (missed: 'latest' | 'each' | 'none') => ({ cron: '0 7 * * *', timeZone: 'UTC', missed });

it('missed: latest makes only the latest slot due, and counts the others as missed', () => {
  expect(dueSlots(line('latest'), at('2T07:00'), at('5T08:00'))).toEqual([
    { atMs: at('5T07:00'), sinceMs: at('2T07:00'), missed: 2 },
  ]);
  expect(dueSlots(line('latest'), at('5T07:00'), at('6T06:59'))).toEqual([]);
});

it('with missed: each every slot is due, oldest first', () => {
  expect(dueSlots(line('each'), at('2T07:00'), at('5T07:00'))).toEqual([
    { atMs: at('3T07:00'), sinceMs: at('2T07:00'), missed: 0 },
    { atMs: at('4T07:00'), sinceMs: at('3T07:00'), missed: 0 },
    { atMs: at('5T07:00'), sinceMs: at('4T07:00'), missed: 0 },
  ]);
});

it('with missed: none only the present slot is due', () => {
  expect(dueSlots(line('none'), at('2T07:00'), at('5T07:02'))).toEqual([]);
  expect(dueSlots(line('none'), at('2T07:00'), at('5T07:00:30'))).toEqual([
    { atMs: at('5T07:00'), sinceMs: at('2T07:00'), missed: 2 },
  ]);
});
