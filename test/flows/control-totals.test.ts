import { describe, expect, it } from 'vitest';
import { csvOf, exportRow, exportRows } from '../support/exports.js';
import { testWorkspace } from '../support/workspace.js';

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
      expect(file).toMatchObject({ state: 'published', refusal: null });
      return;
    }
    expect([code, report.rows, workspace.posts()]).toEqual([1, 0, 0]);
    expect(file).toMatchObject({ state: 'refused' });
    expect(file?.refusal?.startsWith(`${refused} Have the whole`)).toBe(true);
    expect(workspace.files('rejected').filter((name) => !name.includes('reason'))).toEqual(['academy/a.csv']);
  });
});
