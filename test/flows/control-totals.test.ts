import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { csvOf, exportRow, exportRows } from '../support/exports.js';
import { type TestWorkspace, testWorkspace, textOf } from '../support/workspace.js';

/** Five rows of data: three to deliver, one invalid, one skipped; a header, and a total that isn't data. */
const FIVE = `${csvOf([...exportRows(3), exportRow(8, { email: 'nobody' }), exportRow(9, { status: 'Not started' })])}Total: 5,,,,\n`;

const withControl = (control: Readonly<Record<string, unknown>>) =>
  testWorkspace({ sources: { academy: { control } } });

describe('a source that says how many rows its files have', () => {
  it.each<[Readonly<Record<string, number>>, string | null]>([
    [{ min: 5, max: 5 }, null],
    [{ min: 6 }, 'At least 6 rows are expected, but 5 were read.'],
    [{ max: 4 }, 'At most 4 rows are expected, but 5 were read.'],
  ])('%j of a file of five', async (rows, refused) => {
    const workspace = await withControl({ rows });
    workspace.drop('a.csv', FIVE);
    const { code, report } = await workspace.run();
    const [file] = report.files;
    if (refused === null) {
      expect(file).toMatchObject({ refusal: null, control: { state: 'met', read: 5 } });
      return;
    }
    expect([code, report.rows, workspace.posts()]).toEqual([1, 0, 0]);
    expect(file).toMatchObject({ state: 'refused', control: null });
    expect(file?.refusal?.startsWith(`${refused} Have the whole`)).toBe(true);
    expect(workspace.files('rejected').filter((name) => !name.includes('reason'))).toEqual(['academy/a.csv']);
  });

  it('names both numbers in the report', async () => {
    const workspace = await withControl({ rows: { min: 5, max: 5 } });
    workspace.drop('a.csv', FIVE);
    await workspace.run();
    expect(textOf(workspace, join('reports', reportIn(workspace)))).toContain('5 rows expected, 5 read');
  });

  it('takes in and reports what differs where it says: report', async () => {
    const workspace = await withControl({ rows: { min: 6, max: 6 }, whenDifferent: 'report' });
    workspace.drop('a.csv', FIVE);
    const { report } = await workspace.run();
    expect(report.states.accepted).toBe(3);
    expect(report.files).toMatchObject([{ control: { state: 'different', min: 6, max: 6, read: 5 } }]);
    expect((await workspace.cli('report')).stdout).toContain(
      'NOT THE ROWS EXPECTED: 6 rows expected, 5 read',
    );
    expect((await workspace.books()).balanced).toBe(true);
  });
});

function reportIn(workspace: TestWorkspace): string {
  return workspace.files('reports').find((name) => name.endsWith('report.txt')) ?? '';
}
