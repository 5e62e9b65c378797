import { describe, expect, it } from 'vitest';
import { readBooks } from '../../src/ledger/books/read-books.js';
import { readState } from '../../src/ledger/books/state/read-state.js';
import type { Ledger } from '../../src/ledger/store/query.js';
import {
  ACCEPTED,
  claimNext,
  deliverNext,
  REJECTED,
  SERVER_ERROR,
  THROTTLED,
  UNKNOWN_LEARNER,
} from '../support/staged-ledger.js';
import { pushLease } from './delivery.js';
import { ENGINES } from './engines.js';
import { stage } from './staged-drop.js';

const ADA = { user: 'ada@x.example' };
const BEA = { user: 'bea@x.example' };
const CY = { user: 'cy@x.example' };
const MAIN = { name: 'main', clientId: 'x', rechecks: 0 };

/** Rows by state, `state cause` where there is a cause. */
async function counted(ledger: Ledger): Promise<Record<string, number>> {
  const { submissions } = await readState(ledger, ['submissions']);
  return Object.fromEntries(
    submissions.map(({ environment, state, cause, count }) => [
      [environment, state, ...(cause === null ? [] : [cause])].join(' '),
      count,
    ]),
  );
}

describe.each(ENGINES)('on $name', ({ open }) => {
  describe('metrics', () => {
    it('count rows by environment, state and cause, and sum up to the books', async () => {
      const { ledger } = await open();
      const { runId } = await stage(ledger, [
        ADA,
        BEA,
        CY,
        { user: 'dan@x.example' },
        { user: 'eve@x.example' },
      ]);
      await stage(ledger, [ADA], { environment: 'other' });
      const lease = await pushLease(ledger, runId);
      await deliverNext(ledger, lease, runId, ACCEPTED);
      await deliverNext(ledger, lease, runId, REJECTED, 400);
      await deliverNext(ledger, lease, runId, UNKNOWN_LEARNER, 400);
      await claimNext(ledger, lease, runId);
      expect(await counted(ledger)).toEqual({
        'main accepted': 1,
        'main rejected platform-refused': 1,
        'main rejected learner-unknown': 1,
        'main sending': 1,
        'main waiting': 1,
        'other waiting': 1,
      });
      const { states } = await readBooks(ledger, {});
      const { submissions } = await readState(ledger, ['submissions']);
      for (const [state, count] of Object.entries(states)) {
        const ofState = submissions.filter((one) => one.state === state);
        expect([state, ofState.reduce((sum, one) => sum + one.count, 0)]).toEqual([state, count]);
      }
    });

    it('count a newer revision as well as the one that it replaced', async () => {
      const { ledger } = await open();
      await stage(ledger, [{ ...ADA, percentile: 50 }]);
      await stage(ledger, [{ ...ADA, percentile: 60 }]);
      expect(await counted(ledger)).toEqual({ 'main replaced newer-revision': 1, 'main waiting': 1 });
    });

    it('count no row of an unpublished drop, in whatever state it will be', async () => {
      const { ledger } = await open();
      await stage(ledger, [ADA, BEA]);
      await stage(ledger, [CY, { ...ADA, content: 'C-9' }], { publish: false });
      expect(await counted(ledger)).toEqual({ 'main waiting': 2 });
      const { sources } = await readState(ledger, ['sources']);
      expect(sources.map(({ drops, dispositions }) => [drops, dispositions.staged])).toEqual([[1, 2]]);
    });

    it('count no held row of an unpublished drop', async () => {
      const { ledger } = await open();
      const { runId } = await stage(ledger, [{ ...ADA, percentile: 50 }]);
      await deliverNext(ledger, await pushLease(ledger, runId), runId, ACCEPTED);
      await stage(ledger, [{ ...ADA, percentile: 60 }], { publish: false });
      expect(await counted(ledger)).toEqual({ 'main accepted': 1 });
    });

    it('say since when the oldest of the next rows waits: since it came in, or since it was released', async () => {
      const { ledger, clock } = await open();
      const since = async () =>
        (await readState(ledger, ['environments'], { environments: [MAIN] })).environments[0]?.waitingSince;
      expect(await since()).toBeNull();
      await stage(ledger, [ADA, BEA]);
      const came = ledger.clock.nowMs();
      await clock.pass(60_000);
      await stage(ledger, [CY]);
      expect(await since()).toBe(new Date(came).toISOString());
    });

    it('name open requests, permits and who delivers', async () => {
      const { ledger } = await open();
      const { runId } = await stage(ledger, [ADA]);
      const present = async () =>
        readState(ledger, ['openAttempts', 'environments'], { environments: [MAIN] });
      const idle = await present();
      expect(idle).toMatchObject({ openAttempts: 0, environments: [{ pushedBy: null }] });
      const lease = await pushLease(ledger, runId);
      await claimNext(ledger, lease, runId);
      const busy = await present();
      expect(busy).toMatchObject({
        openAttempts: 1,
        environments: [
          { pushedBy: { pid: process.pid }, isDown: false, quota: { permits: 0, pausedForMs: 0 } },
        ],
      });
    });
  });

  describe('counters of answers and arrivals', () => {
    it('count each first answer once, and late ones never', async () => {
      const { ledger } = await open();
      const { runId } = await stage(ledger, [ADA, BEA, CY]);
      const lease = await pushLease(ledger, runId);
      const answers = async () => (await readState(ledger, ['answers'])).answers;
      expect(await answers()).toEqual([]);
      for (const [outcome, status] of [
        [ACCEPTED, 201],
        [THROTTLED, 429],
        [SERVER_ERROR, 503],
        [REJECTED, 400],
      ] as const) {
        await deliverNext(ledger, lease, runId, outcome, status);
      }
      expect(
        (await answers()).map(({ environment, outcome, count }) => `${environment} ${outcome} ${count}`),
      ).toEqual(['main accepted 1', 'main rejected 1', 'main throttled 1', 'main transient 1']);
    });

    it('know when the latest file of each source came in', async () => {
      const { ledger, clock } = await open();
      const latest = async () => (await readState(ledger, ['arrivals'])).arrivals;
      await stage(ledger, [ADA]);
      expect(await latest()).toEqual([{ source: 'academy', at: '2026-03-02T08:00:00.000Z' }]);
      await clock.setWall(clock.nowMs() + 3_600_000);
      await stage(ledger, [BEA]);
      expect(await latest()).toEqual([{ source: 'academy', at: '2026-03-02T09:00:00.000Z' }]);
    });
  });
});
