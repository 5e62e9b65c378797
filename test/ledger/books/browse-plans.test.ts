import { expect, it } from 'vitest';
import { browseRows } from '../../../src/actions/browse/browse-rows.js';
import { QUERIES } from '../../../src/actions/browse/queries.js';
import type { Selection } from '../../../src/domain/selection.js';
import { STATES } from '../../../src/domain/submission.js';
import { fileOf } from '../../../src/ledger/store/query.js';
import { actionContext } from '../../support/action-context.js';
import { ANY_ROW } from '../../support/any-row.js';
import { browsedLedger } from '../../support/browsed-ledger.js';
import { decide } from '../../support/decide.js';
import { decider } from '../../support/decider.js';
import { select } from '../../support/select.js';
import { tableScans } from '../../support/table-scans.js';

const SELECTION: Selection = { ...ANY_ROW, states: [...STATES, 'invalid'] };

/** A file has a row of its own: of thousands, a list may read all. */
const LARGE = ['submission', 'row', 'issue', 'transition', 'attempt', 'response'];

const LIST = { isDescending: true, after: null, limit: 50 };

const FILES = { source: null, name: null, standing: null, order: 'time' } as const;

it('no query of a page scans a large table', async () => {
  const ledger = await browsedLedger();
  const context = actionContext(ledger);
  const rejected = [...(await select(ledger, { states: ['rejected'] }))];
  const dismissal = { kind: 'dismiss', who: decider('ada'), because: 'left', selection: {} } as const;
  await decide(ledger, dismissal, rejected.slice(0, 2), null);
  fileOf(ledger).statements.clear();
  const page = async (narrowed: Partial<Selection>) =>
    browseRows(context, {
      selection: { ...SELECTION, ...narrowed },
      search: null,
      after: '1.3.0',
      limit: 50,
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
  await QUERIES.files(context, { ...LIST, ...FILES });
  await QUERIES.file(context, { drop: 1 });
  await QUERIES.runs(context, { ...LIST, trigger: null, end: null });
  await QUERIES.run(context, { run: 1 });
  await QUERIES.decisions(context, { ...LIST, who: null, door: null });
  await QUERIES.decision(context, { ...LIST, decision: 1 });
  await QUERIES.overview(context, {});
  expect(fileOf(ledger).statements.size).toBeGreaterThan(40);
  expect(tableScans(ledger, LARGE)).toEqual([]);
});
