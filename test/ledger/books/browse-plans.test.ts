import { expect, it } from 'vitest';
import { browseFile, browseFiles } from '../../../src/actions/browse/browse-files.js';
import { browseRows } from '../../../src/actions/browse/browse-rows.js';
import { browseRun, browseRuns } from '../../../src/actions/browse/browse-runs.js';
import { overview } from '../../../src/actions/browse/overview.js';
import type { Selection } from '../../../src/domain/selection.js';
import { STATES } from '../../../src/domain/submission.js';
import { actionContext } from '../../support/action-context.js';
import { browsedLedger } from '../../support/browsed-ledger.js';
import { wholeTablesAsked } from '../../support/whole-tables.js';

const SELECTION: Selection = {
  states: [...STATES, 'invalid'],
  cause: null,
  learner: null,
  content: null,
  file: null,
  run: null,
  since: null,
  until: null,
  rows: null,
};

/** A file has a row of its own: of thousands, a list may read all. */
const LARGE = ['submission', 'row', 'row_block', 'issue', 'transition', 'attempt', 'response'];

it('no question that pages ask goes through a large table', async () => {
  const ledger = await browsedLedger();
  const context = actionContext(ledger);
  ledger.statements.clear();
  const page = async (narrowed: Partial<Selection>) =>
    browseRows(context, {
      selection: { ...SELECTION, ...narrowed },
      search: null,
      after: '1.3.0',
      isMasked: false,
    });
  for (const narrowed of [
    {},
    { cause: 'bad-request' },
    { file: 'drop.csv' },
    { learner: 'zq@northwind.example' },
  ]) {
    await page(narrowed);
  }
  await page({ run: 1 });
  await page({ content: 'C-1' });
  await browseFiles(context, { isMasked: false });
  await browseFile(context, { dropId: 1, isMasked: false });
  await browseRuns(context, {});
  await browseRun(context, 1);
  await overview(context, { nextSlotMs: () => null, isMasked: false });
  expect(ledger.statements.size).toBeGreaterThan(40);
  expect(wholeTablesAsked(ledger, LARGE)).toEqual([]);
});
