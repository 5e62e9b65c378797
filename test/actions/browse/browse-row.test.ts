import { expect, it } from 'vitest';
import { QUERIES } from '../../../src/actions/browse/queries.js';
import type { Ledger } from '../../../src/ledger/store/query.js';
import { actionContext } from '../../support/action-context.js';
import { browsedLedger } from '../../support/browsed-ledger.js';

function row(ledger: Ledger, what: string) {
  return QUERIES.row(actionContext(ledger), { what });
}

it('a row is found by its submission, by its place, and by the name of its file', async () => {
  const ledger = await browsedLedger();
  for (const what of ['1', '#1', '1:2', 'drop.csv:2']) {
    const found = await row(ledger, what);
    expect(found?.submissions.map(({ submission }) => submission)).toContain(1);
    expect(structuredClone(found)).toEqual(found);
  }
});

it('a row is looked up by number or place only; an unknown row is null', async () => {
  const ledger = await browsedLedger();
  const key = (await row(ledger, '1'))?.submissions[0]?.key ?? '';
  for (const what of ['zq@northwind.example', key, '9999', '9:2', 'other.csv:2', '']) {
    expect(await row(ledger, what)).toBeNull();
  }
});
