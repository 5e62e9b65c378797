import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { systemClock } from '../../src/domain/clock.js';
import { collected } from '../../src/domain/process/series.js';
import { keptRows } from '../../src/ledger/drops/rows/kept-rows.js';
import { reconcile } from '../../src/report/report.js';
import { writeReport } from '../../src/report/write-report.js';
import { sourceOf, stageContent } from '../staging/staging-bench.js';
import { csvOf, exportRow } from '../support/exports.js';
import { testLedger } from '../support/staged-ledger.js';
import { tempFolder } from '../support/temp-folder.js';
import { workbookParts } from '../support/workbook-parts.js';
import { writeZip } from '../support/write-zip.js';

const source = sourceOf({ invalid: { most: 100 } });

/** Random letters, which deflating makes hardly smaller. */
const LONG = Array.from({ length: 8_000 }, (_, n) => ((n * 2_654_435_761) % 4_294_967_296).toString(36)).join(
  '',
);

/** A workbook of rows whose time can't be read, each with the same long texts. */
function workbookWith(rows: number, columns: number): Buffer {
  const inline = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`;
  const shared = '<c t="s"><v>0</v></c>';
  const names = Array.from({ length: columns }, (_, n) => `Remark ${n}`);
  const header = ['Email', 'Course ID', 'Completed on', ...names].map(inline).join('');
  const row = ['ada@example.org', 'C-1', 'soon'].map(inline).join('') + shared.repeat(columns);
  return writeZip(
    workbookParts({
      sheets: [{ rows: `<row>${header}</row>${`<row>${row}</row>`.repeat(rows)}` }],
      strings: `<si><t>${LONG}</t></si>`,
    }),
  );
}

async function reportOf(content: string | Buffer) {
  const ledger = testLedger(systemClock());
  await stageContent(ledger, content, { source });
  const { folder } = await writeReport(ledger, await reconcile(ledger, {}), tempFolder(), ['csv']);
  const path = join(folder, '1-drop.attention.csv');
  return { ledger, csv: readFileSync(path, 'utf8'), bytes: statSync(path).size };
}

it('an attention file of many rows has all of them', async () => {
  const rows = Array.from({ length: 900 }, (_, n) => exportRow(n, { email: 'nobody' }));
  const { csv } = await reportOf(csvOf(rows));
  expect(csv.length).toBeGreaterThan(200_000);
  expect(csv.trimEnd().split('\r\n')).toHaveLength(901);
});

it('a workbook whose cells hold more text than the largest file is refused, and nothing of it is kept', async () => {
  const ledger = testLedger(systemClock());
  const most = { ...source, largestFileBytes: 20 * LONG.length };
  expect(await stageContent(ledger, workbookWith(2, 8), { source: most })).toMatchObject({
    kind: 'published',
  });
  const result = await stageContent(ledger, workbookWith(10, 8), { source: most });
  expect(result).toMatchObject({ kind: 'refused', sentence: expect.stringMatching(/hold more text than/) });
  expect(await collected(keptRows(ledger, 2))).toEqual([]);
});
