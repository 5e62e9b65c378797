import { expect, it } from 'vitest';
import { QUERIES } from '../../../src/actions/browse/queries.js';
import type { Ledger } from '../../../src/ledger/store/query.js';
import { masked } from '../../../src/report/words/masked.js';
import { actionContext } from '../../support/action-context.js';
import { browsedLedger, PERSONAL } from '../../support/browsed-ledger.js';

async function row(ledger: Ledger, what: string, isMasked: boolean) {
  const found = await QUERIES.row(actionContext(ledger), { what });
  return isMasked ? masked(found) : found;
}

it('a row is found by its submission, by its place, and by the name of its file', async () => {
  const ledger = await browsedLedger();
  for (const what of ['1', '#1', '1:2', 'drop.csv:2']) {
    const found = await row(ledger, what, false);
    expect(found?.submissions.map(({ submission }) => submission)).toContain(1);
    expect(structuredClone(found)).toEqual(found);
  }
});

it('a row is looked up by number or place only; an unknown row is null', async () => {
  const ledger = await browsedLedger();
  const key = (await row(ledger, '1', false))?.submissions[0]?.key ?? '';
  for (const what of ['zq@northwind.example', key, '9999', '9:2', 'other.csv:2', '']) {
    expect(await row(ledger, what, false)).toBeNull();
  }
});

it('a masked row holds no personal data, whatever its state', async () => {
  const ledger = await browsedLedger();
  const seen = new Set<string>();
  for (const [drop, lines] of [[1, 17] as const, [2, 9] as const]) {
    for (let line = 2; line <= lines; line += 1) {
      const masked = await row(ledger, `${drop}:${line}`, true);
      const open = await row(ledger, `${drop}:${line}`, false);
      for (const { state } of open?.submissions ?? []) seen.add(state);
      for (const { disposition } of open?.rows ?? []) seen.add(disposition);
      const text = JSON.stringify(masked).toLowerCase();
      expect(PERSONAL.filter((personal) => text.includes(personal))).toEqual([]);
      expect(masked?.submissions.length).toBe(open?.submissions.length);
      if (drop === 1) expect(JSON.stringify(open).toLowerCase()).toContain('northwind');
    }
  }
  expect([...seen].sort()).toEqual([
    'accepted',
    'failed',
    'held',
    'invalid',
    'rejected',
    'staged',
    'waiting',
  ]);
});
