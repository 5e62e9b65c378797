import { describe, expect, it } from 'vitest';
import type { Issue } from '../../src/domain/issue.js';
import { collected } from '../../src/domain/process/series.js';
import { readBooks } from '../../src/ledger/books/read-books.js';
import { readPage } from '../../src/ledger/books/read-page.js';
import { acceptedRows, attentionRows } from '../../src/ledger/books/rows/listed-rows.js';
import { readState } from '../../src/ledger/books/state/read-state.js';
import { unknownLearners } from '../../src/ledger/books/unknown-learners.js';
import { beginDrop } from '../../src/ledger/drops/begin-drop.js';
import { publishDrop } from '../../src/ledger/drops/publish-drop.js';
import type { ReportSelection } from '../../src/ledger/drops/report-selection.js';
import { ACCEPTED, claimNext, deliverNext, REJECTED, UNKNOWN_LEARNER } from '../support/staged-ledger.js';
import { pushLease, pushUnderWay } from './delivery.js';
import { ENGINES } from './engines.js';
import { PLAN, stageRows } from './stage-rows.js';
import { fileOf, stage, stageLease } from './staged-drop.js';
import { leaseUnderWay, runUnderWay } from './under-way.js';

const ADA = { user: 'ada@x.example' };
const BEA = { user: 'bea@x.example' };
const CY = { user: 'cy@x.example' };

describe.each(ENGINES)('on $name', ({ open }) => {
  /** Ada's row was accepted, Bea's refused, Cy's is under way. */
  async function delivered() {
    const { ledger, clock } = await open();
    const { dropId, runId } = await stage(ledger, [ADA, BEA, CY]);
    const lease = await pushLease(ledger, runId);
    await deliverNext(ledger, lease, runId, ACCEPTED);
    await deliverNext(ledger, lease, runId, REJECTED, 400);
    await claimNext(ledger, lease, runId);
    return { ledger, clock, dropId, runId, lease };
  }

  const ragged: Issue = {
    code: 'row-ragged',
    column: null,
    value: null,
    message: 'more cells than columns',
    remedy: 'look',
  };

  describe('the books', () => {
    it('count no row of an unpublished drop', async () => {
      const { ledger } = await open();
      await stage(ledger, [ADA]);
      await stage(ledger, [BEA, CY], { publish: false });
      expect(await readBooks(ledger, {})).toMatchObject({
        dispositions: { staged: 1 },
        states: { waiting: 1 },
        queues: [{ environment: 'main', waiting: 1 }],
      });
    });

    it('balance, and are the same when they are read again', async () => {
      const { ledger } = await delivered();
      const books = await readBooks(ledger, {});
      expect(books.equations.filter(({ holds }) => !holds)).toEqual([]);
      expect(books).toMatchObject({
        dispositions: { staged: 3 },
        states: { accepted: 1, rejected: 1, sending: 1 },
        attempts: { total: 3, responses: 2, open: 1 },
        imbalances: [],
      });
      expect(await readBooks(ledger, {})).toEqual(books);
    });

    it('belong to one moment, whatever is written meanwhile', async () => {
      const { ledger } = await open();
      let isStaging = true;
      const staging = (async () => {
        for (const row of [ADA, BEA, CY]) await stage(ledger, [row]);
        isStaging = false;
      })();
      while (isStaging) {
        const { dispositions, states, files } = await readBooks(ledger, {});
        const read = files.reduce((sum, { rows: rowsRead }) => sum + (rowsRead ?? 0), 0);
        expect([dispositions.staged, states.waiting]).toEqual([read, read]);
      }
      await staging;
    });

    it('of a run cover its own files and the submissions of earlier files that it moved', async () => {
      const { ledger } = await open();
      const { dropId } = await stage(ledger, [ADA, BEA]);
      const runId = await runUnderWay(ledger);
      await deliverNext(ledger, await pushLease(ledger, runId), runId, ACCEPTED);
      const books = await readBooks(ledger, { runId });
      expect(books).toMatchObject({ states: { accepted: 1, waiting: 0 }, attempts: { total: 1 }, files: [] });
      expect(books.drops.map((drop) => drop.drop)).toEqual([dropId]);
      expect(books.queues).toMatchObject([{ environment: 'main', waiting: 1 }]);
    });

    it('of a run that does not exist are refused', async () => {
      const { ledger } = await open();
      await expect(readBooks(ledger, { runId: 9 })).rejects.toThrow('there is no run 9');
    });
  });

  describe('what a page shows besides the report', () => {
    it('has requests that add up, by the time when they were sent', async () => {
      const { ledger, runId } = await delivered();
      const { attempts } = await readBooks(ledger, {});
      const page = await readPage(ledger, { runId });
      const sent = page.timeline?.buckets.reduce((sum, bucket) => sum + bucket.sent, 0);
      expect([sent, page.run?.runId]).toEqual([attempts.total, runId]);
    });

    it('has no timeline where no request was sent, and no run where none is named', async () => {
      const { ledger } = await open();
      expect(await readPage(ledger, {})).toMatchObject({ run: null, timeline: null });
    });
  });

  describe('a status', () => {
    const main = { name: 'main', clientId: 'one', rechecks: 3 };
    const spare = { name: 'spare', clientId: 'another', rechecks: 3 };

    it('lists the environments in the requested order, and others where rows wait', async () => {
      const { ledger } = await open();
      await stage(ledger, [ADA]);
      await stage(ledger, [BEA, CY], { environment: 'gone' });
      const status = await readState(ledger, ['environments', 'stranded'], { environments: [spare, main] });
      expect(status.environments).toMatchObject([
        { environment: 'spare', waiting: 0, quota: { permits: 0, pausedForMs: 0 } },
        { environment: 'main', waiting: 1, pushedBy: null },
      ]);
      expect(status.stranded).toMatchObject([{ environment: 'gone', waiting: 2 }]);
    });

    it('names the process that delivers, until its lease is released', async () => {
      const { ledger } = await open();
      const { end } = await pushUnderWay(ledger, await runUnderWay(ledger));
      const read = async () => {
        const query = { environments: [spare, main] };
        const { environments } = await readState(ledger, ['environments'], query);
        return environments.map(({ pushedBy }) => pushedBy);
      };
      expect(await read()).toMatchObject([null, { pid: process.pid, takesAll: true }]);
      await end();
      expect(await read()).toEqual([null, null]);
    });
  });

  it('a half-staged drop is under way until it is published, and a lease until it is released', async () => {
    const { ledger } = await open();
    const nothing = {
      leases: [],
      staging: [],
      waiting: [],
      abandoned: [],
      decisions: [],
      restoredAt: null,
    };
    expect((await readState(ledger, ['work'])).work).toEqual({ ...nothing, newestRunAt: null });
    const { held, end } = await leaseUnderWay(ledger, 'stage');
    const { dropId } = await beginDrop(ledger, await fileOf(ledger, 'a.csv'), PLAN);
    expect((await readState(ledger, ['work'])).work).toMatchObject({
      leases: [{ name: 'stage', isAlive: true }],
      staging: [{ dropId }],
    });
    await publishDrop(ledger, held.leases[0], dropId, { rowsRead: 0 });
    await end();
    expect((await readState(ledger, ['work'])).work).toMatchObject(nothing);
  });

  describe('rows', () => {
    it('that need attention and accepted ones come in line order, each with its cells as they were read', async () => {
      const { ledger, dropId } = await delivered();
      const [refused, ...others] = await collected(await attentionRows(ledger, dropId));
      expect([refused?.line, refused?.state, refused?.cells?.[0], others]).toEqual([
        3,
        'rejected',
        BEA.user,
        [],
      ]);
      expect((await attentionRows(ledger, dropId)).extraCells).toBe(0);
      const accepted = await collected(acceptedRows(ledger, dropId));
      expect(accepted.map(({ line, cells, attempts }) => [line, cells?.[0], attempts])).toEqual([
        [2, ADA.user, 1],
      ]);
    });

    it('belong to the selection alone', async () => {
      const { ledger, dropId, runId } = await delivered();
      const inSelection = async (selection: ReportSelection) =>
        (await collected(await attentionRows(ledger, dropId, selection))).length;
      expect(await inSelection({ runId })).toBe(1);
      expect(await inSelection({ source: 'another' })).toBe(0);
    });

    it('with more cells than columns give the width that their sheet needs, without blanks at the end', async () => {
      const { ledger } = await open();
      const lease = await stageLease(ledger);
      const { dropId } = await beginDrop(ledger, await fileOf(ledger, 'a.csv'), PLAN);
      const rows = [2, 3].map((line) => ({ kind: 'invalid' as const, line, issues: [ragged] }));
      const cells = [
        { line: 2, cells: ['a', 'b', ''] },
        { line: 3, cells: ['a', 'b', '', 'd', null] },
      ];
      await stageRows(ledger, lease, { dropId }, { rows, cells });
      expect((await attentionRows(ledger, dropId)).extraCells).toBe(3);
    });
  });

  describe('learners whom the platform does not know', () => {
    it('are counted in the whole selection, and listed by most rows or in the requested order', async () => {
      const { ledger } = await open();
      const { runId } = await stage(ledger, [BEA, { ...ADA, content: 'C-1' }, { ...ADA, content: 'C-2' }]);
      const lease = await pushLease(ledger, runId);
      for (const _ of [BEA, ADA]) await deliverNext(ledger, lease, runId, UNKNOWN_LEARNER, 400);
      await claimNext(ledger, lease, runId);
      const { listed, ...counts } = await unknownLearners(ledger, {}, 9);
      expect([counts, listed.map(({ learner, rows }) => [learner.id, rows])]).toEqual([
        { learners: 2, rows: 3, listable: 2 },
        [
          [ADA.user, 2],
          [BEA.user, 1],
        ],
      ]);
      const bea = listed.flatMap(({ hash, rows }) => (rows === 1 ? [hash] : []));
      const requested = await unknownLearners(ledger, {}, 9, bea);
      expect([requested.learners, requested.listed.map(({ hash }) => hash)]).toEqual([2, bea]);
      expect((await unknownLearners(ledger, {}, 1)).listed).toHaveLength(1);
      const second = await unknownLearners(ledger, {}, 9, undefined, { from: 1, count: 5 });
      expect([second.listable, second.listed.map(({ learner }) => learner.id)]).toEqual([2, [BEA.user]]);
    });

    it('come with near learners who have an accepted record in the same environment', async () => {
      const { ledger, lease, runId } = await delivered();
      expect(await unknownLearners(ledger, {}, 9)).toEqual({ learners: 0, rows: 0, listable: 0, listed: [] });
      await stage(ledger, [{ user: 'a.da@x.example' }]);
      await deliverNext(ledger, lease, runId, UNKNOWN_LEARNER, 400);
      await stage(ledger, [{ user: 'ad.a@x.example' }], { environment: 'spare' });
      await deliverNext(ledger, await pushLease(ledger, runId, 'spare'), runId, UNKNOWN_LEARNER, 400);
      const { listed } = await unknownLearners(ledger, {}, 9);
      expect(listed.map(({ environment, near }) => [environment, near])).toEqual([
        ['main', [{ id: ADA.user, why: 'punctuation' }]],
        ['spare', []],
      ]);
    });
  });
});
