import { describe, expect, it } from 'vitest';
import { closeDecision } from '../../src/ledger/decisions/decision-log.js';
import { skippedSince } from '../../src/ledger/drops/again/skipped-since.js';
import { beginDrop } from '../../src/ledger/drops/begin-drop.js';
import { publishDrop } from '../../src/ledger/drops/publish-drop.js';
import { publishedDrops } from '../../src/ledger/drops/published-drops.js';
import { openDecision } from '../../src/ledger/erasure/open-decision.js';
import type { Lease } from '../../src/ledger/leases/leases.js';
import type { Ledger } from '../../src/ledger/store/query.js';
import { closeOriginals } from '../../src/ledger/submissions/again/close-originals.js';
import { originalRows } from '../../src/ledger/submissions/again/original-rows.js';
import { knownRecords } from '../../src/ledger/submissions/staging/revisions.js';
import { findLineages } from '../../src/ledger/trace/find-lineages.js';
import { readTrace } from '../../src/ledger/trace/read-trace.js';
import { submitCompletion } from '../../src/operations/submit-completion.js';
import { carried } from '../support/carried.js';
import { decider } from '../support/decider.js';
import { type Completion, preparedCompletion } from '../support/prepared-completion.js';
import { ENGINES } from './engines.js';
import { PLAN, stageRows } from './stage-rows.js';
import { fileOf, stagedDrop, stageLease } from './staged-drop.js';
import { leaseUnderWay } from './under-way.js';

/** Publishes a correction whose one row, in line 2, stands for a row. */
async function corrected(
  ledger: Ledger,
  lease: Lease,
  name: string,
  of: { dropId: number; line: number },
  completion: Completion,
): Promise<number> {
  const { dropId } = await beginDrop(ledger, await fileOf(ledger, name), PLAN);
  const rows = [preparedCompletion(ledger, completion, 2)];
  const originals = new Map([[2, { ...of, takesPlace: true }]]);
  await stageRows(
    ledger,
    lease,
    { dropId, isRedrop: true },
    { rows, cells: [{ line: 2, cells: [name] }], originals },
  );
  await publishDrop(ledger, lease, dropId, { rowsRead: 1 });
  return dropId;
}

/** Where the records go. */
const TARGET = { operation: submitCompletion, environment: 'main' };

describe.each(ENGINES)('on $name', ({ open }) => {
  it('a row comes with its cells and its open members, and null where no drop has such a row', async () => {
    const { ledger } = await open();
    const lease = await stageLease(ledger);
    const dropId = await stagedDrop(ledger, lease, await fileOf(ledger, 'a.csv'), [{ content: 'C-1' }]);
    expect(await originalRows(ledger, [{ dropId, line: 2 }])).toEqual([null]);
    await publishDrop(ledger, lease, dropId, { rowsRead: 1 });
    const found = await originalRows(ledger, [
      { dropId, line: 9 },
      { dropId, line: 2 },
    ]);
    expect(found).toMatchObject([
      null,
      { disposition: 'staged', cells: ['row 0'], open: [{ kind: 'submission', dropId, line: 2 }] },
    ]);
  });

  it('a correction of a correction has the place where its original row was first read', async () => {
    const { ledger } = await open();
    const lease = await stageLease(ledger);
    const dropId = await stagedDrop(ledger, lease, await fileOf(ledger, 'a.csv'), [{ content: 'C-1' }]);
    await publishDrop(ledger, lease, dropId, { rowsRead: 1 });
    const first = await corrected(ledger, lease, 'b.csv', { dropId, line: 2 }, { content: 'C-2' });
    const second = await corrected(ledger, lease, 'c.csv', { dropId: first, line: 2 }, { content: 'C-3' });
    const firstRead = async (id: number) => (await publishedDrops(ledger, id))[0]?.firstRead;
    expect(await firstRead(dropId)).toEqual(new Map());
    expect(await firstRead(first)).toEqual(new Map([[2, dropId]]));
    expect(await firstRead(second)).toEqual(new Map([[2, dropId]]));
    expect(await publishedDrops(ledger, first)).toMatchObject([{ isOfAnySource: true }]);
  });

  it('a record is known by its key as soon as it is staged, with each of its revisions', async () => {
    const { ledger } = await open();
    const lease = await stageLease(ledger);
    const records = [
      { content: 'C-1', percentile: 70 },
      { content: 'C-1', percentile: 80 },
      { content: 'C-2' },
    ];
    const asked = records.map((record) => preparedCompletion(ledger, record, 2));
    expect(await knownRecords(ledger, TARGET, asked)).toEqual(
      asked.map(() => ({ revisions: [], formers: [] })),
    );
    await stagedDrop(ledger, lease, await fileOf(ledger, 'a.csv'), records.slice(0, 2));
    const known = await knownRecords(ledger, TARGET, asked);
    expect(known.map(({ revisions }) => revisions.map(({ revision }) => revision))).toEqual([
      [1, 2],
      [1, 2],
      [],
    ]);
  });

  it('a correction replaces its original once, and is then the only open member of both', async () => {
    const { ledger } = await open();
    const lease = await stageLease(ledger);
    const dropId = await stagedDrop(ledger, lease, await fileOf(ledger, 'a.csv'), [{ content: 'C-1' }]);
    await publishDrop(ledger, lease, dropId, { rowsRead: 1 });
    const correction = await corrected(ledger, lease, 'b.csv', { dropId, line: 2 }, { content: 'C-2' });
    const given = { who: decider('ada'), because: 'asked' };
    const { decisionId } = await openDecision(ledger, {
      ...given,
      kind: 'corrected-drop',
      dropId: correction,
    });
    for (const _ of ['once', 'again']) {
      await carried(closeOriginals(ledger, correction, decisionId, null));
      const [lineage] = (await findLineages(ledger, `${dropId}:2`))?.lineages ?? [];
      expect(lineage).toMatchObject({
        rowRef: { dropId, line: 2 },
        rows: [
          { dropId, submissions: [{ state: 'replaced' }] },
          { dropId: correction, submissions: [{ state: 'waiting' }] },
        ],
        open: { dropId: correction, line: 2, cells: ['b.csv'] },
      });
    }
    expect(await closeDecision(ledger, decisionId)).toEqual({ moved: 1, made: 0, resolved: 0 });
  });

  it('a text names lineages by a line or a submission, and there may be none', async () => {
    const { ledger } = await open();
    const lease = await stageLease(ledger);
    const dropId = await stagedDrop(ledger, lease, await fileOf(ledger, 'a.csv'), [{}]);
    await publishDrop(ledger, lease, dropId, { rowsRead: 1 });
    const named = async (what: string) => findLineages(ledger, what);
    const { rows } = await readTrace(ledger, { what: `${dropId}:2`, learners: [], searchAll: false });
    const submissionId = rows[0]?.submission ?? 0;
    for (const what of ['a.csv:2', `${dropId}:2`, `#${submissionId}`]) {
      expect((await named(what))?.lineages).toMatchObject([
        { rowRef: { dropId, line: 2 }, open: { line: 2 } },
      ]);
    }
    expect(await named('a.csv:9')).toMatchObject({ kind: 'row', lineages: [] });
    expect(await named(`#${submissionId + 1}`)).toMatchObject({ kind: 'submission', lineages: [] });
    expect(await named('jane@x.example')).toBe(null);
  });

  describe('a row whose status was not understood', () => {
    const plan = { ...PLAN, header: ['Email', 'Status'] };
    const about = (code: 'status-unknown' | 'status-not-completed') => [
      { code, column: 'Status', value: null, message: 'it is another', remedy: 'look' },
    ];

    async function published(ledger: Ledger, name: string, kind: 'invalid' | 'skipped', cells: string[][]) {
      const lease = await leaseUnderWay(ledger, 'stage');
      const { dropId } = await beginDrop(ledger, await fileOf(ledger, name), plan);
      const issues = about(kind === 'invalid' ? 'status-unknown' : 'status-not-completed');
      const read = cells.map((row, index) => ({ line: index + 2, cells: row }));
      const rows = read.map(({ line }) => ({ kind, line, issues }));
      await stageRows(ledger, lease.given.leases[0], { dropId }, { rows, cells: read });
      await publishDrop(ledger, lease.given.leases[0], dropId, { rowsRead: rows.length });
      await lease.end();
      return dropId;
    }

    it('is found again where a later file of its source skips it by its status, all other cells equal', async () => {
      const { ledger } = await open();
      const first = await published(ledger, 'a.csv', 'invalid', [
        ['ada@x.example', 'Fertig?'],
        ['bea@x.example', 'Fertig?'],
      ]);
      const later = await published(ledger, 'b.csv', 'skipped', [
        ['cy@x.example', 'Offen'],
        ['bea@x.example', 'Offen'],
      ]);
      expect(await skippedSince(ledger, later)).toEqual([
        { row: { dropId: first, line: 3 }, by: { dropId: later, line: 3 } },
      ]);
      expect(await skippedSince(ledger, first)).toEqual([]);
    });

    it('is not found any more once it is closed', async () => {
      const { ledger } = await open();
      const rows = [['ada@x.example', 'Fertig?']];
      await published(ledger, 'a.csv', 'invalid', rows);
      const later = await published(ledger, 'b.csv', 'skipped', rows);
      expect(await skippedSince(ledger, later)).toHaveLength(1);
      const given = { who: decider('ada'), because: 'asked' };
      const { decisionId } = await openDecision(ledger, { ...given, kind: 'corrected-drop', dropId: later });
      await carried(closeOriginals(ledger, later, decisionId, null));
      expect(await skippedSince(ledger, later)).toEqual([]);
    });
  });
});
