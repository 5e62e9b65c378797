import { describe, expect, it } from 'vitest';
import { fileFacts } from '../../src/ledger/books/files/file-facts.js';
import { type FileSelection, listFiles } from '../../src/ledger/books/files/list-files.js';
import { mapLearner } from '../../src/ledger/decisions/mapping.js';
import { moveListedRows } from '../../src/ledger/decisions/move-listed-rows.js';
import { recordArrival } from '../../src/ledger/drops/record-arrival.js';
import { refuseDrop } from '../../src/ledger/drops/refused/refuse-drop.js';
import { openDecision } from '../../src/ledger/erasure/open-decision.js';
import type { Ledger } from '../../src/ledger/store/query.js';
import { carried } from '../support/carried.js';
import { decider } from '../support/decider.js';
import { ACCEPTED, deliverNext } from '../support/staged-ledger.js';
import { pushLease } from './delivery.js';
import { ENGINES } from './engines.js';
import { invalidRow } from './invalid-row.js';
import { learner } from './learner.js';
import { waitingFilter } from './selected.js';
import { PLAN } from './stage-rows.js';
import { fileOf, publishedDrop, stagedDrop, stageLease } from './staged-drop.js';

const ADA = { user: 'ada@x.example' };
const BEA = { user: 'bea@x.example' };
const CUT = { code: 'drop-unreadable', text: 'It is cut.' } as const;
const given = { who: decider('ada'), because: 'asked' };

const ALL: FileSelection = {
  source: null,
  name: null,
  standing: null,
  order: 'time',
  isDescending: false,
  after: null,
  most: 50,
};

async function named(ledger: Ledger, selection: Partial<FileSelection> = {}) {
  return (await listFiles(ledger, { ...ALL, ...selection })).files.map(({ file }) => file);
}

describe.each(ENGINES)('on $name', ({ open }) => {
  /** A published file of two rows, a refused one, one that was imported after it was refused, and one that is being staged. */
  async function withFiles() {
    const opened = await open();
    const { ledger, clock } = opened;
    const first = await fileOf(ledger, 'Big.csv');
    const published = await publishedDrop(ledger, first, [ADA, BEA, invalidRow(4)]);
    await clock.pass(1_000);
    const cut = { ...(await fileOf(ledger, 'cut.csv')), source: 'sales' };
    await refuseDrop(ledger, { ...cut, format: 'csv' }, CUT);
    await clock.pass(1_000);
    const mended = { ...(await fileOf(ledger, 'mended.csv')), source: 'sales' };
    await refuseDrop(ledger, { ...mended, format: null }, CUT);
    await clock.pass(1_000);
    const cameIn = await publishedDrop(ledger, { ...mended, source: 'academy', fileName: 'mend.csv' }, []);
    await clock.pass(1_000);
    const staging = await fileOf(ledger, 'half.csv');
    await stagedDrop(ledger, await stageLease(ledger), staging, [{ user: 'cy@x.example' }]);
    return { ...opened, first, published, cameIn };
  }

  describe('the list of files', () => {
    it('shows the state of each file, and the outcome of the rows that count', async () => {
      const { ledger, first, published, cameIn } = await withFiles();
      await deliverNext(ledger, await pushLease(ledger, first.runId), first.runId, ACCEPTED);
      const { files, total } = await listFiles(ledger, ALL);
      expect(total).toBe(5);
      expect(files.map(({ file, standing, rows, states }) => [file, standing, rows, states])).toEqual([
        ['Big.csv', 'imported', 3, { accepted: 1, waiting: 1 }],
        ['cut.csv', 'refused', null, {}],
        ['mended.csv', 'closed', null, {}],
        ['mend.csv', 'imported', 0, {}],
        ['half.csv', 'importing', null, {}],
      ]);
      expect(files[0]).toMatchObject({ drop: published, dispositions: { staged: 2, invalid: 1 } });
      expect(files[1]).toMatchObject({ refusal: CUT.text, closure: null });
      expect(files[2]).toMatchObject({ closure: { kind: 'came-in', drop: cameIn } });
    });

    it('is narrowed by source, by a part of the name in any case, and by state', async () => {
      const { ledger } = await withFiles();
      expect(await named(ledger, { source: 'sales' })).toEqual(['cut.csv', 'mended.csv']);
      expect(await named(ledger, { name: 'big' })).toEqual(['Big.csv']);
      expect(await named(ledger, { name: '%' })).toEqual([]);
      for (const [standing, files] of [
        ['imported', ['Big.csv', 'mend.csv']],
        ['refused', ['cut.csv']],
        ['closed', ['mended.csv']],
        ['importing', ['half.csv']],
      ] as const) {
        expect([standing, await named(ledger, { standing })]).toEqual([standing, files]);
      }
      expect((await listFiles(ledger, { ...ALL, standing: 'refused' })).total).toBe(1);
    });

    it('has any order, in both directions', async () => {
      const { ledger } = await withFiles();
      for (const order of ['time', 'name', 'source', 'rows'] as const) {
        const whole = await named(ledger, { order });
        expect(whole).toHaveLength(5);
        expect(await named(ledger, { order, isDescending: true })).toEqual(whole.toReversed());
      }
      expect((await named(ledger, { order: 'rows', isDescending: true }))[0]).toBe('Big.csv');
    });
  });

  describe('the facts about a file', () => {
    it('say how it was read, and each time that its bytes came in, the latest first', async () => {
      const { ledger, clock, first, published } = await withFiles();
      const again = { ...first, fileName: 'again.csv', runId: (await fileOf(ledger, 'x')).runId };
      await recordArrival(ledger, again);
      expect(await fileFacts(ledger, published)).toMatchObject({
        drop: published,
        file: 'Big.csv',
        sha256: first.identity.sha256,
        format: 'csv',
        headerLine: PLAN.headerLine,
        header: PLAN.header,
        mapping: PLAN.mapping,
        publishedAt: '2026-03-02T08:00:00.000Z',
        changedAt: null,
        arrivalCount: 2,
        arrivals: [
          { file: 'again.csv', at: new Date(clock.nowMs()).toISOString(), runId: again.runId },
          { file: 'Big.csv', at: '2026-03-02T08:00:00.000Z', runId: first.runId },
        ],
        decisions: [],
      });
      expect(await fileFacts(ledger, published + 99)).toBeNull();
    });

    it('name the decisions that moved or made something of it, the latest first', async () => {
      const { ledger } = await open();
      const dropId = await publishedDrop(ledger, 'a.csv', [ADA, BEA]);
      const other = await publishedDrop(ledger, 'b.csv', [{ user: 'cy@x.example' }]);
      const correction = { old: learner(ledger, ADA.user), now: learner(ledger, 'eve@x.example') };
      const map = await openDecision(ledger, { ...given, kind: 'map', correction });
      await carried(mapLearner(ledger, map));
      const filter = await waitingFilter(ledger);
      const dismissal = { ...given, kind: 'dismiss' as const, selection: {}, filter, refusals: [] };
      const dismiss = await openDecision(ledger, dismissal);
      await carried(moveListedRows(ledger, dismiss, null));
      const decisions = async (of: number) =>
        (await fileFacts(ledger, of))?.decisions.map(({ decisionId, rows }) => [decisionId, rows]);
      // The mapping replaced Ada's submission and made the one that the dismissal moves together with Bea's.
      expect(await decisions(dropId)).toEqual([
        [dismiss.decisionId, 2],
        [map.decisionId, 2],
      ]);
      expect(await decisions(other)).toEqual([[dismiss.decisionId, 1]]);
    });
  });

  it.each(['time', 'name', 'source', 'rows'] as const)(
    'a list by %s continues after any of its files, in both directions',
    async (order) => {
      const { ledger } = await withFiles();
      for (const isDescending of [true, false]) {
        const whole = await named(ledger, { order, isDescending });
        const paged: string[] = [];
        let after: number | null = null;
        do {
          const page = await listFiles(ledger, { ...ALL, order, isDescending, after, most: 1 });
          paged.push(...page.files.map(({ file }) => file));
          after = page.next;
        } while (after !== null);
        expect(paged).toEqual(whole);
      }
    },
  );
});
