import { describe, expect, it } from 'vitest';
import { readBooks } from '../../src/ledger/books/read-books.js';
import { rowPage } from '../../src/ledger/books/rows/browsed-rows.js';
import { publishDrop } from '../../src/ledger/drops/publish-drop.js';
import type { Lease } from '../../src/ledger/leases/leases.js';
import type { Ledger } from '../../src/ledger/store/query.js';
import { excludedOnReread, excludeSameKeys } from '../../src/ledger/submissions/staging/same-key.js';
import { submitCompletion } from '../../src/operations/submit-completion.js';
import { type Completion, preparedCompletion } from '../support/prepared-completion.js';
import { ENGINES } from './engines.js';
import { selectionOf } from './selection-of.js';
import { PLAN } from './stage-rows.js';
import { fileOf, publishedDrop, stagedDrop, stageLease } from './staged-drop.js';
import { leaseUnderWay } from './under-way.js';

const SCORED = { ...PLAN, header: ['Email', 'Score'], mapping: { 'user-id': 'Email', percentile: 'Score' } };
const TARGET = { operation: submitCompletion, environment: 'main' };

const RETAKE: readonly Completion[] = [
  { percentile: 70 },
  { percentile: 90 },
  { percentile: 40 },
  { content: 'C-2', percentile: 10 },
];

async function stagedFile(ledger: Ledger, lease: Lease, name: string, rows: readonly Completion[]) {
  return stagedDrop(ledger, lease, await fileOf(ledger, name), rows, SCORED);
}

async function waiting(ledger: Ledger) {
  const { rows } = await rowPage(ledger, selectionOf({ states: ['waiting'] }), {
    after: null,
    limit: 50,
    direction: 'asc',
  });
  return rows.map(({ line, record }) => [line, record?.percentile]);
}

describe.each(ENGINES)('on $name', ({ open }) => {
  it.each([
    ['ask', { staged: 1, invalid: 3, skipped: 0 }, [[5, 10]]],
    [
      'best',
      { staged: 2, invalid: 0, skipped: 2 },
      [
        [3, 90],
        [5, 10],
      ],
    ],
  ] as const)(
    'of rows with one key and other scores, %s decides which count',
    async (rule, dispositions, rows) => {
      const { ledger } = await open();
      const lease = await stageLease(ledger);
      const dropId = await stagedFile(ledger, lease, 'a.csv', RETAKE);
      for (const _ of ['once', 'again']) {
        expect(await excludeSameKeys(ledger, lease, dropId, submitCompletion, rule)).toBe(true);
      }
      const published = await publishDrop(ledger, lease, dropId, { rowsRead: 4 });
      expect(published).toMatchObject({ dispositions: { ...dispositions, amended: 0, duplicate: 0 } });
      expect(await waiting(ledger)).toEqual(rows);
      expect((await readBooks(ledger, {})).imbalances).toEqual([]);
    },
  );

  it('rows that say the same, or what another file has brought, are left as they are', async () => {
    const { ledger } = await open();
    await publishedDrop(ledger, 'a.csv', [{ percentile: 70 }]);
    const lease = await stageLease(ledger);
    const same = [{ percentile: 70 }, { percentile: 70 }, { content: 'C-2' }, { content: 'C-2' }];
    const dropId = await stagedFile(ledger, lease, 'b.csv', same);
    expect(await excludeSameKeys(ledger, lease, dropId, submitCompletion, 'ask')).toBe(true);
    const published = await publishDrop(ledger, lease, dropId, { rowsRead: 4 });
    expect(published).toMatchObject({ dispositions: { staged: 1, duplicate: 3, invalid: 0 } });
  });

  it('a process that has lost the stage lease refuses no rows', async () => {
    const { ledger } = await open();
    const { held, end } = await leaseUnderWay(ledger, 'stage');
    const [lost] = held.leases;
    const dropId = await stagedFile(ledger, lost, 'a.csv', RETAKE);
    await end();
    const lease = await stageLease(ledger);
    expect(await excludeSameKeys(ledger, lost, dropId, submitCompletion, 'ask')).toBe(false);
    const published = await publishDrop(ledger, lease, dropId, { rowsRead: 4 });
    expect(published).toMatchObject({ dispositions: { invalid: 0 } });
  });

  it('rows that are read again are judged together with those of their file, and nothing is written', async () => {
    const { ledger } = await open();
    const lease = await stageLease(ledger);
    const dropId = await stagedFile(ledger, lease, 'a.csv', [{ percentile: 70 }, { content: 'C-2' }]);
    await publishDrop(ledger, lease, dropId, { rowsRead: 2 });
    const again = [preparedCompletion(ledger, { percentile: 90 }, 4), preparedCompletion(ledger, {}, 5)];
    const rows = again.map((row, index) => ({ ...row, line: index + 4 }));
    const judged = async (rule: 'ask' | 'best' | 'last') => {
      const found = await excludedOnReread(ledger, dropId, TARGET, rule, rows);
      return [...found].map(([line, { kind }]) => [line, kind]);
    };
    const before = await readBooks(ledger, {});
    expect(await judged('ask')).toEqual([
      [4, 'invalid'],
      [5, 'invalid'],
    ]);
    expect(await judged('best')).toEqual([[5, 'skipped']]);
    expect(await judged('last')).toEqual([]);
    expect(await readBooks(ledger, {})).toEqual(before);
  });
});
