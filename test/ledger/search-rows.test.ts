import { expect, it } from 'vitest';
import { searchRows } from '../../src/ledger/search-rows.js';
import type { PreparedRow } from '../../src/ledger/staging.js';
import { stage, testLedger } from '../support/staged-ledger.js';

const issue = { code: 'score-invalid', column: null, value: null, message: 'x', remedy: 'x' } as const;

/** Rows that became no records; their cells are kept all the same. */
function refused(rows: readonly PreparedRow[]): PreparedRow[] {
  return rows.map(({ line }) => ({ kind: 'invalid', line, issues: [issue] }));
}

it('rows that became no record are found by a text in any case, and those left out are counted', () => {
  const ledger = testLedger();
  const file = (user: string) =>
    stage(ledger, [{ user }, { user: 'other@example.com' }], { inOrder: refused });
  const drops = [file('Ada@Example.com'), file('ada@example.com'), file('bea@example.com')].map(
    ({ dropId }) => dropId,
  );
  const search = (most: number) => searchRows(ledger, ['ada@EXAMPLE.com'], () => true, most);
  const all = search(10);
  expect(all.left).toBe(0);
  expect(new Set(all.found.map(({ dropId }) => dropId))).toEqual(new Set(drops.slice(0, 2)));
  // The latest drop is searched first.
  expect(search(1)).toEqual({ found: [], left: 4 });
  expect(search(2).left).toBe(2);
  const fits = ({ line }: { line: number }) => line === 2;
  expect(searchRows(ledger, ['ada@example.com'], fits, 10).found).toEqual(
    drops.slice(0, 2).map((dropId) => ({ dropId, line: 2 })),
  );
});

it('nothing is found in rows that were published as records', () => {
  const ledger = testLedger();
  stage(ledger, [{ user: 'ada@example.com' }]);
  expect(searchRows(ledger, ['ada@example.com'], () => true, 10)).toEqual({ found: [], left: 0 });
});
