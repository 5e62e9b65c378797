import { expect, it } from 'vitest';
import { registerServiceJobs } from '../../src/actions/service/jobs.js';
import { scheduleSchema } from '../../src/config/schema/schedule-schema.js';
import { jobName } from '../../src/config/values/job-name.js';
import { type Clock, systemClock } from '../../src/domain/clock.js';
import { nextSlotMs } from '../../src/report/status/slots.js';
import { lineTimer, timedJob } from '../../src/schedule/jobs/timed-job.js';
import { actionContext } from '../support/action-context.js';
import { testLedger } from '../support/staged-ledger.js';

it('a line is worked on when node-cron fires it, however long until the next look at the clock, and no more once it is stopped', async () => {
  const machine = systemClock();
  const clock: Clock = { ...machine, sleep: (_, signal) => machine.sleep(86_400_000, signal) };
  const ledger = testLedger(clock);
  const context = { ...actionContext(ledger), clock };
  const everySecond = scheduleSchema.parse({ cron: '* * * * * *', do: ['report'] });
  await registerServiceJobs(context, [jobName(everySecond)]);
  const stop = new AbortController();
  const slots: number[] = [];
  const work = async (_: unknown, { atMs }: { readonly atMs: number }) => {
    slots.push(atMs);
    if (slots.length === 2) stop.abort();
    return 'done' as const;
  };
  await timedJob({ ...context, stop: stop.signal, listen: () => {} }, everySecond, work);
  expect(slots).toHaveLength(2);
  expect(slots[1]).toBeGreaterThan(slots[0] ?? 0);
});

it('a machine whose clock is minutes ahead of the ledger works on the slots that have come by the ledger', async () => {
  const ledger = testLedger(systemClock());
  const ahead: Clock = { ...ledger.clock, nowMs: () => ledger.clock.nowMs() + 300_000 };
  const context = { ...actionContext(ledger), clock: ahead };
  const everySecond = scheduleSchema.parse({ cron: '* * * * * *', do: ['report'] });
  await registerServiceJobs(context, [jobName(everySecond)]);
  const stop = new AbortController();
  const earlyMs: number[] = [];
  const work = async (_: unknown, { atMs }: { readonly atMs: number }) => {
    earlyMs.push(atMs - ledger.clock.nowMs());
    stop.abort();
    return 'done' as const;
  };
  await timedJob({ ...context, stop: stop.signal, listen: () => {} }, everySecond, work);
  expect(earlyMs).toEqual([expect.any(Number)]);
  expect(earlyMs[0]).toBeLessThanOrEqual(0);
});

it('a line whose only time is left out when clocks go forward is due right after, though node-cron never fires it', () => {
  const line = { cron: '30 2 * 3 7L', timeZone: 'Europe/Berlin' };
  const stop = new AbortController();
  const nextFire = lineTimer(line, stop.signal);
  expect(nextFire().aborted).toBe(false);
  expect(nextSlotMs(line, Date.parse('2026-11-24T00:00:00Z'))).toBe(Date.parse('2027-03-28T01:00:00Z'));
  stop.abort();
  expect(nextFire().aborted).toBe(true);
});
