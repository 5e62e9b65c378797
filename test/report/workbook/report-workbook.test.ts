import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openDrop } from '../../../src/intake/open-drop.js';
import { releaseLease } from '../../../src/ledger/leases/leases.js';
import { reconcile } from '../../../src/report/report.js';
import { writeReportWorkbook } from '../../../src/report/workbook/report-workbook.js';
import { stageContent } from '../../staging/staging-bench.js';
import { meddle } from '../../support/damage.js';
import { csvOf, exportRow, exportRows } from '../../support/exports.js';
import { allRows } from '../../support/open-content.js';
import { ACCEPTED, deliverNext, mustLease, testLedger } from '../../support/staged-ledger.js';
import { tempFolder } from '../../support/temp-folder.js';

it('a list that a sheet cannot hold ends with a line that says so, and leaves the ledger free to be written to', async () => {
  const ledger = testLedger();
  // More than are looked at before the first is written.
  const twice = exportRows(200).flatMap((row) => [row, row]);
  await stageContent(ledger, csvOf(twice));
  const path = join(tempFolder(), 'report.xlsx');
  writeFileSync(path, '');
  await writeReportWorkbook(path, ledger, await reconcile(ledger, {}), { rowsMax: 150 });
  const rows = await allRows(await openDrop(path, {}), 'Duplicates');
  expect(rows).toHaveLength(150);
  expect(rows.slice(0, 2).map(({ cells }) => cells)).toEqual([
    ['Drop', 'Source', 'File', 'Row', 'Repeats a row of', 'At row'],
    [1, 'academy', 'drop.csv', 3, 'drop.csv', 2],
  ]);
  expect(rows.at(-1)?.cells).toEqual(['The sheet is full: report on one file or run to see the rest.']);
  expect(() => meddle(ledger, 'create table later (n integer) strict')).not.toThrow();
});

it('a row that arrived or needs a person is found by its learner and course, or by the masked learner', async () => {
  const ledger = testLedger();
  await stageContent(
    ledger,
    csvOf([exportRow(1), exportRow(2, { email: 'anna at example', course: 'C-2' })]),
  );
  const lease = await mustLease(ledger, 'push:main');
  await deliverNext(ledger, lease, 1, ACCEPTED);
  await releaseLease(ledger, lease);
  const listed = async (isMasked: boolean) => {
    const path = join(tempFolder(), 'report.xlsx');
    writeFileSync(path, '');
    await writeReportWorkbook(path, ledger, await reconcile(ledger, {}), { isMasked });
    const opened = await openDrop(path, {});
    const rowOf = async (sheet: string) => {
      const [header, row] = await allRows(opened, sheet);
      return Object.fromEntries(
        (header?.cells ?? []).map((name, index) => [String(name), row?.cells[index]]),
      );
    };
    return { accepted: await rowOf('Accepted'), attention: await rowOf('Attention') };
  };
  expect(await listed(false)).toMatchObject({
    accepted: { Row: 2, Learner: 'learner1@example.org', Course: 'COURSE-1' },
    attention: {
      Row: 3,
      Learner: 'anna at example',
      Course: 'C-2',
      Detail: expect.stringContaining('"anna at example"'),
    },
  });
  const masked = await listed(true);
  expect(masked).toMatchObject({
    accepted: { Learner: 'l…@e….org', Course: 'COURSE-1' },
    attention: { Learner: 'a… a… e…', Course: 'C-2' },
  });
  expect(JSON.stringify(masked)).not.toMatch(/learner1|anna|example/);
});
