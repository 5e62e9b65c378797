import exceljs from 'exceljs';
import { describe, expect, it } from 'vitest';
import { exportRow } from '../support/exports.js';
import { setSources } from '../support/set-sources.js';
import { documentOf, testWorkspace } from '../support/workspace.js';

const HEADER = [
  'Email',
  'Course ID',
  'Completed on',
  'Status',
  'Progress',
  'Certificate Status',
  'Is Deleted',
];

type Beside = readonly [progress: string | number, certificate: string, isDeleted: string | boolean];

const ROWS: readonly Beside[] = [
  [1, 'Issued', false],
  [0.4, 'Issued', false],
  [1, 'Revoked', false],
  [1, 'Pending review', false],
  [1, '', true],
  [1, 'Expired', false],
];

function lines(rows: readonly Beside[]): readonly (readonly (string | number | boolean)[])[] {
  return rows.map((beside, index) => {
    const { email, course, at } = exportRow(index);
    return [email, course, at, 'Completed', ...beside];
  });
}

/** The progress as a share with a format of percent, or as a plain number. */
async function workbook(rows: readonly Beside[], format: string): Promise<Buffer> {
  const book = new exceljs.Workbook();
  const sheet = book.addWorksheet('Export');
  sheet.addRow(HEADER);
  for (const line of lines(rows)) sheet.addRow([...line]).getCell(5).numFmt = format;
  return Buffer.from(await book.xlsx.writeBuffer());
}

const csv = (rows: readonly Beside[]) =>
  [HEADER, ...lines(rows.map(([share, ...others]): Beside => [percent(share), ...others]))]
    .map((line) => `${line.join(',')}\n`)
    .join('');

const percent = (share: string | number) => (typeof share === 'number' ? `${share * 100}%` : share);

const FORMS: readonly [string, () => Promise<string | Buffer>][] = [
  ['text', async () => csv(ROWS)],
  ['a workbook of percentages', () => workbook(ROWS, '0%')],
];

describe('a file whose other columns contradict the status', () => {
  it.each(FORMS)('is delivered without those rows: %s', async (_, content) => {
    const workspace = await testWorkspace();
    const name = (await content()) instanceof Buffer ? 'export.xlsx' : 'export.csv';
    const path = workspace.drop(name, await content());
    const checked = await workspace.cli('check', path, '--source', 'academy');
    expect(checked.stdout).toContain(
      '"Progress", "Certificate Status", "Is Deleted" decide whether a row counts, beside its date and status.',
    );
    const { code, report } = await workspace.run();
    expect(code).toBe(1);
    expect(report).toMatchObject({
      balanced: true,
      dispositions: { staged: 2, skipped: 2, invalid: 2, 'non-data': 1 },
      causes: [{ code: 'status-unknown', count: 2 }],
    });
    const issues = workspace.query('select line, code, column_name as "column" from issue order by line');
    expect(issues).toMatchObject([
      { line: 1 },
      { line: 3, code: 'status-unknown', column: 'Progress' },
      { line: 4, code: 'status-not-completed', column: 'Certificate Status' },
      { line: 5, code: 'status-unknown', column: 'Certificate Status' },
      { line: 6, code: 'status-not-completed', column: 'Is Deleted' },
    ]);

    // Kept rows are read by the same columns.
    setSources(workspace, { status: { completed: ['Pending Review'] } });
    const restaged = await workspace.cli('restage', name, '--json');
    expect(documentOf(restaged)).toMatchObject({ open: 2, made: 1, still: 1 });
    const again = await workspace.run();
    expect(again.report).toMatchObject({ balanced: true, states: { accepted: 1 } });
    expect(workspace.sandbox.platform.completions()).toHaveLength(3);
  });

  it('needs confirmation of its ones where they are plain numbers', async () => {
    const workspace = await testWorkspace();
    workspace.drop('export.xlsx', await workbook(ROWS, 'General'));
    const { report } = await workspace.run('--no-push');
    expect(report.dispositions).toMatchObject({ staged: 0, skipped: 2, invalid: 4 });
  });

  it('takes nothing from a column that the source ignores', async () => {
    const workspace = await testWorkspace({ sources: { academy: { status: { ignore: ['progress'] } } } });
    workspace.drop('export.csv', csv(ROWS));
    const { report } = await workspace.run('--no-push');
    expect(report.dispositions).toMatchObject({ staged: 3, skipped: 2, invalid: 1 });
  });
});
