import { describe, expect, it } from 'vitest';
import { recordAnswer } from '../../src/ledger/attempts/answers.js';
import { storeNotice } from '../../src/ledger/attempts/notices.js';
import { waitingDelivery } from '../../src/ledger/attempts/waiting-requests.js';
import { withPush } from '../../src/ledger/attempts/with-push.js';
import { type NewRun, withRun } from '../../src/ledger/attempts/with-run.js';
import { readBooks } from '../../src/ledger/books/read-books.js';
import { readState } from '../../src/ledger/books/state/read-state.js';
import { clientRef, endPermit, type HeldPermit, takePermit } from '../../src/ledger/permits/quota.js';
import type { Ledger } from '../../src/ledger/store/query.js';
import { claim, findDue } from '../../src/ledger/submissions/claims.js';
import { learnersDue } from '../../src/ledger/submissions/rechecks.js';
import { deleteSkills } from '../../src/operations/relate-skills.js';
import {
  ACCEPTED,
  answerOf,
  claimNext,
  deliverNext,
  REJECTED,
  SERVER_ERROR,
  TEST_POLICY,
  UNKNOWN_LEARNER,
} from '../support/staged-ledger.js';
import { dueNext, pushLease, pushOf, pushUnderWay } from './delivery.js';
import { ENGINES } from './engines.js';
import { stage, stageRecords } from './staged-drop.js';
import { elsewhere, runUnderWay } from './under-way.js';

const ONE = elsewhere('one', 1);
const OTHER = elsewhere('other', 2);

const REFUSED = {
  operation: null,
  fault: { code: 'credentials', message: 'invalid_client', host: 'token', address: 'https://login.example' },
} as const;

const due = async (ledger: Ledger, runId: number) => findDue(ledger, { environment: 'main', runId });

describe.each(ENGINES)('on $name', ({ open }) => {
  describe('a push', () => {
    it('is the only one to its environment; a second one learns which process holds it', async () => {
      const { ledger } = await open();
      const { runId } = await stage(ledger, [{}]);
      const taken = await withPush(ledger, pushOf(runId, { owner: ONE }), async () => ({
        result: await withPush(ledger, pushOf(runId, { owner: OTHER }), async () => {
          throw new Error('two push at once');
        }),
        outage: null,
      }));
      expect(taken).toMatchObject({ done: { holder: { pid: 1, runId, takesAll: true } } });
    });

    it('begins with the requests that an earlier push left open: each becomes one without an answer, and its row waits again', async () => {
      const { ledger } = await open();
      const { runId } = await stage(ledger, [{}, { user: 'b@x.example' }]);
      await withPush(ledger, pushOf(runId), async ({ lease }) => {
        await claim(ledger, lease, await dueNext(ledger, runId), runId);
        return { result: null, outage: null };
      });
      expect(await readBooks(ledger, {})).toMatchObject({ attempts: { open: 1 }, states: { sending: 1 } });
      const begun = await withPush(ledger, pushOf(runId), async ({ waiting }) => ({
        result: waiting,
        outage: null,
      }));
      expect(begun).toEqual({ done: 2 });
      expect(await readBooks(ledger, {})).toMatchObject({
        attempts: { open: 0, responses: 0, total: 1 },
        states: { sending: 0, waiting: 2 },
      });
    });

    it('keeps its outages for the next push, until no row waits any more', async () => {
      const { ledger, clock } = await open();
      const { runId } = await stage(ledger, []);
      const outage = { causes: [REFUSED], sinceMs: clock.nowMs() };
      await withPush(ledger, pushOf(runId), async () => ({ result: null, outage }));
      expect((await readState(ledger, ['outages'])).outages).toMatchObject([
        { environment: 'main', runs: 1 },
      ]);
      await withPush(ledger, pushOf(runId), async ({ unusable, releaseWhenDrained }) => {
        expect(unusable).toEqual([null]);
        return { result: await releaseWhenDrained(), outage: null };
      });
      expect((await readState(ledger, ['outages'])).outages).toEqual([]);
    });

    it('keeps its lease while rows wait, and has none once none does', async () => {
      const { ledger } = await open();
      const { runId } = await stage(ledger, [{}]);
      await withPush(ledger, pushOf(runId), async ({ lease, releaseWhenDrained }) => {
        expect(await releaseWhenDrained()).toBe(1);
        expect(await claim(ledger, lease, await dueNext(ledger, runId), runId)).not.toBeNull();
        expect(await releaseWhenDrained()).toBe(0);
        const other = await withPush(ledger, pushOf(runId, { owner: OTHER }), async ({ waiting }) => ({
          result: waiting,
          outage: null,
        }));
        // The new owner answers for the request that was under way when the lease was released.
        expect(other).toEqual({ done: 1 });
        return { result: null, outage: null };
      });
    });

    it('that broke off leaves its lease to the next', async () => {
      const { ledger } = await open();
      const { runId } = await stage(ledger, []);
      const broken = withPush(ledger, pushOf(runId), async () => {
        throw new Error('broken');
      });
      await expect(broken).rejects.toThrow('broken');
      const next = await withPush(ledger, pushOf(runId, { owner: OTHER }), async () => ({
        result: 1,
        outage: null,
      }));
      expect(next).toEqual({ done: 1 });
    });
  });

  describe('a row', () => {
    it('is claimed once, and never by a process that has lost its lease', async () => {
      const { ledger } = await open();
      const { runId } = await stage(ledger, [{}, { user: 'b@x.example' }]);
      await withPush(ledger, pushOf(runId), async ({ lease }) => {
        const first = await dueNext(ledger, runId);
        expect(await claim(ledger, lease, first, runId)).toMatchObject({
          submissions: [{ submissionId: first }],
        });
        expect(await claim(ledger, lease, first, runId)).toBeNull();
        const second = await dueNext(ledger, runId);
        expect(second).not.toBe(first);
        const before = { ...lease, fence: { ...lease.fence, number: lease.fence.number - 1 } };
        expect(await claim(ledger, before, second, runId)).toBeNull();
        return { result: null, outage: null };
      });
    });
  });

  describe('a permit', () => {
    const RULE = { requests: 2, perMs: 60_000, reserve: 1, pace: 'burst' } as const;
    const DEADLINE_MS = 10_000;
    const take = async (ledger: Ledger, purpose: 'push' | 'rerun' = 'rerun') =>
      takePermit(ledger, 'client', RULE, purpose, DEADLINE_MS, 'main');

    async function taken(ledger: Ledger): Promise<HeldPermit> {
      const permit = await take(ledger);
      if (!('permitId' in permit)) throw new Error(`to be had in ${permit.waitMs} ms`);
      return permit;
    }

    it('is granted as often as the quota allows, without the reserve for reruns, and not after that', async () => {
      const { ledger } = await open();
      expect(await take(ledger, 'push')).toHaveProperty('permitId');
      expect(await take(ledger, 'push')).toHaveProperty('waitMs');
      expect(await take(ledger)).toHaveProperty('permitId');
      expect(await take(ledger)).toHaveProperty('waitMs');
    });

    it('is free again a period after the answer, and at once where the request never left', async () => {
      const { ledger, clock } = await open();
      const [first, second] = [await taken(ledger), await taken(ledger)];
      expect(await endPermit(ledger, first, { kind: 'answered' })).toBe(2);
      expect(await take(ledger)).toHaveProperty('waitMs');
      await endPermit(ledger, second, { kind: 'unused' });
      expect(await take(ledger)).toHaveProperty('permitId');
      expect(await take(ledger)).toHaveProperty('waitMs');
      await clock.pass(RULE.perMs + 1_000);
      expect(await take(ledger)).toHaveProperty('permitId');
    });

    it('is granted to no request during a pause that the platform requested, and then to one that goes alone', async () => {
      const { ledger, clock } = await open();
      await endPermit(ledger, await taken(ledger), { kind: 'throttled', forMs: 300_000 });
      await clock.pass(299_000);
      expect(await take(ledger)).toEqual({ waitMs: 1_000 });
      await clock.pass(1_000);
      const probe = await taken(ledger);
      expect(await take(ledger)).toHaveProperty('waitMs');
      await endPermit(ledger, probe, { kind: 'answered' });
      expect(await take(ledger)).toHaveProperty('permitId');
    });
  });

  describe('an answer', () => {
    /** One row is under way, of a drop whose canary stops it at the first refusal. */
    async function underWay() {
      const { ledger, clock } = await open();
      const { dropId, runId } = await stage(ledger, [{}, { user: 'b@x.example' }, { user: 'c@x.example' }]);
      const policy = { ...TEST_POLICY, canary: { rows: 3, maxRejected: 0 } };
      const claimed = await claimNext(ledger, await pushLease(ledger, runId), runId);
      const { attemptId = 0, submissionId = 0 } = claimed ?? {};
      return { ledger, clock, dropId, runId, policy, attemptId, submissionId };
    }

    it('is recorded once, and as a late one when it comes again', async () => {
      const { ledger, runId, policy, attemptId, submissionId } = await underWay();
      const effects = [{ submissionId, state: 'accepted', stops: null }];
      expect(await recordAnswer(ledger, attemptId, answerOf(ACCEPTED), policy, runId)).toMatchObject({
        effects,
      });
      expect(await recordAnswer(ledger, attemptId, answerOf(REJECTED, 400), policy, runId)).toMatchObject({
        effects: [{ submissionId, state: null }],
      });
      expect(await readBooks(ledger, {})).toMatchObject({ states: { accepted: 1 }, imbalances: [] });
    });

    it('that is one refusal too many stops its drop, whose other rows are held before any other row goes', async () => {
      const { ledger, dropId, runId, policy, attemptId } = await underWay();
      expect(await recordAnswer(ledger, attemptId, answerOf(REJECTED, 400), policy, runId)).toMatchObject({
        effects: [{ state: 'rejected', stops: { dropId, answered: 1, refused: 1 } }],
      });
      expect(await due(ledger, runId)).toEqual({ kind: 'nothing' });
      expect(await readBooks(ledger, {})).toMatchObject({ states: { rejected: 1, held: 2, waiting: 0 } });
    });

    it('that is sound ends the outages of earlier runs; a fault does not', async () => {
      for (const [outcome, endsOutage] of [
        [ACCEPTED, true],
        [SERVER_ERROR, false],
      ] as const) {
        const { ledger, clock } = await open();
        const { runId } = await stage(ledger, [{}]);
        const outage = { causes: [REFUSED], sinceMs: clock.nowMs() };
        await withPush(ledger, pushOf(runId), async () => ({ result: null, outage }));
        const claimed = await claimNext(ledger, await pushLease(ledger, runId), runId);
        const answer = answerOf(outcome, outcome.kind === 'accepted' ? 201 : 503);
        expect(await recordAnswer(ledger, claimed?.attemptId ?? 0, answer, TEST_POLICY, runId)).toMatchObject(
          {
            endsOutage,
          },
        );
        expect((await readState(ledger, ['outages'])).outages).toHaveLength(endsOutage ? 0 : 1);
      }
    });
  });

  const RUN: NewRun = { trigger: 'cron', owner: ONE, version: 'test', environments: null };

  describe('an outage', () => {
    it('of a removed environment ends; outages of other environments stay open', async () => {
      const { ledger, clock } = await open();
      const { runId } = await stage(ledger, []);
      const outage = { causes: [REFUSED], sinceMs: clock.nowMs() };
      for (const environment of ['main', 'gone'])
        await withPush(ledger, pushOf(runId, { environment }), async () => ({ result: null, outage }));
      const environments = ['main', 'new'];
      await withRun(
        ledger,
        { ...RUN, environments },
        async () => null,
        () => 'done',
      );
      expect((await readState(ledger, ['outages'])).outages).toMatchObject([
        { environment: 'main', endedAt: null },
      ]);
    });
  });

  it('a notice is new to its run once, and counted as often as it is seen', async () => {
    const { ledger } = await open();
    const runId = await runUnderWay(ledger);
    const notice = (counted: number) => ({ code: 'other-consumer', counted, ours: 1, requests: 70 }) as const;
    expect(await storeNotice(ledger, runId, 'main', notice(5))).toBe(true);
    expect(await storeNotice(ledger, runId, 'main', notice(9))).toBe(false);
    expect((await readBooks(ledger, { runId })).notices).toEqual([
      { environment: 'main', count: 2, notice: notice(9) },
    ]);
  });

  it('a refused learner is due to be rechecked after a while, so often, and no more once accepted', async () => {
    const { ledger, clock } = await open();
    const { runId } = await stage(ledger, [{}, { content: 'C-2' }, { content: 'C-3' }]);
    const policy = { afterMs: 60_000, times: 2 };
    const due = async () => (await learnersDue(ledger, 'main', policy)).map((found) => found.learner);
    const { held, end } = await pushUnderWay(ledger, runId);
    await deliverNext(ledger, held.lease, runId, UNKNOWN_LEARNER, 400);
    await end();
    expect(await due()).toEqual([]);
    const refusedAgain = async () => {
      await clock.pass(60_000);
      expect(await due()).toHaveLength(1);
      expect(await learnersDue(ledger, 'spare', policy)).toEqual([]);
      const recheck = await pushUnderWay(ledger, runId);
      await findDue(ledger, { environment: 'main', runId, recheck: policy });
      await deliverNext(ledger, recheck.held.lease, runId, UNKNOWN_LEARNER, 400);
      await recheck.end();
    };
    await refusedAgain();
    expect(await due()).toEqual([]);
    await refusedAgain();
    await clock.pass(60_000);
    expect(await due()).toEqual([]);
    const patient = { ...policy, times: 3 };
    expect(await learnersDue(ledger, 'main', patient)).toHaveLength(1);
    const { held: last } = await pushUnderWay(ledger, runId);
    await findDue(ledger, { environment: 'main', runId, recheck: patient });
    await deliverNext(ledger, last.lease, runId, ACCEPTED);
    expect(await learnersDue(ledger, 'main', patient)).toEqual([]);
  });

  describe('waiting rows', () => {
    it('are counted, with the requests that deliver them: rows that may share a request count together', async () => {
      const { ledger } = await open();
      await stage(ledger, [{}, { user: 'b@x.example' }]);
      const skills = ['C-1', 'C-1', 'C-2'].map((content, index) => ({
        'content-id': content,
        skill: `s${index}`,
      }));
      await stageRecords(ledger, deleteSkills, skills);
      const free = { pausedForMs: 0, isDown: false };
      const since = '2026-03-02T08:00:00.000Z';
      expect(await waitingDelivery(ledger, 'main', 'client')).toEqual({
        rows: 5,
        requests: 4,
        since,
        ...free,
      });
      const none = { rows: 0, requests: 0, since: null };
      expect(await waitingDelivery(ledger, 'other', 'client')).toEqual({ ...none, ...free });
    });

    it('is counted with its obstacles: a pause after a 429, and an outage of the environment', async () => {
      const { ledger, clock } = await open();
      const { runId } = await stage(ledger, [{}]);
      const outage = { causes: [REFUSED], sinceMs: clock.nowMs() };
      await withPush(ledger, pushOf(runId), async () => ({ result: null, outage }));
      const rule = { requests: 2, perMs: 60_000, reserve: 0, pace: 'burst' } as const;
      const permit = await takePermit(ledger, clientRef('client'), rule, 'push', 10_000);
      if ('waitMs' in permit) throw new Error('no permit');
      await endPermit(ledger, permit, { kind: 'throttled', forMs: 30_000 });
      await clock.pass(20_000);
      expect(await waitingDelivery(ledger, 'main', 'client')).toEqual({
        rows: 1,
        requests: 1,
        since: '2026-03-02T08:00:00.000Z',
        pausedForMs: 10_000,
        isDown: true,
      });
    });

    it('are abandoned once their push lease is free', async () => {
      const { ledger } = await open();
      const { runId } = await stage(ledger, [{}]);
      const { held, end } = await pushUnderWay(ledger, runId);
      await claimNext(ledger, held.lease, runId);
      expect((await readState(ledger, ['work'])).work.abandoned).toEqual([]);
      await end();
      expect((await readState(ledger, ['work'])).work.abandoned).toEqual([{ environment: 'main', rows: 1 }]);
    });

    it('name their environments until none waits there', async () => {
      const { ledger } = await open();
      const { runId } = await stage(ledger, [{}]);
      await stage(ledger, [{}], { environment: 'other' });
      expect((await readState(ledger, ['work'])).work.waiting).toEqual(['main', 'other']);
      await deliverNext(ledger, await pushLease(ledger, runId), runId, ACCEPTED);
      expect((await readState(ledger, ['work'])).work.waiting).toEqual(['other']);
    });
  });
});
