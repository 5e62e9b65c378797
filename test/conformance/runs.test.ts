import { describe, expect, it } from 'vitest';
import { withRun } from '../../src/ledger/attempts/with-run.js';
import { thisProcess } from '../../src/ledger/leases/owner.js';
import { listRuns, type RunListQuery, runFacts } from '../../src/ledger/leases/runs.js';
import type { Ledger } from '../../src/ledger/store/query.js';
import { ACCEPTED, deliverNext } from '../support/staged-ledger.js';
import { pushLease } from './delivery.js';
import { ENGINES } from './engines.js';
import { stage } from './staged-drop.js';
import { elsewhere, runUnderWay } from './under-way.js';

const ALL: RunListQuery = { trigger: null, end: null, after: null, limit: 50 };

async function numbers(ledger: Ledger, query: Partial<RunListQuery> = {}) {
  return (await listRuns(ledger, { ...ALL, ...query })).rows.map(({ runId }) => runId);
}

async function ranAs(ledger: Ledger, trigger: 'cron' | 'manual', end: 'done' | 'attention'): Promise<number> {
  const run = { trigger, owner: elsewhere('one'), version: '1.2.3', environments: null };
  return withRun(
    ledger,
    run,
    async ({ runId }) => runId,
    () => end,
  );
}

describe.each(ENGINES)('on $name', ({ open }) => {
  /** A run by the schedule, two by hand, and one that goes on. */
  async function withRuns() {
    const opened = await open();
    const { ledger } = opened;
    const cron = await ranAs(ledger, 'cron', 'done');
    const done = await ranAs(ledger, 'manual', 'done');
    const attention = await ranAs(ledger, 'manual', 'attention');
    return { ...opened, cron, done, attention, goesOn: await runUnderWay(ledger) };
  }

  describe('the list of runs', () => {
    it('is narrowed by what began a run and by how it ended', async () => {
      const { ledger, cron, done, attention, goesOn } = await withRuns();
      expect(await numbers(ledger)).toEqual([goesOn, attention, done, cron]);
      expect(await numbers(ledger, { trigger: 'manual' })).toEqual([goesOn, attention, done]);
      expect(await numbers(ledger, { end: 'done' })).toEqual([done, cron]);
      expect(await numbers(ledger, { end: 'open' })).toEqual([goesOn]);
      expect((await listRuns(ledger, { ...ALL, trigger: 'cron', limit: 1 })).total).toBe(1);
    });

    it('goes on after the last run of a page, and ends where no run is left', async () => {
      const { ledger } = await withRuns();
      const whole = await numbers(ledger);
      const first = await listRuns(ledger, { ...ALL, limit: 3 });
      expect([first.total, first.next]).toEqual([4, whole[2]]);
      const rest = await listRuns(ledger, { ...ALL, limit: 3, after: first.next });
      expect([rest.total, rest.next]).toEqual([4, null]);
      expect([...first.rows, ...rest.rows].map(({ runId }) => runId)).toEqual(whole);
    });

    it('has the imported rows and the requests of each run', async () => {
      const { ledger } = await open();
      const { runId } = await stage(ledger, [{}, { user: 'b@x.example' }]);
      const delivery = await runUnderWay(ledger);
      await deliverNext(ledger, await pushLease(ledger, delivery), delivery, ACCEPTED);
      expect((await listRuns(ledger, ALL)).rows).toMatchObject([
        { runId: delivery, files: 0, rows: 0, requests: 1, areAllCounted: true },
        { runId, files: 1, rows: 2, requests: 0, areAllCounted: true },
      ]);
    });
  });

  describe('a run in full', () => {
    it('says how it ended, and which later run reports it in its place', async () => {
      const { ledger } = await open();
      const run = { trigger: 'cron' as const, owner: elsewhere('one'), version: '1.2.3' };
      let broken = 0;
      const breaking = withRun(
        ledger,
        { ...run, environments: null },
        async ({ runId }) => {
          broken = runId;
          throw new Error('broken');
        },
        () => 'done',
      );
      await expect(breaking).rejects.toThrow('broken');
      expect(await runFacts(ledger, broken)).toMatchObject({ end: 'error', adoptedBy: null });
      const adopter = await withRun(
        ledger,
        { ...run, environments: ['main'] },
        async ({ runId }) => runId,
        () => 'attention',
      );
      expect(await runFacts(ledger, broken)).toMatchObject({ end: 'error', adoptedBy: adopter });
      expect(await runFacts(ledger, adopter + 99)).toBeNull();
      expect(await runFacts(ledger, adopter)).toMatchObject({ end: 'attention', version: '1.2.3' });
    });

    it('is adopted once its process has died', async () => {
      const { ledger, connect } = await open();
      // A pid beyond the largest that Linux gives.
      const dead = { ...thisProcess(), id: 'dead', pid: 4_194_305, pidStarted: null };
      const runId = await runUnderWay(await connect('stuck'), { owner: dead });
      const adopter = await withRun(
        ledger,
        { trigger: 'cron', owner: thisProcess(), version: '1.2.3', environments: ['main'] },
        async ({ runId }) => runId,
        () => 'done',
      );
      expect(await runFacts(ledger, runId)).toMatchObject({ end: 'died', adoptedBy: adopter });
    });
  });
});
