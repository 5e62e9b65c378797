import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openDrop } from '../../src/intake/open-drop.js';
import { reconcile } from '../../src/report/report.js';
import { writeReportWorkbook } from '../../src/report/write-report-workbook.js';
import { stageContent } from '../staging/staging-bench.js';
import { csvOf, exportRows } from '../support/exports.js';
import { allRows } from '../support/open-content.js';
import { testLedger } from '../support/staged-ledger.js';
import { tempFolder } from '../support/temp-folder.js';

it('a list that a sheet cannot hold ends with a line that says so, and leaves the ledger free to be written to', async () => {
  const ledger = testLedger();
  // More than are looked at before the first is written.
  const twice = exportRows(200).flatMap((row) => [row, row]);
  await stageContent(ledger, csvOf(twice));
  const path = join(tempFolder(), 'report.xlsx');
  writeFileSync(path, '');
  await writeReportWorkbook(path, ledger, reconcile(ledger, {}), { rowsMax: 150 });
  const rows = await allRows(await openDrop(path, {}), 'Duplicates');
  expect(rows).toHaveLength(150);
  expect(rows.slice(0, 2).map(({ cells }) => cells)).toEqual([
    ['Drop', 'Source', 'File', 'Row', 'Repeats a row of', 'At row'],
    [1, 'academy', 'drop.csv', 3, 'drop.csv', 2],
  ]);
  expect(rows.at(-1)?.cells).toEqual(['The sheet is full: report on one file or run to see the rest.']);
  expect(() => ledger.sqlite.exec('create table later (n integer) strict')).not.toThrow();
});
