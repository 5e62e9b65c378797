import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { ScheduleConfig } from '../../src/config/schema.js';
import { runSchedule, type ScheduleEvent } from '../../src/schedule/run-schedule.js';

const everySecond = (name: string): ScheduleConfig => ({ cron: '* * * * * *', do: ['run'], sources: [name] });

it('entries are performed one after another, a time that comes meanwhile is left out, and a failure ends nothing', async () => {
  const stop = new AbortController();
  const events: ScheduleEvent[] = [];
  const performed: string[] = [];
  let atOnce = 0;
  let mostAtOnce = 0;
  let isOver = false;
  const perform = async ({ sources: [name = ''] }: ScheduleConfig) => {
    atOnce += 1;
    mostAtOnce = Math.max(mostAtOnce, atOnce);
    performed.push(name);
    // Longer than the time between two of its times.
    await pause(name === 'slow' ? 1_200 : 1);
    atOnce -= 1;
    if (name === 'failing') throw new Error('on purpose');
    if (performed.filter((each) => each === 'slow').length === 2) stop.abort();
    isOver = stop.signal.aborted;
  };
  await runSchedule([everySecond('slow'), everySecond('failing')], perform, stop.signal, (event) =>
    events.push(event),
  );

  expect(isOver).toBe(true);
  expect(mostAtOnce).toBe(1);
  expect(performed.filter((name) => name === 'failing').length).toBeGreaterThan(0);
  const kinds = new Set(events.map(({ kind }) => kind));
  expect(kinds).toEqual(new Set(['due', 'overlap', 'failed']));
  const count = performed.length;
  await pause(1_100);
  expect(performed).toHaveLength(count);
});

it('stopped before it began, it performs nothing', async () => {
  const performed: unknown[] = [];
  const perform = async () => void performed.push('performed');
  await runSchedule([everySecond('any')], perform, AbortSignal.abort(), () => {});
  expect(performed).toEqual([]);
});

it('a cron text that names no time is refused with an example', async () => {
  const entry: ScheduleConfig = { cron: 'noon', do: ['run'], sources: [] };
  const started = runSchedule(
    [entry],
    async () => {},
    AbortSignal.abort(),
    () => {},
  );
  await expect(started).rejects.toMatchObject({ message: expect.stringContaining('noon'), exit: 'usage' });
});
