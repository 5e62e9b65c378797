import { expect, it } from 'vitest';
import { imbalances } from '../../src/ledger/books/balance/imbalances.js';
import { correctedFileOf } from '../support/corrected-file-of.js';
import { csvOf, exportRow } from '../support/exports.js';
import { openRows } from '../support/ledger-trace.js';
import { prepared } from './corrected-rows-setup.js';
import { sourceOf, stageContent, stageSheets } from './staging-bench.js';

it('a correction of more than a thousand rows is carried out page by page', async () => {
  const ledger = await prepared();
  const rows = Array.from({ length: 1_100 }, (_, n) => exportRow(n + 100, { email: `nobody ${n}` }));
  await stageContent(ledger, csvOf(rows), { source: sourceOf({ invalid: { most: 100 } }) });
  const content = await correctedFileOf(
    ledger,
    2,
    rows.map((_, n) => ({ of: n + 2, row: exportRow(n + 100) })),
  );
  expect(await openRows(ledger)).toHaveLength(1_101);
  await stageSheets(ledger, content);
  expect(await openRows(ledger)).toEqual([{ dropId: 1, line: 4 }]);
  expect(await imbalances(ledger)).toEqual([]);
});
