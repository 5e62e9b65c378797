import { describe, expect, it } from 'vitest';
import { outagesIn } from '../../src/ledger/attempts/outages.js';
import { withPush } from '../../src/ledger/attempts/with-push.js';
import { withRun } from '../../src/ledger/attempts/with-run.js';
import { readState } from '../../src/ledger/books/state/read-state.js';
import { recordInbox } from '../../src/ledger/drops/record-inbox.js';
import { refuseDrop } from '../../src/ledger/drops/refused/refuse-drop.js';
import { registerJobs, withSlot } from '../../src/ledger/leases/jobs.js';
import { thisProcess } from '../../src/ledger/leases/owner.js';
import { signOn } from '../../src/ledger/leases/services.js';
import { clientRef, endPermit, takePermit } from '../../src/ledger/permits/quota.js';
import type { Ledger } from '../../src/ledger/store/query.js';
import { ACCEPTED, claimNext, deliverNext, SERVER_ERROR } from '../support/staged-ledger.js';
import { pushLease, pushOf, pushUnderWay } from './delivery.js';
import { ENGINES } from './engines.js';
import { START } from './found-outage.js';
import { fileOf, publishedDrop, stage } from './staged-drop.js';
import { elsewhere, runUnderWay } from './under-way.js';

const PARTS = [
  ...['createdAt', 'work', 'services', 'latestRun', 'jobs', 'unbalanced', 'refusedBySource', 'outages'],
  ...['environments', 'stranded', 'arrivalTimes', 'alerts', 'fileSystems'],
] as const;
const MAIN = { name: 'main', clientId: 'client', rechecks: 0, missed: null };
const RULE = { requests: 2, perMs: 60_000, reserve: 0, pace: 'burst' } as const;

/** A push that finds the environment out of order. */
async function findOutage(ledger: Ledger, runId: number, sinceMs: number, environment = 'main') {
  const fault = {
    code: 'credentials',
    message: 'no',
    host: 'token',
    address: 'https://login.example',
  } as const;
  const outage = { causes: [{ operation: null, fault }], sinceMs };
  await withPush(ledger, pushOf(runId, { environment }), async () => ({ result: null, outage }));
}

describe.each(ENGINES)('on $name', ({ open }) => {
  describe('what health is judged by', () => {
    it('has nothing to report of a new ledger, but since when it exists', async () => {
      const { ledger } = await open();
      expect(await readState(ledger, PARTS)).toMatchObject({
        createdAt: START,
        services: [],
        latestRun: null,
        unbalanced: null,
        refusedBySource: [],
        outages: [],
        stranded: [],
        alerts: { open: [], failing: [] },
        fileSystems: new Map(),
        arrivalTimes: new Map(),
      });
    });

    it('has the rows that were due by a missed deadline, and no row that came after it', async () => {
      const { ledger, clock } = await open();
      await stage(ledger, [{}, { user: 'b@x.example' }]);
      await clock.pass(60_000);
      const missed = new Date(clock.nowMs()).toISOString();
      await clock.pass(60_000);
      await stage(ledger, [{ user: 'c@x.example' }]);
      const due = async (at: string | null) =>
        (await readState(ledger, ['environments'], { environments: [{ ...MAIN, missed: at }] })).environments;
      expect(await due(missed)).toMatchObject([{ environment: 'main', due: 2 }]);
      expect(await due(null)).toMatchObject([{ due: 0 }]);
    });

    it('has the pause that a platform requested, as long as it lasts', async () => {
      const { ledger, clock } = await open();
      const permit = await takePermit(ledger, clientRef('client'), RULE, 'push', 10_000);
      if ('waitMs' in permit) throw new Error('no permit');
      await endPermit(ledger, permit, { kind: 'throttled', forMs: 30_000 });
      const paused = async () =>
        (await readState(ledger, ['environments'], { environments: [MAIN] })).environments[0]?.quota
          .pausedForMs;
      expect(await paused()).toBe(30_000);
      await clock.pass(10_000);
      expect(await paused()).toBe(20_000);
      await clock.pass(20_000);
      expect(await paused()).toBe(0);
    });

    it('names environments outside the query that have rows waiting', async () => {
      const { ledger } = await open();
      await stage(ledger, [{}]);
      await stage(ledger, [{}], { environment: 'gone' });
      const { stranded } = await readState(ledger, ['stranded'], { environments: [MAIN] });
      expect(stranded).toMatchObject([{ environment: 'gone', waiting: 1 }]);
    });

    it('has the refused files of each source with the first time and the codes, until they are imported', async () => {
      const { ledger, clock } = await open();
      const cut = { ...(await fileOf(ledger, 'cut.csv')), format: 'csv' as const };
      await refuseDrop(ledger, cut, { code: 'drop-unreadable', text: 'It is cut.' });
      await clock.pass(1_000);
      const other = { ...(await fileOf(ledger, 'other.csv')), format: 'csv' as const };
      await refuseDrop(ledger, other, { code: 'drop-unreadable', text: 'It is cut.' });
      const refused = async () => (await readState(ledger, ['refusedBySource'])).refusedBySource;
      const academy = { source: 'academy', since: START, codes: ['drop-unreadable'] };
      expect(await refused()).toEqual([{ ...academy, files: 2 }]);
      await publishedDrop(ledger, other, []);
      expect(await refused()).toEqual([{ ...academy, files: 1 }]);
    });

    it('has when files of an expected source arrived, known and refused ones too', async () => {
      const { ledger, clock } = await open();
      await publishedDrop(ledger, 'a.csv', [{}]);
      await clock.pass(1_000);
      const cut = { ...(await fileOf(ledger, 'cut.csv')), format: 'csv' as const };
      await refuseDrop(ledger, cut, { code: 'drop-unreadable', text: 'It is cut.' });
      const query = { sources: ['academy', 'never'] };
      const { arrivalTimes } = await readState(ledger, ['arrivalTimes'], query);
      expect([...arrivalTimes]).toEqual([
        ['academy', [new Date(clock.nowMs()).toISOString(), START]],
        ['never', []],
      ]);
    });

    it('has the state of the requested jobs, and the end of the latest run', async () => {
      const { ledger } = await open();
      await registerJobs(ledger, ['report']);
      const slot = { job: 'report', slotAt: START, sinceAt: '2026-03-01T08:00:00.000Z', missed: 0 };
      await withSlot(ledger, slot, thisProcess(), async () => ({ result: null, ending: 'done' }));
      const run = { trigger: 'cron' as const, owner: thisProcess(), version: 'test', environments: null };
      await withRun(
        ledger,
        run,
        async () => null,
        () => 'attention',
      );
      await runUnderWay(ledger);
      const { jobs, latestRun } = await readState(ledger, ['jobs', 'latestRun'], { jobs: ['report'] });
      expect(jobs).toMatchObject([{ job: 'report', latest: { ending: 'done' } }]);
      expect(latestRun).toEqual({ end: 'attention', at: START });
    });
  });

  it('the file system of an inbox is the one that it was on last', async () => {
    const { ledger } = await open();
    for (const [source, fileSystem] of [
      ['academy', 'ext4'],
      ['sales', 'nfs'],
      ['academy', 'nfs'],
      ['academy', 'nfs'],
    ] as const) {
      await recordInbox(ledger, source, { kind: 'file-system', fileSystem });
    }
    const { fileSystems } = await readState(ledger, ['fileSystems']);
    expect(Object.fromEntries(fileSystems)).toEqual({ academy: 'nfs', sales: 'nfs' });
  });

  describe('outages', () => {
    it('last from the moment that the first run gave until an answer comes, and count the runs that found them', async () => {
      const { ledger, clock } = await open();
      const { runId } = await stage(ledger, [{}, { user: 'b@x.example' }]);
      const sinceMs = clock.nowMs() - 5_000;
      await findOutage(ledger, runId, sinceMs);
      const next = await runUnderWay(ledger);
      await clock.pass(1_000);
      await findOutage(ledger, next, clock.nowMs());
      const since = new Date(sinceMs).toISOString();
      expect(await outagesIn(ledger, {})).toMatchObject([
        { environment: 'main', operation: null, since, endedAt: null, runs: 2, waiting: 2 },
      ]);
      await deliverNext(ledger, await pushLease(ledger, next), next, ACCEPTED);
      expect(await outagesIn(ledger, {})).toEqual([]);
      const endedAt = new Date(clock.nowMs()).toISOString();
      expect(await outagesIn(ledger, { runId })).toMatchObject([{ since, endedAt }]);
    });

    it('of a selection are those that its run found, or that its rows wait for', async () => {
      const { ledger, clock } = await open();
      const { runId } = await stage(ledger, [{}]);
      const finder = await runUnderWay(ledger);
      await findOutage(ledger, finder, clock.nowMs());
      await findOutage(ledger, finder, clock.nowMs(), 'spare');
      const found = async (selection: Parameters<typeof outagesIn>[1]) =>
        (await outagesIn(ledger, selection)).map(({ environment }) => environment);
      expect(await found({ runId: finder })).toEqual(['main', 'spare']);
      expect(await found({ runId })).toEqual(['main']);
      expect(await found({ source: 'academy' })).toEqual(['main']);
      expect(await found({ source: 'another' })).toEqual([]);
    });

    it('say until when the environment worked before', async () => {
      const { ledger, clock } = await open();
      const { runId } = await stage(ledger, [{}, { user: 'b@x.example' }, { user: 'c@x.example' }]);
      const { held, end } = await pushUnderWay(ledger, runId);
      await deliverNext(ledger, held.lease, runId, ACCEPTED);
      const workedUntil = new Date(clock.nowMs()).toISOString();
      await clock.pass(1_000);
      await deliverNext(ledger, held.lease, runId, SERVER_ERROR, 503);
      await end();
      await clock.pass(1_000);
      await findOutage(ledger, runId, clock.nowMs());
      await stage(ledger, [{}], { environment: 'spare' });
      await findOutage(ledger, runId, clock.nowMs(), 'spare');
      const { outages } = await readState(ledger, ['outages']);
      expect(outages.map((outage) => [outage.environment, outage.workedUntil])).toEqual([
        ['main', workedUntil],
        ['spare', null],
      ]);
    });
  });

  it('the live services are those whose heartbeats come', async () => {
    const { ledger, clock, connect } = await open();
    const { runId } = await stage(ledger, [{}]);
    await signOn(ledger, elsewhere('service'));
    const { held } = await pushUnderWay(ledger, runId, { owner: elsewhere('one') });
    await pushUnderWay(await connect('stuck'), runId, { environment: 'spare', owner: elsewhere('other') });
    await claimNext(ledger, held.lease, runId);
    const state = () => readState(ledger, ['work', 'services']);
    const working = async () =>
      (await state()).work.leases.filter(({ isAlive }) => isAlive).map(({ name }) => name);
    expect(await working()).toEqual(['push:main', 'push:spare']);
    await clock.pass(31_000);
    expect(await working()).toEqual(['push:main']);
    expect((await state()).services).toMatchObject([{ host: 'service.example', isAlive: true }]);
  });
});
