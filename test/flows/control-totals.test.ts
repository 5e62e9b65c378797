import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { csvOf, exportRow, exportRows } from '../support/exports.js';
import { type TestWorkspace, testWorkspace, textOf } from '../support/workspace.js';

/** Five rows of data: three to deliver, one invalid, one skipped; a header, and a total that isn't data. */
const FIVE = `${csvOf([...exportRows(3), exportRow(8, { email: 'nobody' }), exportRow(9, { status: 'Not started' })])}Total: 5,,,,\n`;

const withControl = (control: Readonly<Record<string, unknown>>) =>
  testWorkspace({ sources: { academy: { control } } });

describe('a file whose sender says how many rows it has', () => {
  it('is taken in when they are all there, and archived with what said so', async () => {
    const workspace = await withControl({ file: '{name}.done' });
    workspace.drop('a.csv', FIVE);
    workspace.drop('a.csv.done', 'rows=5\n');
    const { report } = await workspace.run();
    expect(report.files).toMatchObject([
      { file: 'a.csv', control: { state: 'met', min: 5, max: 5, read: 5 }, refusal: null },
    ]);
    expect(workspace.files('archive')).toEqual(['academy/1-a.csv', 'academy/1-a.csv.done']);
    expect(workspace.files('inbox')).toEqual([]);
    expect(textOf(workspace, join('reports', reportIn(workspace)))).toContain('5 rows expected, 5 read');
  });

  it('is set aside with both numbers when rows are missing, and counts once the right file comes', async () => {
    const workspace = await withControl({ file: '{stem}.ok' });
    workspace.drop('a.csv', FIVE);
    workspace.drop('a.ok', '{"rows": 6}');
    const { code, report } = await workspace.run();
    expect([code, report.rows, workspace.posts()]).toEqual([1, 0, 0]);
    expect(report.files).toMatchObject([{ state: 'refused', control: null }]);
    expect(report.files[0]?.refusal).toMatch(
      /^a\.ok says that the file has 6 rows, and 5 were read\. Have the whole/,
    );
    expect(workspace.files('rejected').filter((name) => !name.includes('reason'))).toEqual([
      'academy/a.csv',
      'academy/a.ok',
    ]);
    workspace.drop('a.csv', FIVE);
    workspace.drop('a.ok', '5');
    const again = await workspace.run();
    expect(again.report.files).toMatchObject([{ state: 'published', control: { state: 'met' } }]);
    expect((await workspace.books()).balanced).toBe(true);
  });

  it('is taken in and reported when its source says: report', async () => {
    const workspace = await withControl({ file: '{name}.done', whenDifferent: 'report' });
    workspace.drop('a.csv', FIVE);
    workspace.drop('a.csv.done', '6');
    const { report } = await workspace.run();
    expect(report.states.accepted).toBe(3);
    expect(report.files).toMatchObject([{ control: { state: 'different', min: 6, max: 6, read: 5 } }]);
    expect((await workspace.cli('report')).stdout).toContain(
      'NOT THE ROWS EXPECTED: 6 rows expected, 5 read',
    );
  });

  it('waits in the inbox until its control file comes, which every run reports', async () => {
    const workspace = await withControl({ file: '{name}.done' });
    workspace.drop('a.csv', FIVE);
    const waiting = await workspace.cli('run');
    expect([waiting.code, workspace.files('inbox')]).toEqual([0, ['academy/a.csv']]);
    expect(waiting.stderr).toMatch(/a\.csv.*waits for its control file a\.csv\.done, until 2/);
    workspace.drop('a.csv.done', '5');
    expect((await workspace.run()).report.states.accepted).toBe(3);
  });

  it.each([
    ['refuse', 'refused', null],
    ['report', 'published', { state: 'missing', min: null, max: null, read: 5 }],
  ])('that never comes is dealt with as its source says: %s', async (whenDifferent, state, control) => {
    const workspace = await withControl({ file: '{name}.done', wait: '1ms', whenDifferent });
    workspace.drop('a.csv', FIVE);
    const { report } = await workspace.run();
    expect(report.files).toMatchObject([{ state, control }]);
    if (state === 'refused')
      expect(report.files[0]?.refusal).toMatch(/^No control file came within 1ms\. Have the/);
    else expect((await workspace.cli('report')).stdout).toContain('no control file came; 5 rows read');
  });

  it('is set aside when its bytes are not those that were sent, or when its control file holds no number', async () => {
    const workspace = await withControl({ file: '{name}.done', whenDifferent: 'report' });
    workspace.drop('a.csv', FIVE);
    workspace.drop('a.csv.done', `rows=5\nsha256=${'0'.repeat(64)}`);
    workspace.drop('b.csv', csvOf(exportRows(1)));
    workspace.drop('b.csv.done', 'done');
    const { report } = await workspace.run();
    expect(report.files.map(({ refusal }) => refusal)).toEqual([
      expect.stringMatching(
        /^a\.csv\.done says that the file has the SHA-256 0{64}, and it has [0-9a-f]{64}\. It was damaged/,
      ),
      expect.stringMatching(
        /^b\.csv\.done does not say how many rows its file has\. It must hold a number alone/,
      ),
    ]);
  });
});

describe('a source that says how many rows its files have', () => {
  it.each<[Readonly<Record<string, number>>, string | null]>([
    [{ min: 5, max: 5 }, null],
    [{ min: 6 }, 'At least 6 rows are expected, and 5 were read.'],
    [{ max: 4 }, 'At most 4 rows are expected, and 5 were read.'],
  ])('%j of a file of five', async (rows, refused) => {
    const workspace = await withControl({ rows });
    workspace.drop('a.csv', FIVE);
    const { report } = await workspace.run();
    const [file] = report.files;
    if (refused === null) expect(file).toMatchObject({ refusal: null, control: { state: 'met', read: 5 } });
    else expect(file?.refusal?.startsWith(refused)).toBe(true);
  });
});

function reportIn(workspace: TestWorkspace): string {
  return workspace.files('reports').find((name) => name.endsWith('report.txt')) ?? '';
}
