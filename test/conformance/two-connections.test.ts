import { describe, expect, it } from 'vitest';
import { collected } from '../../src/domain/process/series.js';
import { recordToken } from '../../src/ledger/access/tokens.js';
import { reconcileAlerts, recordNotification } from '../../src/ledger/alerts/reconcile-alerts.js';
import { withRun } from '../../src/ledger/attempts/with-run.js';
import { readBooks } from '../../src/ledger/books/read-books.js';
import { closeDecision, readDecision } from '../../src/ledger/decisions/decision-log.js';
import { mapLearner } from '../../src/ledger/decisions/mapping.js';
import { moveListedRows } from '../../src/ledger/decisions/move-listed-rows.js';
import { beginDrop } from '../../src/ledger/drops/begin-drop.js';
import { publishDrop } from '../../src/ledger/drops/publish-drop.js';
import { recordArrival } from '../../src/ledger/drops/record-arrival.js';
import { openDecision } from '../../src/ledger/erasure/open-decision.js';
import { registerJobs, withSlot } from '../../src/ledger/leases/jobs.js';
import { holdsLease, withLeases } from '../../src/ledger/leases/leases.js';
import { endPermit, takePermit } from '../../src/ledger/permits/quota.js';
import type { Ledger } from '../../src/ledger/store/query.js';
import { claim, findDue } from '../../src/ledger/submissions/claims.js';
import { planRerun } from '../../src/ledger/submissions/select/select-rows.js';
import { decider } from '../support/decider.js';
import { preparedCompletion } from '../support/prepared-completion.js';
import { runToCompletion } from '../support/run-to-completion.js';
import { ACCEPTED, deliverNext, REJECTED } from '../support/staged-ledger.js';
import { dueNext, pushUnderWay } from './delivery.js';
import { ENGINES } from './engines.js';
import { FOUND, START } from './found-outage.js';
import { learner } from './learner.js';
import {
  ALL_LEADS,
  EXPIRED_MS,
  isAnsweredWhileTakenOver,
  isDeliveredWhilePublished,
  isOvertaken,
  ONE,
  OTHER,
  openedTwice,
} from './overtaking.js';
import { selectionOf, waitingFilter } from './selection-of.js';
import { PLAN, stageRows } from './stage-rows.js';
import { fileOf, publishedDrop, stage, stagedDrop } from './staged-drop.js';
import { elsewhere, leaseUnderWay } from './under-way.js';

const facts = { who: decider('ada'), because: 'asked' };

/** The others are in the longer suite. */
const LEADS = ALL_LEADS.filter((steps) => steps % 3 === 0);

describe.each(ENGINES)('on $name', ({ open }) => {
  const openTwice = () => openedTwice(open);

  describe('two takers of permits', () => {
    const RULE = { requests: 5, perMs: 60_000, reserve: 0, pace: 'burst' } as const;
    const take = (ledger: Ledger) => takePermit(ledger, 'client', RULE, 'push', 10_000, 'main');

    it('have the whole quota together, never more, and again once a period has passed since the answers', async () => {
      const { one, other, clock } = await openTwice();
      for (const _ of ['first period', 'second period']) {
        const all = await Promise.all(Array.from({ length: 12 }, (_, n) => take(n % 2 === 0 ? one : other)));
        const taken = all.flatMap((permit) => ('permitId' in permit ? [permit] : []));
        expect(new Set(taken.map(({ permitId }) => permitId)).size).toBe(RULE.requests);
        expect(taken).toHaveLength(RULE.requests);
        // Each process answers for permits that the other one took as well.
        await Promise.all(
          taken.map((permit, n) => endPermit(n % 2 === 0 ? other : one, permit, { kind: 'answered' })),
        );
        await clock.pass(RULE.perMs + 1_000);
      }
    });

    it('wait together for a pause that one of them received, after which one request goes alone', async () => {
      const { one, other, clock } = await openTwice();
      const permit = await take(one);
      if (!('permitId' in permit)) throw new Error('no permit');
      await endPermit(one, permit, { kind: 'throttled', forMs: 30_000 });
      expect(await Promise.all([take(one), take(other)])).toEqual([{ waitMs: 30_000 }, { waitMs: 30_000 }]);
      await clock.pass(30_000);
      const probes = await Promise.all([take(one), take(other), take(one)]);
      expect(probes.filter((probe) => 'permitId' in probe)).toHaveLength(1);
    });
  });

  describe('a push that ends while a drop is published', () => {
    it('delivers its rows, or has let go before the publisher looks: every row has an owner', () =>
      isDeliveredWhilePublished(open, LEADS));
  });

  describe('two stagers', () => {
    /** As src/ does: a process that waits for the other's lease tries again. */
    async function importFiles(
      ledger: Ledger,
      source: string,
      name: string,
    ): Promise<'new' | 'repeated' | 'resumed'> {
      const file = { ...(await fileOf(ledger, name)), source };
      for (;;) {
        const taken = await withLeases(
          ledger,
          ['stage'],
          elsewhere(source),
          file.runId,
          async ({ leases }) => {
            const arrival = await recordArrival(ledger, file);
            if (arrival.kind !== 'new') return arrival.kind;
            const { dropId } = await beginDrop(ledger, file, PLAN);
            const rows = [preparedCompletion(ledger, { user: 'ada@x.example' }, 2)];
            await stageRows(ledger, leases[0], { dropId }, { rows, cells: [{ line: 2, cells: ['ada'] }] });
            await publishDrop(ledger, leases[0], dropId, { rowsRead: 1 });
            return arrival.kind;
          },
        );
        if ('done' in taken) return taken.done;
        await new Promise((resolve) => setImmediate(resolve));
      }
    }

    it('of one key make one submission and one duplicate of it', async () => {
      const { one, other } = await openTwice();
      await Promise.all([importFiles(one, 'academy', 'a.csv'), importFiles(other, 'sales', 'b.csv')]);
      const { dispositions, states, imbalances } = await readBooks(one, {});
      expect(dispositions).toMatchObject({ staged: 1, duplicate: 1, amended: 0 });
      expect([states.waiting, imbalances]).toEqual([1, []]);
    });

    it('of two sources leave what the other has half staged alone: it counts, and is sent, once it is published', async () => {
      const { one, other } = await openTwice();
      const first = await leaseUnderWay(one, 'stage', ONE);
      const early = await fileOf(one, 'a.csv');
      const left = await stagedDrop(one, first.held.leases[0], early, [{ content: 'C-1' }]);
      await first.end();
      const second = await leaseUnderWay(other, 'stage', OTHER);
      const late = { ...(await fileOf(other, 'b.csv')), source: 'sales' };
      const dropId = await stagedDrop(other, second.held.leases[0], late, [{ content: 'C-2' }]);
      expect(await findDue(one, { environment: 'main', runId: early.runId })).toEqual({
        kind: 'nothing',
      });
      await publishDrop(other, second.held.leases[0], dropId, { rowsRead: 1 });
      const push = await pushUnderWay(one, early.runId, { owner: ONE });
      await deliverNext(one, push.held.lease, early.runId, ACCEPTED);
      expect((await readBooks(one, {})).states).toMatchObject({ accepted: 1, waiting: 0 });
      await publishDrop(other, second.held.leases[0], left, { rowsRead: 1 });
      await deliverNext(one, push.held.lease, early.runId, ACCEPTED);
      const { states, imbalances } = await readBooks(one, {});
      expect([states.accepted, states.waiting, imbalances]).toEqual([2, 0, []]);
    });

    it('of one source stage one file after the other: the second is begun once the first is done with', async () => {
      const { one, other } = await openTwice();
      const first = await leaseUnderWay(one, 'stage', ONE);
      const left = await stagedDrop(one, first.held.leases[0], await fileOf(one, 'a.csv'), [{}]);
      await first.end();
      const second = await leaseUnderWay(other, 'stage', OTHER);
      const next = await fileOf(other, 'b.csv');
      await expect(beginDrop(other, next, PLAN)).rejects.toThrow();
      await publishDrop(other, second.held.leases[0], left, { rowsRead: 1 });
      expect(await beginDrop(other, next, PLAN)).toMatchObject({ stagedLine: 0 });
    });

    it('of one file import it once', async () => {
      const { one, other } = await openTwice();
      const taken = await Promise.all([
        importFiles(one, 'academy', 'a.csv'),
        importFiles(other, 'academy', 'a.csv'),
      ]);
      expect(taken.sort()).toEqual(['new', 'repeated']);
      expect((await readBooks(one, {})).dispositions).toMatchObject({ staged: 1, duplicate: 0 });
    });
  });

  describe('two senders of one alert', () => {
    it('open it once, and one of them sends it', async () => {
      const { one, other } = await openTwice();
      const both = () => Promise.all([one, other].map((ledger) => reconcileAlerts(ledger, FOUND)));
      const found = await both();
      expect(found.flatMap(({ opened }) => opened)).toHaveLength(1);
      const [due, ...more] = found.flatMap((reconciled) => reconciled.due);
      expect([due?.what, more]).toEqual(['opened', []]);
      await recordNotification(other, [due?.notificationId ?? 0], { kind: 'sent' });
      expect((await both()).flatMap((reconciled) => reconciled.due)).toEqual([]);
    });
  });

  describe('two owners of one lease', () => {
    const work = (ledger: Ledger, owner: typeof ONE, begun: string[], until?: Promise<void>) =>
      withLeases(ledger, ['stage'], owner, null, async () => {
        begun.push(owner.id);
        await until;
        return owner.id;
      });

    it('that request it at once: one holds it, and the other learns which process does', async () => {
      const { one, other } = await openTwice();
      const begun: string[] = [];
      // The work lasts until the other has its answer.
      let end = () => {};
      const answered = new Promise<void>((resolve) => {
        end = resolve;
      });
      const asking = [work(one, ONE, begun, answered), work(other, OTHER, begun, answered)];
      for (const one of asking) void one.then(end);
      const taken = await Promise.all(asking);
      const [done, inTheWay] = 'done' in (taken[0] ?? {}) ? taken : taken.toReversed();
      expect(begun).toHaveLength(1);
      expect(done).toEqual({ done: begun[0] });
      expect(inTheWay).toMatchObject({ name: 'stage', holder: { host: `${begun[0]}.example` } });
    });

    it('while its heartbeats come, the first keeps it, however long its work takes', async () => {
      const { one, other, clock } = await openTwice();
      const first = await leaseUnderWay(one, 'stage', ONE);
      await clock.pass(10 * EXPIRED_MS);
      expect(await work(other, OTHER, [])).toMatchObject({ holder: { host: ONE.host } });
      const [lease] = first.held.leases;
      expect([await holdsLease(one, lease), first.held.lost.aborted]).toEqual([true, false]);
    });

    it('once its heartbeats stop, the other takes it, and the first notices before it relies on it', async () => {
      const { other, clock, connect } = await openTwice();
      const stuck = await connect('stuck');
      const first = await leaseUnderWay(stuck, 'stage', ONE);
      const [lost] = first.held.leases;
      const dropId = await stagedDrop(stuck, lost, await fileOf(stuck, 'a.csv'), [{}]);
      await clock.pass(EXPIRED_MS);
      const second = await leaseUnderWay(other, 'stage', OTHER);
      const [own] = second.held.leases;
      expect([await holdsLease(stuck, lost), await holdsLease(other, own)]).toEqual([false, true]);
      expect(await publishDrop(stuck, lost, dropId, { rowsRead: 1 })).toEqual({ kind: 'overtaken' });
      // The first can't release what is no longer its own.
      await first.end();
      expect(await holdsLease(other, own)).toBe(true);
    });
  });

  describe('two claimers of one submission', () => {
    it('write one attempt', async () => {
      const { one, other } = await openTwice();
      const { runId } = await stage(one, [{}]);
      const { held } = await pushUnderWay(one, runId);
      const submissionId = await dueNext(one, runId);
      const claims = await Promise.all(
        [one, other].map((ledger) => claim(ledger, held.lease, submissionId, runId)),
      );
      expect(claims.filter((claimed) => claimed !== null)).toHaveLength(1);
      expect((await readBooks(one, {})).attempts).toMatchObject({ total: 1, open: 1 });
    });

    it('never both have it under way when one overtakes the other', () => isOvertaken(open, LEADS));

    it('an answer that comes while the row is taken over counts', () =>
      isAnsweredWhileTakenOver(open, LEADS));
  });

  describe('two runners of one job', () => {
    const slot = { job: 'report', slotAt: START, sinceAt: '2026-03-01T08:00:00.000Z', missed: 0 };

    it('work on a slot once, whichever of them comes first', async () => {
      const { one, other } = await openTwice();
      await registerJobs(one, [slot.job]);
      const begun: string[] = [];
      const run = (ledger: Ledger, owner: typeof ONE) =>
        withSlot(ledger, slot, owner, async () => {
          begun.push(owner.id);
          await new Promise((resolve) => setImmediate(resolve));
          return { result: owner.id, ending: 'done' };
        });
      const first = await Promise.all([run(one, ONE), run(other, OTHER)]);
      expect(begun).toHaveLength(1);
      expect(first.filter((taken) => taken !== 'past' && 'done' in taken)).toHaveLength(1);
      expect(await Promise.all([run(one, ONE), run(other, OTHER)])).toEqual(
        expect.arrayContaining(['past', expect.anything()]),
      );
      expect(begun).toHaveLength(1);
    });
  });

  describe('a decision that two processes carry out', () => {
    /** More than one transaction moves. */
    const ROWS = Array.from({ length: 510 }, (_, n) => ({ user: `u${n}@x.example` }));

    it('moves each of its rows once, and has one end with one result', async () => {
      const { one, other, clock } = await openTwice();
      await publishedDrop(one, 'a.csv', ROWS);
      const filter = await waitingFilter(one);
      const dismissal = { ...facts, kind: 'dismiss' as const, selection: {}, filter, refusals: [] };
      const decision = await openDecision(one, dismissal);
      const own = moveListedRows(one, decision, null);
      await own.next();
      expect((await readBooks(one, {})).states.dismissed).toBeLessThan(ROWS.length);
      await collected(moveListedRows(other, decision, null));
      const result = await closeDecision(other, decision.decisionId);
      expect(result).toEqual({ moved: ROWS.length, made: 0, resolved: 0 });
      const read = () => readDecision(one, decision.decisionId, { after: null, limit: 1 });
      const ended = await read();
      await clock.pass(1_000);
      await collected(own);
      expect(await closeDecision(one, decision.decisionId)).toEqual(result);
      expect(await read()).toEqual(ended);
      const { states, imbalances } = await readBooks(one, {});
      expect([states.dismissed, states.waiting, imbalances]).toEqual([ROWS.length, 0, []]);
    });

    it('does not move again what has moved on since', async () => {
      const { one, other } = await openTwice();
      const { runId } = await stage(one, [{}]);
      const { held: push } = await pushUnderWay(one, runId);
      await deliverNext(one, push.lease, runId, REJECTED, 400);
      const { filter } = await planRerun(one, selectionOf({ states: ['rejected'] }), 0);
      const decision = await openDecision(one, { ...facts, kind: 'rerun', selection: {}, filter });
      await collected(moveListedRows(one, decision, runId));
      await deliverNext(one, push.lease, runId, REJECTED, 400);
      await collected(moveListedRows(other, decision, runId));
      expect((await readBooks(one, {})).states).toMatchObject({ rejected: 1, waiting: 0 });
    });

    it('a mapping replaces each submission once', async () => {
      const { one, other } = await openTwice();
      const old = learner(one, 'jane@x.example');
      await publishedDrop(
        one,
        'a.csv',
        ROWS.slice(0, 60).map((_, n) => ({ user: old.id, content: `C-${n}` })),
      );
      const correction = { old, now: learner(one, 'june@x.example') };
      const decision = await openDecision(one, { ...facts, kind: 'map', correction });
      const mapped = await Promise.all(
        [one, other].map((ledger) => runToCompletion(mapLearner(ledger, decision))),
      );
      const made = mapped.flatMap(({ steps }) => steps).reduce((sum, step) => sum + step.made, 0);
      const { states, imbalances } = await readBooks(one, {});
      expect([made, states.replaced, states.waiting, imbalances]).toEqual([60, 60, 60, []]);
    });

    it('is created once by two equal requests', async () => {
      const { one, other } = await openTwice();
      const restage = { ...facts, kind: 'restage' as const, selection: { drop: 1 } };
      const [first, second] = await Promise.all([one, other].map((ledger) => openDecision(ledger, restage)));
      expect(first).toEqual(second);
    });
  });

  it('a run that broke off is adopted by one of two that begin at once', async () => {
    const { one, other } = await openTwice();
    const run = { trigger: 'cron' as const, owner: ONE, version: 'test' };
    const broken = withRun(
      one,
      { ...run, environments: null },
      async () => {
        throw new Error('broken');
      },
      () => 'done',
    );
    await expect(broken).rejects.toThrow('broken');
    const adopted = [one, other].map((ledger) =>
      withRun(
        ledger,
        { ...run, environments: ['main'] },
        async (begun) => begun.adopted,
        () => 'done',
      ),
    );
    expect((await Promise.all(adopted)).sort()).toEqual([0, 1]);
  });

  it('a name is given to one of two tokens that are added at once', async () => {
    const { one, other } = await openTwice();
    const added = [one, other].map((ledger, n) =>
      recordToken(ledger, `${n}`.repeat(64), { name: 'billing', role: 'viewer' }, decider('ada'), null),
    );
    expect((await Promise.all(added)).sort()).toEqual([false, true]);
  });
});
