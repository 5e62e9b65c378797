import { describe, expect, it } from 'vitest';
import { type FileSelection, fileFacts, listFiles } from '../../src/ledger/books/files/list-files.js';
import { recordArrival } from '../../src/ledger/drops/record-arrival.js';
import { refuseDrop } from '../../src/ledger/drops/refused/refuse-drop.js';
import type { Ledger } from '../../src/ledger/store/query.js';
import { ACCEPTED, deliverNext } from '../support/staged-ledger.js';
import { pushLease } from './delivery.js';
import { ENGINES } from './engines.js';
import { invalidRow } from './invalid-row.js';
import { PLAN } from './stage-rows.js';
import { fileOf, publishedDrop, stagedDrop, stageLease } from './staged-drop.js';

const ADA = { user: 'ada@x.example' };
const BEA = { user: 'bea@x.example' };
const CUT = { code: 'drop-unreadable', text: 'It is cut.' } as const;

const ALL: FileSelection = {
  source: null,
  name: null,
  standing: null,
  after: null,
  limit: 50,
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
    const refused = { ...(await fileOf(ledger, 'mended.csv')), source: 'sales' };
    await refuseDrop(ledger, { ...refused, format: null }, CUT);
    await clock.pass(1_000);
    const cameIn = await publishedDrop(ledger, { ...refused, source: 'academy', fileName: 'mend.csv' }, []);
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
        ['half.csv', 'importing', null, {}],
        ['mend.csv', 'imported', 0, {}],
        ['mended.csv', 'closed', null, {}],
        ['cut.csv', 'refused', null, {}],
        ['Big.csv', 'imported', 3, { accepted: 1, waiting: 1 }],
      ]);
      expect(files[4]).toMatchObject({ drop: published, dispositions: { staged: 2, invalid: 1 } });
      expect(files[3]).toMatchObject({ refusal: CUT.text, closure: null });
      expect(files[2]).toMatchObject({ closure: { kind: 'came-in', drop: cameIn } });
    });

    it('is narrowed by source, by a part of the name in any case, and by state', async () => {
      const { ledger } = await withFiles();
      expect(await named(ledger, { source: 'sales' })).toEqual(['mended.csv', 'cut.csv']);
      expect(await named(ledger, { name: 'big' })).toEqual(['Big.csv']);
      expect(await named(ledger, { name: '%' })).toEqual([]);
      for (const [standing, files] of [
        ['imported', ['mend.csv', 'Big.csv']],
        ['refused', ['cut.csv']],
        ['closed', ['mended.csv']],
        ['importing', ['half.csv']],
      ] as const) {
        expect([standing, await named(ledger, { standing })]).toEqual([standing, files]);
      }
      expect((await listFiles(ledger, { ...ALL, standing: 'refused' })).total).toBe(1);
    });
  });

  describe('the facts about a file', () => {
    it('say how it was read, and how often its bytes came in', async () => {
      const { ledger, first, published } = await withFiles();
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
        parts: [],
      });
      expect(await fileFacts(ledger, published + 99)).toBeNull();
    });
  });

  it('a list continues after any of its files', async () => {
    const { ledger } = await withFiles();
    const paged: string[] = [];
    let after: number | null = null;
    do {
      const page = await listFiles(ledger, { ...ALL, after, limit: 1 });
      paged.push(...page.files.map(({ file }) => file));
      after = page.next;
    } while (after !== null);
    expect(paged).toEqual(await named(ledger));
  });
});
