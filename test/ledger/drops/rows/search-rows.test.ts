import { expect, it } from 'vitest';
import { searchRows } from '../../../../src/ledger/drops/rows/rows-naming.js';
import type { PreparedRow } from '../../../../src/ledger/submissions/staging/read-rows.js';
import { stage, testLedger } from '../../../support/staged-ledger.js';

const issue = { code: 'score-invalid', column: null, value: null, message: 'x', remedy: 'x' } as const;

/** Invalid rows; their cells are kept all the same. */
function refused(rows: readonly PreparedRow[]): PreparedRow[] {
  return rows.map(({ line }) => ({ kind: 'invalid', line, issues: [issue] }));
}

it('rows that became no record are found by a text in any case, and those left out are counted', async () => {
  const ledger = testLedger();
  const file = async (user: string) =>
    stage(ledger, [{ user }, { user: 'other@example.com' }], { asRead: refused });
  const drops = [
    await file('Ada@Example.com'),
    await file('ada@example.com'),
    await file('bea@example.com'),
  ].map(({ dropId }) => dropId);
  const search = async (most: number) => searchRows(ledger, ['ada@EXAMPLE.com'], () => true, most);
  const all = await search(6);
  expect(all.unsearched).toBe(0);
  expect(new Set(all.rowRefs.map(({ dropId }) => dropId))).toEqual(new Set(drops.slice(0, 2)));
  // The latest drop is searched first.
  expect(await search(2)).toEqual({ rowRefs: [], unsearched: 4 });
  expect((await search(3)).unsearched).toBe(3);
  const fits = ({ line }: { line: number }) => line === 2;
  expect((await searchRows(ledger, ['ada@example.com'], fits, 10)).rowRefs).toEqual(
    drops.slice(0, 2).map((dropId) => ({ dropId, line: 2 })),
  );
});

it('letters beyond ASCII are found in any case, and beside them those within it', async () => {
  const ledger = testLedger();
  await stage(ledger, [{ user: 'JÜRGEN@example.com' }, { user: 'Ada@example.com' }], {
    asRead: refused,
  });
  const search = async (text: string) => (await searchRows(ledger, [text], () => true, 10)).rowRefs.length;
  expect([await search('jürgen@example.com'), await search('ada@example.com')]).toEqual([1, 1]);
  expect(await search('jurgen@example.com')).toBe(0);
  expect((await searchRows(ledger, [], () => true, 10)).rowRefs).toEqual([]);
});

it('a search skips rows that were published as records', async () => {
  const ledger = testLedger();
  await stage(ledger, [{ user: 'ada@example.com' }]);
  expect(await searchRows(ledger, ['ada@example.com'], () => true, 10)).toEqual({
    rowRefs: [],
    unsearched: 0,
  });
});
