import { expect, it } from 'vitest';
import { dueSlots } from '../../src/schedule/due.js';

const at = (time: string) => Date.parse(`2026-03-0${time}Z`);
const line = (missed: 'latest' | 'each' | 'none') => ({ cron: '0 7 * * *', timeZone: 'UTC', missed });

it('of the times since the last slot the latest is due, and replaces the others', () => {
  expect(dueSlots(line('latest'), at('2T07:00'), at('5T08:00'))).toEqual([
    { atMs: at('5T07:00'), sinceMs: at('2T07:00'), missed: 2 },
  ]);
  expect(dueSlots(line('latest'), at('5T07:00'), at('6T06:59'))).toEqual([]);
});

it('each of them is due where the line says so, oldest first, each for itself', () => {
  expect(dueSlots(line('each'), at('2T07:00'), at('5T07:00'))).toEqual([
    { atMs: at('3T07:00'), sinceMs: at('2T07:00'), missed: 0 },
    { atMs: at('4T07:00'), sinceMs: at('3T07:00'), missed: 0 },
    { atMs: at('5T07:00'), sinceMs: at('4T07:00'), missed: 0 },
  ]);
});

it('none of them is due where the line says so, but the time that is now', () => {
  expect(dueSlots(line('none'), at('2T07:00'), at('5T07:02'))).toEqual([]);
  expect(dueSlots(line('none'), at('2T07:00'), at('5T07:00:30'))).toEqual([
    { atMs: at('5T07:00'), sinceMs: at('2T07:00'), missed: 2 },
  ]);
});
