import { describe, expect, it } from 'vitest';
import type { Config } from '../../src/config/schema.js';
import type { RunEnd } from '../../src/domain/run.js';
import { livenessOf, schedulerStarted } from '../../src/ledger/liveness.js';
import { endOutages, keepOutages } from '../../src/ledger/outages.js';
import { thisProcess } from '../../src/ledger/owner.js';
import type { Ledger } from '../../src/ledger/query.js';
import { beginRun, endRun } from '../../src/ledger/runs.js';
import { healthOf } from '../../src/report/health.js';
import { firingsBetween } from '../../src/schedule/firings.js';
import { environmentAt } from '../platform/fixtures.js';
import { type ManualClock, manualClock } from '../support/manual-clock.js';
import { mustLease, stage, testLedger } from '../support/staged-ledger.js';

const MINUTE_MS = 60_000;
const EVERY_QUARTER = [{ cron: '*/15 * * * *', timeZone: 'UTC', do: ['run' as const], sources: [] }];

function world(schedule: Config['schedule'] = EVERY_QUARTER) {
  const clock = manualClock('2026-03-02T08:00:10.000Z');
  const ledger = testLedger(clock);
  const config = {
    environments: { main: environmentAt('https://platform.example') },
    sources: [],
    reports: { folder: 'reports' },
    schedule,
  };
  return { clock, ledger, health: () => healthOf(ledger, config, firingsBetween) };
}

function ran(ledger: Ledger, end: RunEnd, trigger: 'cron' | 'manual' = 'cron'): number {
  const runId = beginRun(ledger, trigger, thisProcess(), 'test');
  endRun(ledger, runId, end);
  return runId;
}

const pass = (clock: ManualClock, minutes: number) => clock.pass(minutes * MINUTE_MS);

describe('with a schedule', () => {
  it('one missed firing is nothing, two and the grace are told, with how long and how many rows wait', () => {
    const { clock, ledger, health } = world();
    ran(ledger, 'done');
    stage(ledger, [{ user: 'ada@example.org' }]);
    pass(clock, 34);
    expect(health()).toEqual({ healthy: true, exit: 'done', problems: [] });
    pass(clock, 1);
    expect(health()).toMatchObject({ healthy: false, exit: 'attention', problems: [{ code: 'overdue' }] });
    expect(health().problems[0]?.message).toMatch(
      /^No run has got through since .* for 35 min, .*; 1 row waits\./,
    );
  });

  it('a daemon that fires and fails each time is not healthy', () => {
    const { clock, ledger, health } = world();
    ran(ledger, 'done');
    for (let quarter = 0; quarter < 4; quarter += 1) {
      pass(clock, 15);
      ran(ledger, quarter % 2 === 0 ? 'error' : 'died');
    }
    expect(health()).toMatchObject({ exit: 'attention', problems: [{ code: 'overdue' }] });
    expect(health().problems[0]?.message).toContain('the latest broke off with an error');
  });

  it('a run by hand is no sign that the scheduler lives', () => {
    const { clock, ledger, health } = world();
    pass(clock, 60);
    ran(ledger, 'done', 'manual');
    expect(health().healthy).toBe(false);
  });

  it('a scheduler that has just started is given its time, whatever was due before', () => {
    const { clock, ledger, health } = world();
    pass(clock, 600);
    expect(health().healthy).toBe(false);
    schedulerStarted(ledger);
    expect(health().healthy).toBe(true);
    expect(livenessOf(ledger, []).since).toBe('2026-03-02T18:00:10.000Z');
  });

  it('a run that delivers for hours is work that gets done', () => {
    const { clock, ledger, health } = world();
    ran(ledger, 'done');
    pass(clock, 600);
    mustLease(ledger, 'push:main');
    expect(health().healthy).toBe(true);
  });
});

describe('whatever the schedule', () => {
  const fault = {
    code: 'connection-refused',
    said: 'connect ECONNREFUSED 127.0.0.1:9',
    host: 'token',
    address: 'https://login.example/oauth/token',
  } as const;

  it('an environment that can’t be used is not healthy, until it can', () => {
    const { clock, ledger, health } = world([]);
    const runId = ran(ledger, 'unavailable');
    keepOutages(ledger, runId, 'main', [{ operation: null, fault }], clock.nowMs());
    expect(health()).toMatchObject({
      exit: 'unavailable',
      problems: [{ code: 'outage', environment: 'main' }],
    });
    expect(health().problems[0]?.message).toMatch(
      /^Environment main can't be used since .*127\.0\.0\.1:9.*Nothing listens/,
    );
    endOutages(ledger, 'main', null);
    expect(health().healthy).toBe(true);
  });

  it('of one that registrar.yaml doesn’t have any more nothing is said', () => {
    const { clock, ledger, health } = world([]);
    const runId = ran(ledger, 'unavailable');
    keepOutages(ledger, runId, 'gone', [{ operation: null, fault }], clock.nowMs());
    expect(health().healthy).toBe(true);
  });

  it('without a schedule the latest run alone tells', () => {
    const { clock, ledger, health } = world([]);
    ran(ledger, 'error');
    pass(clock, 10_000);
    expect(health()).toMatchObject({ exit: 'attention', problems: [{ code: 'run-failed' }] });
    ran(ledger, 'done');
    expect(health().healthy).toBe(true);
  });

  it('books that don’t balance are not healthy', () => {
    const { ledger, health } = world();
    ran(ledger, 'unbalanced');
    expect(health()).toMatchObject({ exit: 'unbalanced', problems: [{ code: 'unbalanced' }] });
  });
});
