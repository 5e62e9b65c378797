import { describe, expect, it } from 'vitest';
import { alertsSchema } from '../../../src/config/schema/alerts-schema.js';
import { consoleSchema } from '../../../src/config/schema/console-schema.js';
import { scheduleSchema } from '../../../src/config/schema/schedule-schema.js';
import type { Config, ScheduleConfig } from '../../../src/config/schema.js';
import { jobName } from '../../../src/config/values/job-name.js';
import type { RunEnd } from '../../../src/domain/process/run.js';
import { endOutages, keepOutages } from '../../../src/ledger/attempts/outages.js';
import { readStatus } from '../../../src/ledger/books/read-status.js';
import { beginService, underSlot } from '../../../src/ledger/leases/jobs.js';
import { thisProcess } from '../../../src/ledger/leases/owner.js';
import { beginRun, endRun } from '../../../src/ledger/leases/runs.js';
import type { Ledger } from '../../../src/ledger/store/query.js';
import { healthOf } from '../../../src/report/status/health.js';
import { firingsBetween } from '../../../src/schedule/slots.js';
import { environmentAt } from '../../platform/fixtures.js';
import { type ManualClock, manualClock } from '../../support/manual-clock.js';
import { mustLease, stage, testLedger } from '../../support/staged-ledger.js';

const MINUTE_MS = 60_000;
const EVERY_QUARTER = [scheduleSchema.parse({ cron: '*/15 * * * *', timeZone: 'UTC', do: ['run'] })];

function world(schedule: Config['schedule'] = EVERY_QUARTER) {
  const clock = manualClock('2026-03-02T08:00:10.000Z');
  const ledger = testLedger(clock);
  const config = {
    environments: { main: environmentAt('https://platform.example') },
    sources: [],
    reports: { folder: 'reports' },
    schedule,
    monitor: { pings: [] },
    alerts: alertsSchema.parse({}),
    console: consoleSchema.parse({}),
  };
  return { clock, ledger, health: async () => healthOf(ledger, config, firingsBetween) };
}

async function ran(ledger: Ledger, end: RunEnd, trigger: 'cron' | 'manual' = 'cron'): Promise<number> {
  const runId = await beginRun(ledger, trigger, thisProcess(), 'test');
  await endRun(ledger, runId, end);
  return runId;
}

const pass = (clock: ManualClock, minutes: number) => clock.pass(minutes * MINUTE_MS);

describe('with a schedule', () => {
  it('one missed firing is no problem, two and the grace are reported, with how long and how many rows wait', async () => {
    const { clock, ledger, health } = world();
    await ran(ledger, 'done');
    await stage(ledger, [{ user: 'ada@example.org' }]);
    pass(clock, 34);
    expect(await health()).toEqual({ healthy: true, exit: 'done', problems: [] });
    pass(clock, 1);
    expect(await health()).toMatchObject({
      healthy: false,
      exit: 'attention',
      problems: [{ code: 'overdue' }],
    });
    expect((await health()).problems[0]?.message).toMatch(
      /^No run has got through since .* for 35 min, .*; 1 row waits\./,
    );
  });

  it('a daemon that fires and fails each time is not healthy', async () => {
    const { clock, ledger, health } = world();
    await ran(ledger, 'done');
    for (let quarter = 0; quarter < 4; quarter += 1) {
      pass(clock, 15);
      await ran(ledger, quarter % 2 === 0 ? 'error' : 'died');
    }
    expect(await health()).toMatchObject({ exit: 'attention', problems: [{ code: 'overdue' }] });
    expect((await health()).problems[0]?.message).toContain('the latest broke off with an error');
  });

  it('a run by hand is no sign that the scheduler lives', async () => {
    const { clock, ledger, health } = world();
    pass(clock, 60);
    await ran(ledger, 'done', 'manual');
    expect((await health()).healthy).toBe(false);
  });

  it('a scheduler that has just started is given its time, whatever was due before', async () => {
    const { clock, ledger, health } = world();
    pass(clock, 600);
    expect((await health()).healthy).toBe(false);
    await beginService(ledger, []);
    expect((await health()).healthy).toBe(true);
    expect((await readStatus(ledger, [])).liveness.since).toBe('2026-03-02T18:00:10.000Z');
  });

  it('a run that delivers for hours is work that gets done', async () => {
    const { clock, ledger, health } = world();
    await ran(ledger, 'done');
    pass(clock, 600);
    await mustLease(ledger, 'push:main');
    expect((await health()).healthy).toBe(true);
  });
});

describe('whatever the schedule', () => {
  const fault = {
    code: 'connection-refused',
    said: 'connect ECONNREFUSED 127.0.0.1:9',
    host: 'token',
    address: 'https://login.example/oauth/token',
  } as const;

  it('an environment that can’t be used is not healthy, until it can', async () => {
    const { clock, ledger, health } = world([]);
    const runId = await ran(ledger, 'unavailable');
    await keepOutages(ledger, runId, 'main', [{ operation: null, fault }], clock.nowMs());
    expect(await health()).toMatchObject({
      exit: 'unavailable',
      problems: [{ code: 'outage', environment: 'main' }],
    });
    expect((await health()).problems[0]?.message).toMatch(
      /^Environment main can't be used since .*127\.0\.0\.1:9.*Nothing listens/,
    );
    await endOutages(ledger, 'main', null);
    expect((await health()).healthy).toBe(true);
  });

  it('of one that registrar.yaml doesn’t have any more nothing is said', async () => {
    const { clock, ledger, health } = world([]);
    const runId = await ran(ledger, 'unavailable');
    await keepOutages(ledger, runId, 'gone', [{ operation: null, fault }], clock.nowMs());
    expect((await health()).healthy).toBe(true);
  });

  it('without a schedule the latest run alone decides', async () => {
    const { clock, ledger, health } = world([]);
    await ran(ledger, 'error');
    pass(clock, 10_000);
    expect(await health()).toMatchObject({ exit: 'attention', problems: [{ code: 'run-failed' }] });
    await ran(ledger, 'done');
    expect((await health()).healthy).toBe(true);
  });

  it('books that don’t balance are not healthy', async () => {
    const { ledger, health } = world();
    await ran(ledger, 'unbalanced');
    expect(await health()).toMatchObject({ exit: 'unbalanced', problems: [{ code: 'unbalanced' }] });
  });
});

it('a line of the schedule that failed at its latest time is named, until it gets through', async () => {
  const { clock, ledger, health } = world();
  const job = jobName(EVERY_QUARTER[0] as ScheduleConfig);
  await beginService(ledger, [job]);
  const work = async (ending: 'failed' | 'done') => {
    const slotAt = new Date(clock.nowMs()).toISOString();
    pass(clock, 15);
    await underSlot(ledger, { job, slotAt, sinceAt: '', missed: 0 }, thisProcess(), async () => ({
      result: null,
      ending,
    }));
    await ran(ledger, 'done');
  };
  await work('failed');
  expect(await health()).toMatchObject({
    healthy: false,
    exit: 'attention',
    problems: [{ code: 'line-failed', message: expect.stringContaining(`"${job}" failed at`) }],
  });
  await work('done');
  expect(await health()).toMatchObject({ healthy: true });
});
